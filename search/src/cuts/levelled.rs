//! Graph in the order of its levels.

use superstep_dag::{Dag, depths, levels};
use superstep_order::Rows;

use super::positions::positions;

/// Anchor from which the levels of tasks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Outputs: levels by the longest path to an output, every task as late as can be.
    Outputs,
    /// Inputs: levels by the longest path from an input, every task as early as can be.
    Inputs,
}

/// Returns the level of each task, those that are computed last having level 0.
fn levels_of(graph: &Dag, anchor: Anchor) -> Vec<u32> {
    match anchor {
        Anchor::Outputs => levels(graph).into_iter().map(|level| level - 1).collect(),
        Anchor::Inputs => {
            let depths = depths(graph);
            let deepest = depths.iter().copied().max().unwrap_or(0);
            depths.into_iter().map(|depth| deepest - depth).collect()
        }
    }
}

/// Tasks of a graph by *rank*: level by level from the outputs on, in a level by position. A task
/// has a higher rank than its successors.
///
/// 12 bytes per task and 4 per edge.
pub(super) struct Levelled<'a> {
    pub(super) graph: &'a Dag,
    positions: Option<Vec<u32>>,
    /// Tasks of each level, by rank.
    tasks: Rows<u32>,
    /// Rank of each task.
    ranks: Vec<u32>,
    /// Ranks of the successors of each rank, descending: those of the levels from any on come
    /// first.
    successors: Rows<u32>,
}

impl<'a> Levelled<'a> {
    pub(super) fn new(graph: &'a Dag, end: Anchor) -> Self {
        let level_of = levels_of(graph, end);
        let levels = level_of.iter().map(|&level| level + 1).max().unwrap_or(0);
        let of_tasks = level_of.iter().map(|&level| level as usize).zip(0..);
        let mut tasks = Rows::sorted(levels as usize, of_tasks);
        drop(level_of);
        let positions = positions(graph);
        if let Some(positions) = &positions {
            for level in 0..tasks.len() {
                let level = tasks.range(level);
                tasks.items[level].sort_unstable_by_key(|&task| positions[task as usize]);
            }
        }
        let mut ranks = vec![0; graph.tasks()];
        for (&task, rank) in tasks.items.iter().zip(0..) {
            ranks[task as usize] = rank;
        }
        let by_rank = (0..graph.tasks() as u32).zip(&tasks.items).rev();
        let ranks_of = &ranks;
        let readings = by_rank.flat_map(|(rank, &task)| {
            let values = graph.predecessors(task).iter();
            values.map(move |&value| (ranks_of[value as usize] as usize, rank))
        });
        let successors = Rows::sorted(graph.tasks(), readings);
        Self {
            graph,
            positions,
            tasks,
            ranks,
            successors,
        }
    }

    pub(super) fn tasks(&self) -> usize {
        self.ranks.len()
    }

    pub(super) fn levels(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the first rank of a level.
    pub(super) fn start(&self, level: usize) -> u32 {
        self.tasks.offsets[level]
    }

    /// Returns the ranks of the successors, descending.
    pub(super) fn successors(&self, rank: u32) -> &[u32] {
        self.successors.row(rank as usize)
    }

    /// Returns the number of edges from the tasks of these ranks.
    pub(super) fn edges(&self, ranks: std::ops::Range<u32>) -> u64 {
        let offsets = &self.successors.offsets;
        u64::from(offsets[ranks.end as usize] - offsets[ranks.start as usize])
    }

    /// Returns the ranks of the predecessors.
    pub(super) fn predecessors(&self, rank: u32) -> impl Iterator<Item = u32> {
        let predecessors = self.graph.predecessors(self.task(rank));
        predecessors.iter().map(|&task| self.ranks[task as usize])
    }

    pub(super) fn task(&self, rank: u32) -> u32 {
        self.tasks.items[rank as usize]
    }

    /// Returns the rank of a task.
    pub(super) fn rank(&self, task: u32) -> u32 {
        self.ranks[task as usize]
    }

    pub(super) fn weight(&self, rank: u32) -> u64 {
        u64::from(self.graph.weight(self.task(rank)))
    }

    pub(super) fn words(&self, rank: u32) -> u64 {
        u64::from(self.graph.words(self.task(rank)))
    }

    /// Returns the position of the task of a rank: tasks of near positions share inputs, or lie
    /// beside each other in memory.
    pub(super) fn position(&self, rank: u32) -> u32 {
        let task = self.task(rank);
        self.positions
            .as_ref()
            .map_or(task, |positions| positions[task as usize])
    }
}
