//! Random graphs that are the same in every run.

use superstep_dag::Dag;

use superstep_random::SplitMix64;

/// Sequence of random numbers.
pub(crate) struct SplitMix(SplitMix64);

impl SplitMix {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.bits() % bound as u64) as usize
    }
}

/// Returns a graph of 1 to `most` tasks with weights and words, some of them 0, in topological
/// order or not.
pub(crate) fn graph(random: &mut SplitMix, most: usize) -> Dag {
    let tasks = 1 + random.below(most);
    let reversed = random.below(2) == 0;
    let name = |task: usize| if reversed { tasks - 1 - task } else { task } as u32;
    let edges: Vec<(u32, u32)> = (0..2 * tasks)
        .map(|_| (random.below(tasks), random.below(tasks)))
        .filter(|(a, b)| a != b)
        .map(|(a, b)| (name(a.min(b)), name(a.max(b))))
        .collect();
    let mut numbers = |most| (0..tasks).map(|_| random.below(most) as u32).collect();
    let (weights, words) = (numbers(6), numbers(4));
    let graph = Dag::from_edges(tasks, &edges).expect("edges go from lower to higher names");
    let graph = graph.with_weights(weights).expect("one weight per task");
    graph
        .with_words(words)
        .expect("one number of words per task")
}
