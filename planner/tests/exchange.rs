//! Plans give the bits of the sequential run over private memories, whichever processor comes
//! first: messages are all that they wait for.

mod support;

use std::collections::VecDeque;
use std::ops::Range;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_planner::exchange::{Exchange, Part, Progression, decode};
use superstep_planner::{
    Accesses, Costs, Fault, Graph, Plan, Track, owners, plan_of_chunks, prove,
};
use support::{Body, Kernel, Pattern, Words, bits, plans, sequential};

/// Message on its way: the receiver's step, and the words.
type Sent = (u32, Vec<f64>);

/// Processor with its memory.
struct Processor {
    part: Part,
    memory: Vec<Vec<f64>>,
    step: u32,
    sent: usize,
    /// Messages that have come, those of each peer in a queue.
    queues: Vec<VecDeque<Sent>>,
}

impl Words for Processor {
    fn get(&mut self, array: u16, word: usize) -> f64 {
        let slot = self.part.pages[usize::from(array)].slot(word);
        self.memory[usize::from(array)][slot.expect("a word that it holds")]
    }

    fn set(&mut self, array: u16, word: usize, value: f64) {
        let slot = self.part.pages[usize::from(array)].slot(word);
        self.memory[usize::from(array)][slot.expect("a word that it holds")] = value;
    }
}

fn words(runs: &[Progression]) -> impl Iterator<Item = (u16, usize)> {
    runs.iter()
        .flat_map(|run| run.words().map(|word| (run.array, word)))
}

impl Processor {
    fn new(part: Part, data: &[Vec<f64>], processors: usize) -> Self {
        let memory = part.pages.iter();
        let mut processor = Self {
            memory: memory
                .map(|pages| vec![f64::NAN; pages.slots as usize])
                .collect(),
            part,
            step: 0,
            sent: 0,
            queues: vec![VecDeque::new(); processors],
        };
        for (array, word) in words(&processor.part.inputs.clone()) {
            processor.set(array, word, data[usize::from(array)][word]);
        }
        processor
    }

    fn is_over(&self) -> bool {
        self.step as usize == self.part.iterations.len()
    }

    /// Returns the messages that the next step needs, if all have come.
    fn needs(&self) -> Option<Vec<usize>> {
        let ends = &self.part.receives.ends;
        let due = (0..ends.len()).filter(|&message| ends[message].step == self.step);
        let due: Vec<usize> = due.collect();
        let mut counts = vec![0; self.queues.len()];
        for &message in &due {
            let peer = ends[message].peer as usize;
            counts[peer] += 1;
        }
        let has_come = |(queue, count): (&VecDeque<Sent>, usize)| {
            queue.iter().filter(|(step, _)| *step == self.step).count() == count
        };
        self.queues.iter().zip(counts).all(has_come).then_some(due)
    }

    /// Runs the next step; returns what it sends, and to whom.
    fn run(
        &mut self,
        kernel: &Kernel,
        due: Vec<usize>,
        lost: Option<usize>,
    ) -> Vec<(usize, Vec<f64>)> {
        for message in due {
            let peer = self.part.receives.ends[message].peer as usize;
            let queue = &mut self.queues[peer];
            let is_it = |(step, _): &Sent| *step == self.step;
            let place = queue.iter().position(is_it).expect("it has come");
            let (_, values) = queue.remove(place).expect("a place");
            let runs = self.part.receives.runs.row(message).to_vec();
            assert_eq!(words(&runs).count(), values.len());
            let lost = usize::from(lost == Some(message));
            for ((array, word), value) in words(&runs).zip(values).skip(lost) {
                self.set(array, word, value);
            }
        }
        for [first, end] in self.part.iterations.row(self.step as usize).to_vec() {
            (first..end).for_each(|iteration| kernel.run(iteration, self));
        }
        let mut sends = Vec::new();
        while let Some(end) = self.part.sends.ends.get(self.sent)
            && end.step == self.step
        {
            let peer = end.peer as usize;
            let runs = self.part.sends.runs.row(self.sent).to_vec();
            let values = words(&runs).map(|(array, word)| self.get(array, word));
            sends.push((peer, values.collect()));
            self.sent += 1;
        }
        self.step += 1;
        sends
    }
}

