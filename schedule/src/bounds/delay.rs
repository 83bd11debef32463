//! Bounds by a delay between processors, for every schedule.

use superstep_dag::{Dag, earliest_finishes};

/// Entries that all lists of ancestors together may have if every task had one at once.
const MOST_ENTRIES: usize = 1 << 24;

/// Returns for each task a time before which it cannot start, whatever the number of processors:
/// the bound e'. A value is needed `tau` later on another processor.
///
/// Take any tasks that a task depends on, none of which starts before b. Their weights add up to W,
/// and the least is w. Before b + w + tau no value of theirs can have come from another processor,
/// so until then all have run on the task's own. It starts at b + min(W, w + tau) or later. The
/// bound is the best of these, taking the tasks with the latest bounds first.
///
/// It is never below the longest path, nor below the bound E of N. Fujimoto's thesis (theorem
/// 4.2.1), which considers each shorter delay by itself.
/// `superstep_search::tree::bounds::e_strong` is the closed form for complete binary trees.
///
/// Cost: for each edge, as many entries as are kept for a task. These are tau + 1 in graphs with
/// few edges, in larger ones fewer, 2^24 by the edges. Then the bound is weaker, down to the
/// longest path.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_schedule::bounds::earliest_starts;
///
/// // Two tasks before a third that a fourth reads: either both run where it does, or one
/// // arrives late.
/// let graph = Dag::from_edges(4, &[(0, 2), (1, 2), (2, 3)]).unwrap();
/// assert_eq!(earliest_starts(&graph, 1), [0, 0, 2, 3]);
/// ```
pub fn earliest_starts(graph: &Dag, tau: u64) -> Vec<u64> {
    let room = MOST_ENTRIES / graph.edges().max(1);
    let kept = usize::try_from(tau.saturating_add(1))
        .unwrap_or(usize::MAX)
        .min(room)
        .max(1);
    if kept == 1 {
        // One ancestor says no more than the longest path.
        let mut starts = earliest_finishes(graph);
        let with_tasks = (0..).zip(&mut starts);
        with_tasks.for_each(|(task, start)| *start -= u64::from(graph.weight(task)));
        return starts;
    }
    let mut starts = vec![0; graph.tasks()];
    let mut latest = Lists::new(graph.tasks());
    let mut readers: Vec<u32> = vec![0; graph.tasks()];
    let (mut ancestors, mut merged) = (Vec::new(), Vec::new());
    for task in graph.topological() {
        ancestors.clear();
        let mut path = 0;
        for &predecessor in graph.predecessors(task) {
            let p = predecessor as usize;
            path = path.max(starts[p] + u64::from(graph.weight(predecessor)));
            let own = [Ancestor {
                start: starts[p],
                task: predecessor,
            }];
            for later in [&own[..], latest.of(predecessor)] {
                merge(&ancestors, later, kept, &mut merged);
                std::mem::swap(&mut ancestors, &mut merged);
            }
            readers[p] += 1;
            if readers[p] as usize == graph.successors(predecessor).len() {
                latest.end(predecessor);
            }
        }
        starts[task as usize] = bound(graph, &ancestors, tau).max(path);
        if !graph.successors(task).is_empty() {
            latest.begin(task, &ancestors);
        }
    }
    starts
}

/// Latest ancestors of each task that will still be asked for them.
struct Lists {
    /// Number of each task's list.
    numbers: Vec<u32>,
    lists: Vec<Vec<Ancestor>>,
    free: Vec<u32>,
}

impl Lists {
    fn new(tasks: usize) -> Self {
        Self {
            numbers: vec![0; tasks],
            lists: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Returns the list of a task that has begun one.
    fn of(&self, task: u32) -> &[Ancestor] {
        &self.lists[self.numbers[task as usize] as usize]
    }

    fn begin(&mut self, task: u32, ancestors: &[Ancestor]) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            self.lists.len() as u32 - 1
        });
        self.numbers[task as usize] = number;
        let list = &mut self.lists[number as usize];
        list.clear();
        list.extend_from_slice(ancestors);
    }

    /// Ends the list of a task, for which nobody asks any more.
    fn end(&mut self, task: u32) {
        self.free.push(self.numbers[task as usize]);
    }
}

/// Task that another depends on, and its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ancestor {
    start: u64,
    task: u32,
}

impl Ancestor {
    /// Returns whether it comes before another one: the latest first, those of equal bounds by
    /// task.
    #[inline(always)]
    fn is_before(self, other: Self) -> bool {
        self.start > other.start || self.start == other.start && self.task < other.task
    }
}

/// Merges two lists of ancestors, each in order, up to `kept` different ones.
fn merge(a: &[Ancestor], b: &[Ancestor], kept: usize, merged: &mut Vec<Ancestor>) {
    merged.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() && merged.len() < kept {
        let is_first = a[i].is_before(b[j]);
        merged.push(if is_first { a[i] } else { b[j] });
        // Of an ancestor in both lists, both entries go.
        i += usize::from(is_first || a[i] == b[j]);
        j += usize::from(!is_first);
    }
    let rest = if i < a.len() { &a[i..] } else { &b[j..] };
    merged.extend_from_slice(&rest[..rest.len().min(kept - merged.len())]);
}

/// Returns the bound of a task with these ancestors, the latest first.
fn bound(graph: &Dag, ancestors: &[Ancestor], tau: u64) -> u64 {
    let (mut bound, mut together, mut least) = (0, 0, u64::MAX);
    for ancestor in ancestors {
        let weight = u64::from(graph.weight(ancestor.task));
        together += weight;
        least = weight.min(least);
        bound = bound.max(ancestor.start + together.min(least.saturating_add(tau)));
    }
    bound
}

/// Returns a makespan that no schedule beats, on any number of processors, if a value is needed
/// `tau` later on another one: see [`earliest_starts`].
pub fn delay_bound(graph: &Dag, tau: u64) -> u64 {
    let ends = (0u32..).zip(earliest_starts(graph, tau));
    ends.map(|(task, start)| start + u64::from(graph.weight(task)))
        .max()
        .unwrap_or(0)
}
