//! Tasks of a graph, level by level.

use superstep_dag::{Dag, levels};

/// Tasks of each level: of each longest distance to an output, outputs being level 1.
///
/// 8 bytes per task.
pub(crate) struct ByLevel {
    /// Level of each task.
    pub(crate) levels: Vec<u32>,
    /// Start of each level in `tasks`; level 0 is empty.
    starts: Vec<u32>,
    tasks: Vec<u32>,
}

impl ByLevel {
    /// Sorts the tasks of a graph by level.
    pub(crate) fn new(graph: &Dag) -> Self {
        let levels = levels(graph);
        let deepest = levels.iter().copied().max().unwrap_or(0);
        // Counts stand two places on, so that starts stand one place on, where they turn into ends
        // as the levels fill.
        let mut starts = vec![0; deepest as usize + 3];
        for &level in &levels {
            starts[level as usize + 2] += 1;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut tasks = vec![0; graph.tasks()];
        for (task, &level) in (0..).zip(&levels) {
            let end = &mut starts[level as usize + 1];
            tasks[*end as usize] = task;
            *end += 1;
        }
        starts.pop();
        Self {
            levels,
            starts,
            tasks,
        }
    }

    /// Returns the highest level, 0 for a graph without tasks.
    pub(crate) fn deepest(&self) -> usize {
        self.starts.len() - 2
    }

    /// Returns the tasks of `level`, by ascending id; none of them depends on another.
    pub(crate) fn tasks(&self, level: usize) -> &[u32] {
        self.tasks_of(level..=level)
    }

    /// Returns the tasks of these levels, level by level.
    pub(crate) fn tasks_of(&self, levels: std::ops::RangeInclusive<usize>) -> &[u32] {
        &self.tasks[self.starts[*levels.start()] as usize..self.starts[levels.end() + 1] as usize]
    }
}
