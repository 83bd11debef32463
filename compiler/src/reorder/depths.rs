//! Order of the tasks of one processor in one superstep.
//!
//! Trace order is always right, and folds into the kernel's own loops where a processor has whole
//! rows of them. Where a schedule has scattered the tasks (single columns of a matrix, a thin
//! diagonal of a grid), runs in trace order are short. Then tasks can be sorted *by depth*: first
//! come those that wait for no other task of the list. Those that wait only for them are next, and
//! so on. That respects flow, and brings the tasks of one statement together that were one loop
//! over the scattered rows or diagonals.
//!
//! Among the tasks of one depth and statement the order is free. They are sorted by the word of one
//! of their operands, so that, say, a column of a matrix is updated in one run.
//!
//! Storage is found after the order, so anti and output dependences do not restrict it; they may
//! cost overflow slots.

use crate::place::tasks::Tasks;

/// Sort key: the component of a statement's tasks by which they are sorted; `None`: in trace order.
type Key = Option<usize>;

/// Words in a block: no more than the statements of a body.
const BLOCK: u32 = 8;

/// Sorter of lists by depth.
pub(crate) struct ByDepth<'a> {
    tasks: &'a Tasks<'a>,
    /// Depth of each task that is in the current list, else 0.
    depths: Vec<u32>,
    /// The key of each statement's tasks.
    keys: Vec<Key>,
}

impl<'a> ByDepth<'a> {
    /// Chooses the keys that give the fewest runs in a sample of lists.
    ///
    /// Cost: a sort of the sample for each operand of the statements.
    pub(crate) fn new(tasks: &'a Tasks<'a>, sample: &[Vec<u32>]) -> Self {
        let statements = tasks.trace().kernel().statements.len();
        let mut sorter = Self {
            tasks,
            depths: vec![0; tasks.trace().tasks()],
            keys: vec![None; statements],
        };
        let operands =
            |statement: usize| tasks.trace().kernel().statements[statement].operands.len();
        let mut runs: Vec<Vec<usize>> = (0..statements).map(|s| vec![0; 1 + operands(s)]).collect();
        for list in sample {
            sorter.find_depths(list);
            for (mut own, runs) in sorter.by_statement(list).into_iter().zip(&mut runs) {
                let keys = std::iter::once(None).chain((0..).map(Some));
                for (runs, key) in runs.iter_mut().zip(keys) {
                    sorter.arrange(&mut own, key, 1);
                    *runs += sorter.runs(&own);
                }
            }
            sorter.forget_depths(list);
        }
        // The first of several best ones.
        let best = |runs: &Vec<usize>| {
            (0..runs.len())
                .min_by_key(|&at| runs[at])
                .and_then(|at| at.checked_sub(1))
        };
        sorter.keys = runs.iter().map(best).collect();
        sorter
    }

    /// Makes some orders of the tasks, which are in trace order. All are by depth and statement;
    /// within these, what promises long runs over single words comes first, or over blocks of
    /// neighbouring words.
    ///
    /// Cost: two sorts.
    pub(crate) fn sort(&mut self, tasks: &[u32]) -> [Vec<u32>; 2] {
        self.find_depths(tasks);
        let mut lists = self.by_statement(tasks);
        let sorted = [1, BLOCK].map(|block| {
            for (list, &key) in lists.iter_mut().zip(&self.keys) {
                self.arrange(list, key, block);
            }
            let mut groups: Vec<&[u32]> = lists
                .iter()
                .flat_map(|list| list.chunk_by(|a, b| self.depth(*a) == self.depth(*b)))
                .collect();
            // A stable sort: groups of one depth stay in the order of statements.
            groups.sort_by_key(|group| self.depth(group[0]));
            groups.concat()
        });
        self.forget_depths(tasks);
        sorted
    }

    /// Returns the tasks of each statement.
    fn by_statement(&self, tasks: &[u32]) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); self.keys.len()];
        for &task in tasks {
            lists[usize::from(self.tasks.statement(task))].push(task);
        }
        lists
    }

    fn depth(&self, task: u32) -> u32 {
        self.depths[task as usize]
    }

    fn find_depths(&mut self, tasks: &[u32]) {
        for &task in tasks {
            let before = self
                .tasks
                .producers(task)
                .map(|p| self.depths[p as usize])
                .max();
            self.depths[task as usize] = 1 + before.unwrap_or(0);
        }
    }

    fn forget_depths(&mut self, tasks: &[u32]) {
        tasks
            .iter()
            .for_each(|&task| self.depths[task as usize] = 0);
    }

    /// Sorts tasks of one statement by depth, then by the key in blocks of that many different
    /// words, then in trace order.
    fn arrange(&self, tasks: &mut [u32], key: Key, block: u32) {
        let word = |task| key.map_or(0, |operand| self.word(task, operand));
        let with_words = |&task: &u32| (self.depth(task), word(task), task);
        let mut sorted: Vec<(u32, u32, u32)> = tasks.iter().map(with_words).collect();
        sorted.sort_unstable();
        if block > 1 {
            for group in sorted.chunk_by_mut(|a, b| a.0 == b.0) {
                let (mut rank, mut last) = (0, group[0].1);
                for (_, word, _) in &mut *group {
                    rank += u32::from(*word != last);
                    last = std::mem::replace(word, rank / block);
                }
                group.sort_unstable();
            }
        }
        tasks
            .iter_mut()
            .zip(sorted)
            .for_each(|(position, (_, _, task))| *position = task);
    }

    /// Returns the index of the word that a task reads as that operand.
    fn word(&self, task: u32, operand: usize) -> u32 {
        let read = self.tasks.reads(task).nth(operand);
        let (array, value) = read.expect("keys are operands of the statement");
        self.tasks.home(array, value)
    }

    /// Counts the runs with constant steps into which the tasks of one statement fall, all words at
    /// their home slots.
    fn runs(&self, tasks: &[u32]) -> usize {
        let (mut row, mut last, mut step, mut next) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut runs, mut length, mut depth) = (0, 0, 0);
        for &task in tasks {
            row.clear();
            row.extend(self.tasks.words(task).map(|(_, home)| i64::from(home)));
            next.clear();
            next.extend(row.iter().zip(&last).map(|(b, a)| b - a));
            if length == 1 && self.depth(task) == depth {
                std::mem::swap(&mut step, &mut next);
                length = 2;
            } else if length < 2 || self.depth(task) != depth || step != next {
                runs += 1;
                length = 1;
            }
            depth = self.depth(task);
            std::mem::swap(&mut row, &mut last);
        }
        runs
    }
}