/// Returns the parts of a plan as they come out of their bytes.
fn parts(kernel: &Kernel, plan: Plan, processors: usize) -> Vec<Part> {
    let proved = prove(kernel, plan).expect("proved");
    let exchange = Exchange::new(kernel, &proved, processors).expect("a good kernel");
    let parts = (0..exchange.processors()).map(|processor| {
        let part = exchange.part(processor).expect("a good kernel");
        assert_eq!(
            decode(&part.encode(), exchange.processors()),
            Ok(part.clone())
        );
        part
    });
    parts.collect()
}

/// Runs parts in an order that is drawn among all that their messages allow; returns the bits of
/// all results in the caller's arrays.
fn run(kernel: &Kernel, parts: Vec<Part>, random: &mut Pcg64Mcg) -> Vec<Vec<u64>> {
    run_without(None, kernel, parts, random)
}

/// Runs parts so that a processor loses the first word of a message.
fn run_without(
    lost: Option<(usize, usize)>,
    kernel: &Kernel,
    parts: Vec<Part>,
    random: &mut Pcg64Mcg,
) -> Vec<Vec<u64>> {
    let (mut data, count) = (kernel.data(), parts.len());
    // Where each message is to be sent: its number among those of the pair.
    let steps = |to: usize, from: usize| {
        let ends = parts[to].receives.ends.iter();
        let of = ends.filter(move |end| end.peer as usize == from);
        of.map(|end| end.step).collect::<VecDeque<u32>>()
    };
    let mut steps: Vec<Vec<_>> = (0..count)
        .map(|to| (0..count).map(|from| steps(to, from)).collect())
        .collect();
    let processors = parts.into_iter();
    let mut processors: Vec<Processor> = processors
        .map(|part| Processor::new(part, &data, count))
        .collect();
    loop {
        let able: Vec<usize> = (0..count)
            .filter(|&it| !processors[it].is_over() && processors[it].needs().is_some())
            .collect();
        let Some(last) = able.len().checked_sub(1) else {
            break;
        };
        let chosen = able[random.random_range(0..last + 1)];
        let due = processors[chosen].needs().expect("it is able");
        let lost = lost.filter(|&(processor, _)| processor == chosen);
        let lost = lost.map(|(_, message)| message);
        for (to, values) in processors[chosen].run(kernel, due, lost) {
            let step = steps[to][chosen].pop_front().expect("it is received");
            processors[to].queues[chosen].push_back((step, values));
        }
    }
    for mut processor in processors {
        assert!(processor.is_over(), "a processor waits forever");
        for (array, word) in words(&processor.part.results.clone()) {
            data[usize::from(array)][word] = processor.get(array, word);
        }
    }
    bits(&data)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn messages_are_all_that_processors_wait_for(
        kind in 0..Kernel::KINDS,
        family in 0..Pattern::FAMILIES,
        n in 1usize..90,
        processors in 1u32..9,
        window in 1u32..70,
        least in prop::sample::select(vec![0.0, 12.0, 50.0]),
        seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let pattern = Pattern::family(family, n, random);
        let kernel = Kernel::family(kind, pattern, random);
        let expected = sequential(&kernel);
        let costs = Costs { least, ..Costs::default() };
        for plan in plans(&kernel, processors, &costs, window) {
            let parts = parts(&kernel, plan, processors as usize);
            prop_assert!(parts.len() <= processors as usize);
            for _ in 0..2 {
                prop_assert!(run(&kernel, parts.clone(), random) == expected);
            }
        }
    }
}

