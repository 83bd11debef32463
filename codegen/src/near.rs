//! Loose iterations in the order of the cache lines that they touch.
//!
//! What folds into no loop (a permutation) stands in a table, in trace order: bit reversal goes through the first half of its words one by one and
//! through the others at great distances, and comes back to a line of these when a core's first cache has long lost it. Iterations that share
//! lines stand together instead: those that a chain of common lines connects are one group, and each line comes in once. Where all are
//! connected, as the rows of most sparse matrices are, nothing is gained and nothing is done.

use petgraph::unionfind::UnionFind;
use superstep_runtime::plan::{Body, Code};

use crate::flow::Flow;
use crate::iterations::Iterations;
use crate::prediction::{LINE, size};
use crate::tasks::Tasks;

/// Fewest iterations that are worth it.
const MANY: usize = 64;

/// Most lines of a group: half of what a first cache of 32 KiB holds.
const LINES: u32 = 256;

/// The tasks of a list, its loose iterations in groups that share cache lines; none, if that is no other order or breaks a flow dependence.
///
/// `code` is what the list folds into, of which the `bodies` know nothing. Cost: two walks over the operands of loose iterations and a sort, and
/// eight bytes for each line of the arrays.
pub(crate) fn near(
    tasks: &Tasks<'_>,
    flow: &mut Flow,
    bodies: &[Body],
    code: &Code,
    list: &[u32],
) -> Option<Vec<u32>> {
    let iterations = Iterations::new(bodies, code);
    let mut sorted = Vec::new();
    for range in iterations.loose().filter(|range| range.len() >= MANY) {
        let begin = iterations.tasks(range.start).start;
        let end = iterations.tasks(range.end - 1).end;
        let Some(groups) = Lines::new(tasks).groups(&iterations, list, range.clone()) else {
            continue;
        };
        sorted.extend_from_slice(&list[sorted.len()..begin]);
        sorted.extend(iterations.sorted(list, range, &groups));
        debug_assert_eq!(sorted.len(), end);
    }
    sorted.extend_from_slice(&list[sorted.len()..]);
    (sorted != list && flow.is_respected(tasks, &sorted)).then_some(sorted)
}

/// The cache lines of all arrays, all arrays taken to begin with one.
struct Lines<'a> {
    tasks: &'a Tasks<'a>,
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// Number of each array's first line; `None` for what is all in one line.
    first: Vec<Option<u32>>,
    all: usize,
}

impl<'a> Lines<'a> {
    fn new(tasks: &'a Tasks<'a>) -> Self {
        let arrays = &tasks.trace().kernel().arrays;
        let sizes: Vec<usize> = arrays.iter().map(|array| size(&array.element)).collect();
        let mut all = 0;
        let first = |(extent, size): (u32, &usize)| {
            let (first, lines) = (all, (extent as usize * size).div_ceil(LINE));
            all += lines;
            (lines > 1).then_some(first as u32)
        };
        let first = tasks.layout().extents().zip(&sizes).map(first).collect();
        Self {
            tasks,
            sizes,
            first,
            all,
        }
    }

    fn line(&self, array: u16, slot: u32) -> Option<u32> {
        let line = slot as usize * self.sizes[usize::from(array)] / LINE;
        Some(self.first[usize::from(array)]? + line as u32)
    }

    /// The lines of a task's words.
    fn of(&self, task: u32) -> impl Iterator<Item = u32> {
        let statement = self
            .tasks
            .trace()
            .kernel()
            .statement(self.tasks.statement(task));
        let written = self.line(statement.target, self.tasks.home_of(task));
        let reads = self.tasks.reads(task).iter().zip(self.tasks.operands(task));
        let read = reads
            .filter_map(move |(&array, &value)| self.line(array, self.tasks.home(array, value)));
        written.into_iter().chain(read)
    }

    /// The group of each iteration, numbered as they appear; none, if there is only one, or one with too many lines.
    fn groups(
        &self,
        iterations: &Iterations,
        list: &[u32],
        range: std::ops::Range<usize>,
    ) -> Option<Vec<u32>> {
        let lines = |iteration: usize| {
            iterations
                .tasks(iteration)
                .flat_map(|place| self.of(list[place]))
        };
        let mut connected = UnionFind::<u32>::new(self.all);
        let mut counts = vec![1_u32; self.all];
        for iteration in range.clone() {
            let mut lines = lines(iteration);
            let Some(mut first) = lines.next().map(|line| connected.find_mut(line)) else {
                continue;
            };
            for line in lines {
                let other = connected.find_mut(line);
                if first != other {
                    let count = counts[first as usize] + counts[other as usize];
                    if count > LINES {
                        return None;
                    }
                    connected.union(first, other);
                    first = connected.find_mut(first);
                    counts[first as usize] = count;
                }
            }
        }
        let mut numbers = vec![u32::MAX; self.all];
        let mut groups = 0;
        let group = |iteration: usize| {
            let Some(line) = lines(iteration).next() else {
                return 0;
            };
            let number = &mut numbers[connected.find(line) as usize];
            if *number == u32::MAX {
                *number = groups;
                groups += 1;
            }
            *number
        };
        Some(range.map(group).collect())
    }
}
