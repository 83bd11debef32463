//! Words that processors take from each other: which are predicted to cost something, and who owns
//! them.

use std::ops::Range;

use superstep_planner::{
    Accesses, Algorithm, Costs, Fault, Graph, Plan, Track, Windows, Within, choose_as, owners,
    predict,
};

/// Words that an iteration reads, and the one that it writes: array and position.
type Iteration = (Vec<(u16, usize)>, (u16, usize));

/// A kernel of given iterations.
struct Told {
    lengths: Vec<usize>,
    iterations: Vec<Iteration>,
}

impl Track for Told {
    fn iterations(&self) -> u32 {
        self.iterations.len() as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for i in iterations {
            x.begin();
            let (reads, (array, word)) = &self.iterations[i as usize];
            for &(array, word) in reads {
                x.read(array, word..word + 1);
            }
            x.write(*array, *word..*word + 1);
        }
        Ok(())
    }
}

/// Prices by which iterations are grains, and the time of a processor is that of its crossings.
fn costs(crossing: f64) -> Costs {
    Costs {
        word: 1e-9,
        wait: 0.0,
        chunk: 0.0,
        jump: 0.0,
        least: 0.0,
        crossing,
        ..Costs::default()
    }
}

/// Words of each array; the first half is that of one processor, the second that of another.
const WORDS: usize = 64;

/// Returns the crossings of the processor that has most.
fn crossings(iterations: impl IntoIterator<Item = Iteration>) -> f64 {
    let kernel = Told {
        lengths: vec![WORDS; 2],
        iterations: iterations.into_iter().collect(),
    };
    let graph = Graph::new(&kernel, &costs(1.0)).expect("a good kernel");
    let plan = owners(&graph, 2, 1);
    predict(&plan, &graph, &costs(1.0))
        .expect("it ends")
        .round()
}

/// Makes iterations that write all words of the first array, then read them for those of the
/// second.
fn readers(reads: impl Fn(usize) -> Vec<usize>) -> Vec<Iteration> {
    let writes = (0..WORDS).map(|i| (vec![], (0, i)));
    let reads = (0..WORDS).map(|i| {
        let reads = reads(i).into_iter().map(|word| (0, word)).collect();
        (reads, (1, i))
    });
    writes.chain(reads).collect()
}

#[test]
fn a_word_crosses_once_however_often_it_is_read() {
    assert_eq!(crossings(readers(|_| vec![])), 0.0);
    assert_eq!(crossings(readers(|i| vec![i])), 0.0);
    assert_eq!(crossings(readers(|_| vec![7])), 1.0);
    assert_eq!(crossings(readers(|i| vec![i % 4 * 9])), 4.0);
    let other = |i: usize| (i + WORDS / 2) % WORDS;
    assert_eq!(crossings(readers(|i| vec![other(i / 2 * 2)])), 16.0);
    // Neighbours come along.
    assert_eq!(crossings(readers(|i| vec![other(i)])), 1.0);
}

#[test]
fn words_that_others_have_read_are_taken_once_for_each_that_is_written() {
    let other = |i: usize| (i + WORDS / 2) % WORDS;
    let reads = (0..WORDS).map(|i| (vec![(0, i), (0, other(i)), (0, other(i / 2))], (1, i)));
    let overwrites = (0..WORDS).map(|i| (vec![], (0, i)));
    assert_eq!(crossings(reads.chain(overwrites)), 32.0);
}

/// Two fields that take turns, and a vector of one word for each line of theirs.
#[test]
fn words_of_several_arrays_have_one_owner_where_they_lie_at_one_place() {
    let (lines, width) = (40_usize, 10);
    let words = lines * width;
    let mut iterations = Vec::new();
    for from in [0, 1, 0, 1] {
        for i in 0..words {
            let reads = [i.saturating_sub(1), i, (i + 1).min(words - 1)].map(|word| (from, word));
            iterations.push((reads.to_vec(), (1 - from, i)));
        }
        for line in 0..lines {
            let reads = (line * width..(line + 1) * width).map(|word| (1 - from, word));
            iterations.push((reads.collect(), (2, line)));
        }
    }
    let kernel = Told {
        lengths: vec![words, words, lines],
        iterations,
    };
    let graph = Graph::new(&kernel, &costs(1.0)).expect("a good kernel");
    assert_eq!(graph.grains(), kernel.iterations(), "none are joined");
    let plan = owners(&graph, 2, 1);
    for (processor, half) in [(0, 0..lines / 2), (1, lines / 2..lines)] {
        for &grain in plan
            .order
            .steps_of(processor)
            .flat_map(|chunk| plan.grains_of(chunk))
        {
            let (_, (array, word)) = kernel.iterations[grain as usize];
            let line = if array == 2 { word } else { word / width };
            assert!(half.contains(&line), "{processor}: word {word} of {array}");
        }
    }
}

#[test]
fn a_plan_that_is_asked_for_is_the_one_that_the_report_calls_chosen() {
    let kernel = Told {
        lengths: vec![WORDS; 2],
        iterations: readers(|i| vec![i / 2, i]),
    };
    let graph = Graph::new(&kernel, &costs(1.0)).expect("a good kernel");
    let windows = Windows {
        grains: 3,
        chunks: 2,
        within: Within::Levels,
    };
    for algorithm in [
        Algorithm::Sequential,
        Algorithm::Farm,
        Algorithm::Doacross(windows),
        Algorithm::Levels,
        Algorithm::GrowLocal,
        Algorithm::Pipeline,
        Algorithm::Owners(3),
    ] {
        let (plan, report): (Plan, _) =
            choose_as(&graph, 2, &costs(1.0), algorithm).expect("processors");
        let chosen = report.chosen();
        assert_eq!(chosen.algorithm, algorithm);
        assert_eq!(
            (chosen.chunks, chosen.waits),
            (plan.grains.len(), plan.order.waits.items.len())
        );
        assert!(chosen.ratio.is_finite() && chosen.ratio > 0.0, "{report}");
        let named = report
            .candidates
            .iter()
            .filter(|other| other.algorithm == algorithm);
        assert_eq!(named.count(), 1, "{report}");
    }
}
