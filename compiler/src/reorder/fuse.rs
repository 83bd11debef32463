//! Loop fusion: consecutive phases of a list, a few iterations of each at a time.
//!
//! A transform goes through all its words in every stage. A *phase* is a part of a list whose
//! iterations need nothing of each other: a stage. What two or three phases do to a few words often
//! needs no others: two stages of butterflies connect four words, three eight. Such a group of
//! iterations becomes one iteration of a longer body, which loads and stores each word once. Where
//! the iterations of two phases are all connected, as those of stencil sweeps are, they stay as
//! they are.

use std::borrow::Cow;
use std::ops::Range;

use superstep_plan::{Body, Code};

use crate::fold::shapes::MOST_STATEMENTS;
use crate::place::tasks::Tasks;
use crate::reorder::flow::Flow;
use crate::reorder::groups::Groups;
use crate::reorder::iterations::Iterations;

/// Most phases that become one.
const PHASES: usize = 3;

/// Fewest iterations of a phase, on the average.
const FEW: usize = 64;

/// Iterations that short phases may take, at the begin of a list too.
const SLACK: usize = 1 << 12;

/// Returns the tasks of a list, some of its phases fused as is cheapest by `cost`, which tells it
/// for a part of a list. There are none if none can be fused, or if that breaks a flow dependence.
///
/// `code` is what the list folds into, of which the `bodies` know nothing. Cost: some walks over
/// the operands, and the costs of every phase and of every two and three neighbours that can be
/// fused. Memory: 8 bytes per task, and 8 for each of a part.
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
    let sorted = Phases::find(tasks, flow, &iterations, list)
        .filter(Phases::any_fuse)
        .map(|phases| phases.cheapest(&mut cost));
    flow.forget(list);
    sorted.filter(|sorted| sorted != list && flow.is_respected(tasks, sorted))
}

/// The phases of a list, placed in `flow`.
struct Phases<'a> {
    tasks: &'a Tasks<'a>,
    flow: &'a Flow,
    iterations: &'a Iterations,
    list: &'a [u32],
    /// First iteration of each, and the number of all.
    begins: Vec<usize>,
    /// Iteration of each task of the list.
    iteration: Vec<u32>,
}

impl<'a> Phases<'a> {
    /// Finds the phases of a list; none, if they are short.
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
                if begin + SLACK < FEW * (phases.begins.len() - 1) {
                    return None;
                }
            }
        }
        phases.begins.push(iterations.len());
        (iterations.len() >= FEW).then_some(phases)
    }

    fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Iterates over the other iterations whose values one reads.
    fn producers(&self, iteration: usize) -> impl Iterator<Item = usize> {
        let producers = self
            .iterations
            .tasks(iteration)
            .flat_map(|position| self.tasks.producers(self.list[position]));
        let positions = producers.filter_map(|producer| self.flow.position_of(producer));
        positions
            .map(|position| self.iteration[position] as usize)
            .filter(move |&producer| producer != iteration)
    }

    /// Returns whether any two or three phases can be fused.
    fn any_fuse(&self) -> bool {
        (0..self.len()).any(|first| (1..PHASES).any(|more| self.fused(first, more).is_some()))
    }

    /// Returns the tasks of all phases, fused as is cheapest: a shortest path over the phases.
    fn cheapest(&self, cost: &mut impl FnMut(&[u32]) -> f64) -> Vec<u32> {
        // Lowest cost of the phases before each, and how many of them the last part has besides
        // one.
        let mut best = vec![(f64::INFINITY, 0); self.len() + 1];
        best[0].0 = 0.0;
        for first in 0..self.len() {
            for more in 0..PHASES {
                let Some(part) = self.part(first, more) else {
                    continue;
                };
                let all = best[first].0 + cost(&part);
                if all < best[first + more + 1].0 {
                    best[first + more + 1] = (all, more);
                }
            }
        }
        let mut chosen = Vec::new();
        let mut end = self.len();
        while end > 0 {
            let more = best[end].1;
            end -= more + 1;
            chosen.push((end, more));
        }
        let mut sorted = Vec::with_capacity(self.list.len());
        for (first, more) in chosen.into_iter().rev() {
            sorted.extend_from_slice(&self.part(first, more).unwrap_or_default());
        }
        sorted
    }

    /// Returns the tasks of phase `first` and of so many `more` behind it, fused; none, if they
    /// cannot be.
    fn part(&self, first: usize, more: usize) -> Option<Cow<'a, [u32]>> {
        if more > 0 {
            return self.fused(first, more).map(Cow::Owned);
        }
        let begin = self.iterations.tasks(self.begins[first]).start;
        let end = self.iterations.tasks(self.begins[first + 1] - 1).end;
        Some(Cow::Borrowed(&self.list[begin..end]))
    }

    /// Returns the tasks of phase `first` and of so many `more` behind it, by group of connected
    /// iterations. There are none if there are not so many phases, or if they are not loops of
    /// which few iterations are connected.
    fn fused(&self, first: usize, more: usize) -> Option<Vec<u32>> {
        let range = self.begins[first]..*self.begins.get(first + more + 1)?;
        if range
            .clone()
            .any(|iteration| self.iterations.is_loose(iteration))
        {
            return None;
        }
        let groups = self.groups(range.clone())?;
        Some(self.iterations.sorted(self.list, range, &groups))
    }

    /// Returns the group of each iteration.
    fn groups(&self, range: Range<usize>) -> Option<Vec<u32>> {
        let statements = |iteration| self.iterations.tasks(iteration).len() as u32;
        let mut groups = Groups::new(
            range.clone().map(statements).collect(),
            MOST_STATEMENTS as u32,
        );
        for iteration in range.clone() {
            for producer in self
                .producers(iteration)
                .filter(|producer| range.contains(producer))
            {
                groups.connect(
                    (iteration - range.start) as u32,
                    (producer - range.start) as u32,
                )?;
            }
        }
        Some(groups.numbers(0..range.len() as u32))
    }
}