/// These tests would notice: without the first word of any one message bits differ.
#[test]
fn without_a_word_of_a_message_bits_differ() {
    let random = &mut Pcg64Mcg::seed_from_u64(1);
    let kernel = Kernel::new(Body::Sweeps(Pattern::family(5, 80, random)));
    let graph = Graph::new(&kernel, &Costs::default()).expect("a good kernel");
    let parts = parts(&kernel, owners(&graph, 3, 2), 3);
    let expected = sequential(&kernel);
    let mut lost = 0;
    for processor in 0..parts.len() {
        for message in 0..parts[processor].receives.ends.len() {
            let bits = run_without(Some((processor, message)), &kernel, parts.clone(), random);
            assert!(bits != expected, "{message} of {processor}");
            lost += 1;
        }
    }
    assert!(lost > 9, "{lost} messages");
}

/// Words that one iteration writes, and the next one replaces after it has read them. It tells that
/// it writes before it tells that it reads.
struct Replaced;

impl Track for Replaced {
    fn iterations(&self) -> u32 {
        2
    }

    fn lengths(&self) -> &[usize] {
        &[4]
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for _ in iterations {
            x.begin();
            x.write(0, 0..4);
            x.read(0, 1..3);
        }
        Ok(())
    }
}

#[test]
fn an_iteration_reads_before_it_writes_in_whichever_order_it_tells() {
    let costs = Costs {
        least: 0.0,
        ..Costs::default()
    };
    let graph = Graph::new(&Replaced, &costs).expect("a good kernel");
    let plan = plan_of_chunks(&graph, 2, [(0, &[0][..]), (1, &[1])]);
    let proved = prove(&Replaced, plan).expect("proved");
    let exchange = Exchange::new(&Replaced, &proved, 2).expect("a good kernel");
    let parts = [0, 1].map(|processor| exchange.part(processor).expect("a good kernel"));
    let read = Progression {
        array: 0,
        first: 1,
        count: 2,
        step: 1,
    };
    assert_eq!(parts[0].inputs, [read]);
    assert_eq!(parts[0].sends.runs.items, [read]);
    assert_eq!(parts[1].receives.runs.items, [read]);
    assert_eq!((parts[1].inputs.len(), parts[0].results.len()), (0, 0));
}

/// Steps of an elimination, row by row: rows below read the row of each step.
struct Elimination {
    n: usize,
    lengths: [usize; 1],
}

impl Track for Elimination {
    fn iterations(&self) -> u32 {
        (self.n * (self.n - 1) / 2) as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iterations: Range<u32>, a: &mut Accesses<'_>) -> Result<(), Fault> {
        let rows = (0..self.n).flat_map(|k| (k + 1..self.n).map(move |i| (k, i)));
        for (k, i) in rows.skip(iterations.start as usize).take(iterations.len()) {
            a.begin();
            a.read(0, k * self.n + k..(k + 1) * self.n);
            a.update(0, i * self.n + k..(i + 1) * self.n);
        }
        Ok(())
    }
}

/// A processor holds its rows, and of others what it still reads.
#[test]
fn received_words_live_as_long_as_they_are_read() {
    let n = 256;
    let kernel = Elimination {
        n,
        lengths: [n * n],
    };
    let costs = Costs {
        least: 0.0,
        ..Costs::default()
    };
    let graph = Graph::new(&kernel, &costs).expect("a good kernel");
    let proved = prove(&kernel, owners(&graph, 4, 64)).expect("proved");
    let exchange = Exchange::new(&kernel, &proved, 4).expect("a good kernel");
    for processor in 0..4 {
        let part = exchange.part(processor).expect("a good kernel");
        let held = part.pages[0].slots as usize;
        let used: u32 = part.pages[0]
            .pages
            .iter()
            .map(|page| page.mask.count_ones())
            .sum();
        assert!(held * 10 <= n * n * 3, "{held} of {}", n * n);
        assert!(
            used as usize * 2 >= n * n,
            "nearly all rows are read: {used}"
        );
    }
}
