//! Loop fusion: consecutive phases of a list, a few iterations of each at a time.
//!
//! A transform goes through all its words in every stage. A *phase* is a part of a list whose iterations need nothing of each other: a
//! stage. What two or three phases do to a few words often needs no others: two stages of butterflies connect four words, three eight. Such a
//! group of iterations becomes one iteration of a longer body, which loads and stores each word once. Where the iterations of two phases are all
//! connected, as those of stencil sweeps are, they stay as they are.

use std::ops::Range;

use petgraph::unionfind::UnionFind;
use superstep_runtime::plan::{Body, Code};

use crate::flow::Flow;
use crate::fold::MOST_STATEMENTS;
use crate::iterations::Iterations;
use crate::tasks::Tasks;

/// Most phases that become one.
const PHASES: usize = 3;

/// Fewest iterations of a phase, on the average.
const FEW: usize = 64;

/// The tasks of a list, some of its phases fused as is cheapest by `cost`, which tells it for a part of a list; none, if none can be or if
/// that breaks a flow dependence.
///
/// `code` is what the list folds into, of which the `bodies` know nothing. Cost: some walks over the operands, and the costs of every phase and
/// of every two and three that can be fused.
pub(crate) fn fuse(
    tasks: &Tasks<'_>,
    flow: &mut Flow,
    bodies: &[Body],
    code: &Code,
    list: &[u32],
    mut cost: impl FnMut(&[u32]) -> f64,
) -> Option<Vec<u32>> {
    let iterations = Iterations::new(bodies, code);
    flow.place(list);
    let phases = Phases::find(tasks, flow, &iterations, list);
    let fused: Option<Vec<[Option<Vec<u32>>; PHASES]>> = phases.map(|phases| {
        let fused = |first| std::array::from_fn(|more| phases.fused(first, more));
        (0..phases.len()).map(fused).collect()
    });
    flow.forget(list);
    let mut fused = fused.filter(|fused| fused.iter().any(|fused| fused[1].is_some()))?;
    // What the phases before each cost at best, and how many the last of these are that are one.
    let mut best = vec![(f64::INFINITY, 0); fused.len() + 1];
    best[0].0 = 0.0;
    for first in 0..fused.len() {
        for (more, part) in fused[first].iter().enumerate() {
            let Some(part) = part else { continue };
            let all = best[first].0 + cost(part);
            if all < best[first + more + 1].0 {
                best[first + more + 1] = (all, more);
            }
        }
    }
    let mut parts = Vec::new();
    let mut end = fused.len();
    while end > 0 {
        let more = best[end].1;
        end -= more + 1;
        parts.extend(fused[end][more].take());
    }
    parts.reverse();
    let sorted = parts.concat();
    (sorted != list && flow.is_respected(tasks, &sorted)).then_some(sorted)
}

/// The phases of a list, placed in `flow`.
struct Phases<'a> {
    tasks: &'a Tasks<'a>,
    flow: &'a Flow,
    iterations: &'a Iterations,
    list: &'a [u32],
    /// First iteration of each, and the number of all.
    begins: Vec<usize>,
    /// Per task of the list: its iteration.
    iteration: Vec<u32>,
}

impl<'a> Phases<'a> {
    /// None, if they are short.
    fn find(
        tasks: &'a Tasks<'a>,
        flow: &'a Flow,
        iterations: &'a Iterations,
        list: &'a [u32],
    ) -> Option<Self> {
        let iteration = (0..iterations.len())
            .flat_map(|i| iterations.tasks(i).map(move |_| i as u32))
            .collect();
        let mut phases = Self {
            tasks,
            flow,
            iterations,
            list,
            begins: vec![0],
            iteration,
        };
        let mut begin = 0;
        for iteration in 0..iterations.len() {
            if phases
                .producers(iteration)
                .any(|producer| producer >= begin)
            {
                begin = iteration;
                phases.begins.push(begin);
                // A list may have as many phases as tasks.
                if begin < FEW * (phases.begins.len() - 1) / 2 {
                    return None;
                }
            }
        }
        phases.begins.push(iterations.len());
        (iterations.len() >= FEW * phases.len()).then_some(phases)
    }

    fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The other iterations whose values one reads.
    fn producers(&self, iteration: usize) -> impl Iterator<Item = usize> {
        let producers = self
            .iterations
            .tasks(iteration)
            .flat_map(|place| self.tasks.producers(self.list[place]));
        let places = producers.filter_map(|producer| self.flow.place_of(producer));
        places
            .map(|place| self.iteration[place] as usize)
            .filter(move |&producer| producer != iteration)
    }

    /// The tasks of phase `first` and of so many more behind it, by group of connected iterations; none, if there are not so many phases or if they
    /// are not loops of which few iterations are connected. A phase by itself is as it is.
    fn fused(&self, first: usize, more: usize) -> Option<Vec<u32>> {
        let range = self.begins[first]..*self.begins.get(first + more + 1)?;
        if more == 0 {
            let places =
                self.iterations.tasks(range.start).start..self.iterations.tasks(range.end - 1).end;
            return Some(self.list[places].to_vec());
        }
        let groups = self.groups(range.clone())?;
        Some(self.iterations.sorted(self.list, range, &groups))
    }

    /// The group of each iteration, numbered as they appear.
    fn groups(&self, range: Range<usize>) -> Option<Vec<u32>> {
        let mut connected = UnionFind::<u32>::new(range.len());
        let mut statements: Vec<usize> = range
            .clone()
            .map(|iteration| self.iterations.tasks(iteration).len())
            .collect();
        for iteration in range.clone() {
            if self.iterations.is_loose(iteration) {
                return None;
            }
            let own = (iteration - range.start) as u32;
            for producer in self
                .producers(iteration)
                .filter(|producer| range.contains(producer))
            {
                let (a, b) = (
                    connected.find_mut(own),
                    connected.find_mut((producer - range.start) as u32),
                );
                if a != b {
                    let all = statements[a as usize] + statements[b as usize];
                    if all > MOST_STATEMENTS {
                        return None;
                    }
                    connected.union(a, b);
                    statements[connected.find_mut(a) as usize] = all;
                }
            }
        }
        let mut numbers = vec![u32::MAX; range.len()];
        let mut groups = 0;
        let group = |own: usize| {
            let number = &mut numbers[connected.find(own as u32) as usize];
            if *number == u32::MAX {
                *number = groups;
                groups += 1;
            }
            *number
        };
        Some((0..range.len()).map(group).collect())
    }
}
