//! Loose iterations in the order of the cache lines that they touch.
//!
//! Loose iterations are runs by themselves. Those that fold into no loop (a permutation) stand in a
//! table, in trace order. Bit reversal, for one, goes through the first half of its words one by
//! one and through the others at great distances. It comes back to a cache line of these when L1
//! has long lost it.
//!
//! So iterations that share cache lines stand together instead. Those that a chain of common cache
//! lines connects are one group, and each cache line comes in once. Where all are connected, as the
//! rows of most sparse matrices are, nothing is gained and nothing is done.

use std::ops::Range;

use superstep_machine::Core;
use superstep_plan::{Body, Code};

use crate::place::tasks::Tasks;
use crate::predict::cache_lines::CacheLines;
use crate::reorder::flow::Flow;
use crate::reorder::groups::Groups;
use crate::reorder::iterations::Iterations;

/// Fewest iterations that are worth it.
const MANY: usize = 64;

/// Returns the tasks of a list, its loose iterations in groups that share cache lines. There are
/// none if that is no other order, or breaks a flow dependence.
///
/// `code` is what the list folds into, of which the `bodies` know nothing. Cost: two sorts for the
/// operands of loose iterations.
pub(crate) fn near(
    tasks: &Tasks<'_>,
    flow: &mut Flow,
    bodies: &[Body],
    code: &Code,
    list: &[u32],
    core: &Core,
) -> Option<Vec<u32>> {
    let iterations = Iterations::new(bodies, code);
    let touched = TouchedLines::new(tasks, core);
    let mut sorted = Vec::new();
    for range in iterations.loose().filter(|range| range.len() >= MANY) {
        let begin = iterations.tasks(range.start).start;
        let end = iterations.tasks(range.end - 1).end;
        let Some(groups) = touched.groups(&iterations, list, range.clone()) else {
            continue;
        };
        sorted.extend_from_slice(&list[sorted.len()..begin]);
        sorted.extend(iterations.sorted(list, range, &groups));
        debug_assert_eq!(sorted.len(), end);
    }
    sorted.extend_from_slice(&list[sorted.len()..]);
    (sorted != list && flow.is_respected(tasks, &sorted)).then_some(sorted)
}

/// The cache lines of all arrays, as tasks touch them.
struct TouchedLines<'a> {
    tasks: &'a Tasks<'a>,
    cache_lines: CacheLines,
    /// Most cache lines of a group: half of what L1 holds.
    most: u32,
}

impl<'a> TouchedLines<'a> {
    fn new(tasks: &'a Tasks<'a>, core: &Core) -> Self {
        let kernel = tasks.trace().kernel();
        Self {
            tasks,
            cache_lines: CacheLines::new(kernel, tasks.layout().extents(), core),
            most: (core.sets * core.ways / 2) as u32,
        }
    }

    /// Returns the cache line of a word; none, if it is all that its array has.
    fn line(&self, array: u16, slot: u32) -> Option<u32> {
        let (array, slot) = (usize::from(array), slot as usize);
        (self.cache_lines.array(array).len() > 1).then(|| self.cache_lines.line(array, slot) as u32)
    }

    /// Iterates over the cache lines of a task's words.
    fn of(&self, task: u32) -> impl Iterator<Item = u32> {
        let words = self.tasks.words(task);
        words.filter_map(|(array, slot)| self.line(array, slot))
    }

    /// Returns the group of each iteration of a range; none, if one has too many cache lines.
    fn groups(
        &self,
        iterations: &Iterations,
        list: &[u32],
        range: Range<usize>,
    ) -> Option<Vec<u32>> {
        let lines = |iteration: usize| {
            let tasks = iterations.tasks(iteration).map(|position| list[position]);
            tasks.flat_map(|task| self.of(task))
        };
        let mut all: Vec<u32> = range.clone().flat_map(lines).collect();
        all.sort_unstable();
        all.dedup();
        let number = |line: u32| all.partition_point(|&other| other < line) as u32;
        let mut groups = Groups::new(vec![1; all.len()], self.most);
        let mut firsts = Vec::with_capacity(range.len());
        for iteration in range {
            let mut lines = lines(iteration).map(number);
            // An iteration that touches no cache lines but common ones, as all the others do then,
            // is of the first group.
            let first = lines.next().unwrap_or(0);
            firsts.push(first);
            for line in lines {
                groups.connect(first, line)?;
            }
        }
        (!all.is_empty()).then(|| groups.numbers(firsts.into_iter()))
    }
}
