//! The account of a plan: how long its chunks take by prediction, and which words cross.

use std::ops::Range;
use std::sync::Arc;

use superstep_order::{Rows, Timeline, Times};

use crate::prediction::{chunk_times, ends};
use crate::track::{Asked, Words};
use crate::{Costs, Graph, Plan, Receiver, Track, TrackError};

/// Words that a processor uses and another one has written, by the chunk that wrote them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The chunk that writes them.
    pub chunk: u32,
    /// The processor that uses them.
    pub to: u32,
    /// Number of words: each once for a processor, until it is written anew.
    pub words: u64,
}

/// Figures of a plan beyond its predicted time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Times at which each chunk waits and works, by prediction in place.
    pub timeline: Timeline,
    /// Words that cross, ascending.
    pub crossings: Vec<Crossing>,
    /// The first iteration of each grain, and behind the last, by these costs.
    pub grains: Arc<[u32]>,
    /// The grains that each of these comes after.
    pub predecessors: Rows<u32>,
}

/// Accounts for a plan of a kernel. It is told the accesses of all iterations twice, and has 8
/// bytes for each tracked word.
///
/// # Errors
/// As [`plan`](crate::plan()). A plan of other grains than these costs lead to has no timeline: one
/// that was read from a file.
pub fn account(track: &dyn Track, plan: &Plan, costs: &Costs) -> Result<Account, TrackError> {
    let graph = Graph::new(track, costs)?;
    let timeline = match graph.boundaries() == &plan.boundaries {
        true => timeline(&graph, plan, costs),
        false => Timeline::default(),
    };
    Ok(Account {
        timeline,
        crossings: crossings(track, plan)?,
        grains: Arc::clone(graph.boundaries()),
        predecessors: graph.predecessors,
    })
}

/// Predicts when each chunk waits and works.
fn timeline(graph: &Graph, plan: &Plan, costs: &Costs) -> Timeline {
    let own = chunk_times(plan, graph, costs);
    let Some(ends) = ends(plan, &own, costs.wait) else {
        return Timeline::default();
    };
    let mut times = Vec::with_capacity(own.len());
    for processor in 0..plan.order.processors() as u32 {
        let mut before = 0;
        for chunk in plan.order.steps_of(processor) {
            let end = ends[chunk as usize];
            let [ready, end] = [end - own[chunk as usize], end].map(|ns| ns.round() as u64);
            let ready = ready.max(before);
            times.push(Times {
                wait: ready - before,
                copy: 0,
                work: end - ready,
            });
            before = end;
        }
    }
    Timeline::new(plan.order.processors.clone(), times)
}

/// Counts the words that cross.
fn crossings(track: &dyn Track, plan: &Plan) -> Result<Vec<Crossing>, TrackError> {
    let words = Words::new(track)?;
    let mut crossing = Uses {
        writers: words.table(track, NOBODY)?,
        users: words.table(track, 0)?,
        words: &words,
        processors: &plan.order.processors,
        chunk: 0,
        processor: 0,
        found: Vec::new(),
    };
    let mut asked = Asked::new(track);
    for (grain, chunk) in (0..).zip(plan.chunks_of_grains()) {
        crossing.chunk = chunk;
        crossing.processor = plan.order.processor_of(chunk);
        let iterations = plan.iterations_of(grain);
        if let Err(fault) = asked.tell(iterations.clone(), &mut crossing) {
            return Err(words.locate(track, iterations, fault));
        }
    }
    let mut found = crossing.found;
    found.sort_unstable();
    let same = found.chunk_by(|a, b| a == b);
    Ok(same
        .map(|all| Crossing {
            chunk: all[0].0,
            to: all[0].1,
            words: all.len() as u64,
        })
        .collect())
}

/// No chunk has written the word.
const NOBODY: u32 = u32::MAX;

