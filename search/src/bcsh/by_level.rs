//! Tasks of a graph, level by level.

use superstep_dag::{Dag, levels};
use superstep_order::Rows;

/// Tasks of each level: of each longest distance to an output, outputs being level 1.
///
/// 8 bytes per task.
pub(super) struct ByLevel {
    /// Level of each task.
    pub(super) levels: Vec<u32>,
    /// Tasks of each level; level 0 is empty.
    tasks: Rows<u32>,
}

impl ByLevel {
    /// Sorts the tasks of a graph by level.
    pub(super) fn new(graph: &Dag) -> Self {
        let levels = levels(graph);
        let deepest = levels.iter().copied().max().unwrap_or(0);
        let of_tasks = levels.iter().map(|&level| level as usize).zip(0..);
        let tasks = Rows::sorted(deepest as usize + 1, of_tasks);
        Self { levels, tasks }
    }

    /// Returns the highest level, 0 for a graph without tasks.
    pub(super) fn deepest(&self) -> usize {
        self.tasks.len() - 1
    }

    /// Returns the tasks of `level`, by ascending id; none of them depends on another.
    pub(super) fn tasks(&self, level: usize) -> &[u32] {
        self.tasks.row(level)
    }

    /// Returns the tasks of these levels, level by level.
    pub(super) fn tasks_of(&self, levels: std::ops::RangeInclusive<usize>) -> &[u32] {
        let (first, last) = (
            self.tasks.range(*levels.start()),
            self.tasks.range(*levels.end()),
        );
        &self.tasks.items[first.start..last.end]
    }
}
