//! The order of the tasks of one processor in one superstep.
//!
//! Trace order is always right, and folds into the kernel's own loops where a processor has whole rows of them. Where a schedule has
//! scattered the tasks (single columns of a matrix, a thin diagonal of a grid), runs in trace order are short. Then tasks can be sorted
//! *by depth*: first those that wait for no other task of the list, then those that wait only for them, and so on. That respects flow, and
//! brings the tasks of one statement together that were one loop over the scattered rows or diagonals. Among the tasks of one depth and
//! statement the order is free: by the word of one of their operands, so that, say, a column of a matrix is updated in one run.
//!
//! Storage is found after the order, so anti and output dependences do not restrict it; they may cost overflow slots.

use superstep_tracer::{INPUT, Trace};

/// Which of the components of a statement's tasks they are sorted by; `None`: in trace order.
type Key = Option<usize>;

/// Words in a block: no more than the statements of a body.
const BLOCK: usize = 8;

/// Sorts lists by depth.
pub(crate) struct ByDepth<'a> {
    trace: &'a Trace,
    /// Per task: its depth, if it is in the current list, else 0.
    depths: Vec<u32>,
}

impl<'a> ByDepth<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        Self {
            trace,
            depths: vec![0; trace.tasks()],
        }
    }

    /// Some orders of the tasks, which are in trace order: by depth and statement, and within these as promises long runs over single
    /// words, or over blocks of neighbouring words.
    ///
    /// Cost: a sort for each operand of the statements.
    pub(crate) fn sort(&mut self, tasks: &[u32]) -> [Vec<u32>; 2] {
        self.find_depths(tasks);
        let statements = 0..self.trace.kernel().statements.len() as u16;
        let own = |statement: u16| {
            let own = |task: &u32| self.trace.statements()[*task as usize] == statement;
            tasks.iter().copied().filter(own).collect::<Vec<u32>>()
        };
        let mut lists: Vec<(Vec<u32>, Key)> = statements.map(|s| (own(s), None)).collect();
        for (statement, (list, key)) in (0..).zip(&mut lists) {
            *key = self.best_key(statement, list);
        }
        let sorted = [1, BLOCK].map(|block| {
            lists
                .iter_mut()
                .for_each(|(list, key)| self.arrange(list, *key, block));
            let mut groups: Vec<&[u32]> = lists
                .iter()
                .flat_map(|(list, _)| list.chunk_by(|a, b| self.depth(*a) == self.depth(*b)))
                .collect();
            // A stable sort: groups of one depth stay in the order of statements.
            groups.sort_by_key(|group| self.depth(group[0]));
            groups.concat()
        });
        tasks
            .iter()
            .for_each(|&task| self.depths[task as usize] = 0);
        sorted
    }

    fn depth(&self, task: u32) -> u32 {
        self.depths[task as usize]
    }

    fn find_depths(&mut self, tasks: &[u32]) {
        for &task in tasks {
            let before = self
                .trace
                .task(task)
                .producers()
                .map(|p| self.depths[p as usize])
                .max();
            self.depths[task as usize] = 1 + before.unwrap_or(0);
        }
    }

    /// The key that gives the fewest runs.
    fn best_key(&self, statement: u16, tasks: &mut [u32]) -> Key {
        let operands = self.trace.kernel().statement(statement).operands.len();
        let keys = std::iter::once(None).chain((0..operands).map(Some));
        let count = |key| {
            self.arrange(tasks, key, 1);
            self.runs(tasks)
        };
        // The first of several best ones.
        keys.map(count)
            .collect::<Vec<_>>()
            .iter()
            .enumerate()
            .min_by_key(|(_, runs)| **runs)
            .and_then(|(at, _)| at.checked_sub(1))
    }

    /// Sorts tasks of one statement by depth, then by the key in blocks of that many different words, then in trace order.
    fn arrange(&self, tasks: &mut [u32], key: Key, block: usize) {
        let Some(operand) = key else {
            tasks.sort_unstable_by_key(|&task| (self.depth(task), task));
            return;
        };
        tasks.sort_by_cached_key(|&task| (self.depth(task), self.word(task, operand), task));
        if block > 1 {
            for group in tasks.chunk_by_mut(|a, b| self.depth(*a) == self.depth(*b)) {
                let mut words: Vec<u32> =
                    group.iter().map(|&task| self.word(task, operand)).collect();
                words.dedup();
                group.sort_by_cached_key(|&task| {
                    (
                        words.partition_point(|word| *word < self.word(task, operand)) / block,
                        task,
                    )
                });
            }
        }
    }

    /// Index of the word that a task reads as that operand.
    fn word(&self, task: u32, operand: usize) -> u32 {
        let value = self.trace.task(task).operands[operand];
        if value & INPUT == 0 {
            self.trace.writes()[value as usize]
        } else {
            value & !INPUT
        }
    }

    /// In how many runs with constant steps the tasks of one statement fall, all words at their home slots.
    fn runs(&self, tasks: &[u32]) -> usize {
        let mut runs = 0;
        let mut last: Vec<i64> = Vec::new();
        let mut steps: Option<Vec<i64>> = None;
        let mut depth = 0;
        for &task in tasks {
            let row: Vec<i64> = std::iter::once(self.trace.writes()[task as usize])
                .chain((0..self.trace.task(task).operands.len()).map(|o| self.word(task, o)))
                .map(i64::from)
                .collect();
            let new: Vec<i64> = row.iter().zip(&last).map(|(b, a)| b - a).collect();
            let same_depth = runs > 0 && self.depth(task) == depth;
            if same_depth && steps.is_none() {
                steps = Some(new);
            } else if !same_depth || steps.as_ref() != Some(&new) {
                runs += 1;
                steps = None;
            }
            depth = self.depth(task);
            last = row;
        }
        runs
    }
}