/// Takes note of words that are used on other processors than wrote them.
struct Uses<'w> {
    words: &'w Words,
    /// The chunk that wrote each word last.
    writers: Vec<u32>,
    /// Processors that have used each word since, modulo the bits of a number.
    users: Vec<u32>,
    /// The first chunk of each processor.
    processors: &'w [u32],
    chunk: u32,
    processor: u32,
    /// Chunk that wrote a word, and processor that uses it.
    found: Vec<(u32, u32)>,
}

impl Receiver for Uses<'_> {
    fn read(&mut self, array: u16, words: Range<usize>) {
        let entries = self.words.entries(array, &words).unwrap_or_default();
        let [first, end] = [0, 1].map(|behind| self.processors[self.processor as usize + behind]);
        let bit = 1 << (self.processor % u32::BITS);
        for entry in entries {
            let writer = self.writers[entry];
            if writer != NOBODY && !(first..end).contains(&writer) && self.users[entry] & bit == 0 {
                self.users[entry] |= bit;
                self.found.push((writer, self.processor));
            }
        }
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.words.entries(array, &words).unwrap_or_default();
        self.writers[entries.clone()].fill(self.chunk);
        self.users[entries].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Accesses, Fault, prediction::predict};

    const BEFORE: [usize; 2] = [7, 50];

    /// `x[i] += x[i - 7] + x[i - 50]`.
    struct Sums(u32);

    impl Track for Sums {
        fn iterations(&self) -> u32 {
            self.0
        }
        fn lengths(&self) -> &[usize] {
            &[1 << 16]
        }
        fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
            for i in iterations {
                x.begin();
                let i = i as usize;
                for before in BEFORE.into_iter().filter_map(|far| i.checked_sub(far)) {
                    x.read(0, before..before + 1);
                }
                x.update(0, i..i + 1);
            }
            Ok(())
        }
    }

    /// Returns the processor of each grain.
    fn processors(plan: &Plan) -> Vec<u32> {
        let mut processors = vec![0; plan.boundaries.len().saturating_sub(1)];
        for processor in 0..plan.order.processors() as u32 {
            for chunk in plan.order.steps_of(processor) {
                for &grain in plan.grains_of(chunk) {
                    processors[grain as usize] = processor;
                }
            }
        }
        processors
    }

    #[test]
    fn the_timeline_ends_when_the_plan_is_predicted_to() {
        let (track, costs) = (
            Sums(3000),
            Costs {
                least: 20.0,
                wait: 40.0,
                ..Costs::default()
            },
        );
        let graph = Graph::new(&track, &costs).unwrap();
        let plan = crate::levels(&graph, 3);
        let account = account(&track, &plan, &costs).unwrap();
        let predicted = predict(&plan, &graph, &costs).unwrap();
        let end = account.timeline.end() as f64;
        assert!((end - predicted).abs() < 2.0, "{end} {predicted}");
        // By hand: each word that a processor uses and another one has written.
        let of = processors(&plan);
        let grain = |i: usize| {
            plan.boundaries
                .partition_point(|&first| first as usize <= i)
                - 1
        };
        let users = (0..3000_usize).flat_map(|i| {
            let before = BEFORE.into_iter().filter_map(move |far| i.checked_sub(far));
            before.map(move |word| (word, i))
        });
        let users = users.map(|(word, i)| (word, of[grain(i)]));
        let crossing: BTreeSet<(usize, u32)> = users
            .filter(|&(word, user)| of[grain(word)] != user)
            .collect();
        assert!(crossing.len() > 100);
        let words: u64 = account
            .crossings
            .iter()
            .map(|crossing| crossing.words)
            .sum();
        assert_eq!(words, crossing.len() as u64);
    }

    #[test]
    fn a_plan_of_other_grains_has_words_that_cross_and_no_times() {
        let (track, costs) = (
            Sums(3000),
            Costs {
                least: 20.0,
                ..Costs::default()
            },
        );
        let plan = crate::levels(&Graph::new(&track, &costs).unwrap(), 2);
        let others = Costs {
            least: 400.0,
            ..costs
        };
        let account = account(&track, &plan, &others).unwrap();
        assert_eq!(account.timeline, Timeline::default());
        assert!(!account.crossings.is_empty());
    }
}
