//! Order in which a word is updated several times while it is in a register.
//!
//! An in-place kernel (elimination, products, sums) updates each word many times. The tasks that
//! write one word are its *chain*, and the position of a task in its chain is its *version*. Trace
//! order often goes once through the whole array for each version; then every update loads and
//! stores its word.
//!
//! So tasks are sorted by a few versions at a time, by word within these, and by version for each
//! word. Then a few updates of one word follow each other. The folded loop over the words keeps
//! each in a register. It is a register-tiled loop nest, which does the same operations on each
//! word in the same order.
//!
//! Words whose values other words read come first among so many versions: in an elimination the
//! panel, in a product nothing. They are sorted by word, too, so that a row of a panel is done at
//! once and comes into the caches once. Where that breaks a flow dependence they are in trace
//! order. The sorted list is only good if it respects flow; that is tested task by task.

use std::ops::Range;

use superstep_order::Rows;

use crate::place::tasks::Tasks;
use crate::reorder::flow::Flow;

/// Numbers of versions at a time that are tried: no more than the statements of a body.
pub(crate) const VERSIONS: [u32; 2] = [4, 8];

/// Sorter of lists by a few versions at a time.
pub(crate) struct ByChain<'a> {
    tasks: &'a Tasks<'a>,
    /// Tasks that wrote the word before, per task.
    versions: Vec<u32>,
    /// Number of the first word of each array, when all are counted through.
    first_word: Vec<u32>,
    words: usize,
}

impl<'a> ByChain<'a> {
    /// Finds the chains of a trace's tasks; none, if words are hardly written twice.
    pub(crate) fn new(tasks: &'a Tasks<'a>) -> Option<Self> {
        let trace = tasks.trace();
        let mut words = 0;
        let first = |extent| {
            let first = words;
            words += extent;
            first
        };
        let first_word: Vec<u32> = tasks.layout().extents().map(first).collect();
        let mut sorter = Self {
            tasks,
            versions: Vec::with_capacity(trace.tasks()),
            first_word,
            words: words as usize,
        };
        let mut written = vec![0; sorter.words];
        let mut chains = 0;
        for task in 0..trace.tasks() as u32 {
            let version = &mut written[sorter.word(task)];
            chains += usize::from(*version == 0);
            sorter.versions.push(*version);
            *version += 1;
        }
        (trace.tasks() >= 4 * chains).then_some(sorter)
    }

    /// Sorts the tasks, which are in trace order, by that many versions at a time; none, if that
    /// breaks a flow dependence.
    ///
    /// Cost: two counting sorts and two or three walks over the operands, some 50 ns per task.
    pub(crate) fn sort(&self, flow: &mut Flow, tasks: &[u32], versions: u32) -> Option<Vec<u32>> {
        let group_of = |task: u32| (self.versions[task as usize] / versions) as usize;
        let groups = tasks.iter().map(|&task| 1 + group_of(task)).max()?;
        let by_word = counting_sort(tasks, self.words, |task| self.word(task));
        let mut sorted = counting_sort(&by_word, groups, group_of);
        let feeds = self.feeds(tasks);
        let mut panels: Vec<Range<usize>> = Vec::new();
        let mut begin = 0;
        for group in sorted.chunk_by_mut(|&a, &b| group_of(a) == group_of(b)) {
            let (mut first, mut rest) = (Vec::new(), Vec::with_capacity(group.len()));
            for word in group.chunk_by(|&a, &b| self.word(a) == self.word(b)) {
                let is_read = word.iter().any(|&task| feeds[task as usize]);
                if is_read { &mut first } else { &mut rest }.extend_from_slice(word);
            }
            group[..first.len()].copy_from_slice(&first);
            group[first.len()..].copy_from_slice(&rest);
            panels.push(begin..begin + first.len());
            begin += group.len();
        }
        if flow.is_respected(self.tasks, &sorted) {
            return Some(sorted);
        }
        for panel in panels {
            sorted[panel].sort_unstable();
        }
        flow.is_respected(self.tasks, &sorted).then_some(sorted)
    }

    /// Returns, per task, whether its value is read for another word, by one of `tasks`.
    fn feeds(&self, tasks: &[u32]) -> Vec<bool> {
        let mut feeds = vec![false; self.versions.len()];
        for &task in tasks {
            let word = self.word(task);
            for producer in self.tasks.producers(task) {
                feeds[producer as usize] |= self.word(producer) != word;
            }
        }
        feeds
    }

    /// Returns the word that a task writes, among those of all arrays.
    fn word(&self, task: u32) -> usize {
        let first = self.first_word[usize::from(self.tasks.target(task))];
        (first + self.tasks.home_of(task)) as usize
    }
}

/// Sorts the tasks by ascending key, those of one key in the order that they have.
fn counting_sort(tasks: &[u32], keys: usize, key: impl Fn(u32) -> usize + Copy) -> Vec<u32> {
    Rows::sorted(keys, tasks.iter().map(|&task| (key(task), task))).items
}
