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

    /// The tasks, which are in trace order, by depth and statement, and within these as promises the longest runs.
    ///
    /// Cost: a sort for each operand of the statements.
    pub(crate) fn sort(&mut self, tasks: &[u32]) -> Vec<u32> {
        self.find_depths(tasks);
        let statements = self.trace.kernel().statements.len() as u16;
        let mut sorted = Vec::with_capacity(tasks.len());
        let mut groups = Vec::new();
        for statement in 0..statements {
            let own = |task: &&u32| self.trace.statements()[**task as usize] == statement;
            let mut own: Vec<u32> = tasks.iter().filter(own).copied().collect();
            let key = self.best_key(statement, &mut own);
            self.arrange(&mut own, key);
            groups.extend(
                own.chunk_by(|a, b| self.depth(*a) == self.depth(*b))
                    .map(<[u32]>::to_vec),
            );
        }
        // A stable sort: groups of one depth stay in the order of statements.
        groups.sort_by_key(|group| self.depth(group[0]));
        groups
            .iter()
            .for_each(|group| sorted.extend_from_slice(group));
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
            self.arrange(tasks, key);
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

    fn arrange(&self, tasks: &mut [u32], key: Key) {
        match key {
            None => tasks.sort_unstable_by_key(|&task| (self.depth(task), task)),
            Some(operand) => {
                tasks.sort_by_cached_key(|&task| (self.depth(task), self.word(task, operand), task))
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
