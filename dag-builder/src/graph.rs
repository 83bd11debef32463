//! The task graph: two CSR structures of `u32`, no object per task.

/// A directed acyclic graph of tasks. An edge `u -> v` says that `v` reads the value that `u` computes.
///
/// Memory: 8 bytes per edge and 8 per task, plus 4 per task for weights or words where they differ from 1.
///
/// Invariants: adjacency lists ascending and without duplicates; predecessors and successors mirror each other; acyclic;
/// fewer than 2^31 tasks and fewer than 2^32 edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskGraph {
    pub(crate) pred_offsets: Vec<u32>,
    pub(crate) preds: Vec<u32>,
    pub(crate) succ_offsets: Vec<u32>,
    pub(crate) succs: Vec<u32>,
    /// Work of each task; `None`: 1 each.
    pub(crate) weights: Option<Vec<u32>>,
    /// Words of each task's value; `None`: 1 each.
    pub(crate) words: Option<Vec<u32>>,
    /// A topological order; `None`: ascending ids are one (always so for traces).
    pub(crate) order: Option<Vec<u32>>,
}

impl TaskGraph {
    /// Number of tasks.
    pub fn tasks(&self) -> usize {
        self.pred_offsets.len().saturating_sub(1)
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.preds.len()
    }

    /// Tasks whose values `task` reads, ascending.
    pub fn predecessors(&self, task: u32) -> &[u32] {
        let t = task as usize;
        &self.preds[self.pred_offsets[t] as usize..self.pred_offsets[t + 1] as usize]
    }

    /// Tasks that read the value of `task`, ascending.
    pub fn successors(&self, task: u32) -> &[u32] {
        let t = task as usize;
        &self.succs[self.succ_offsets[t] as usize..self.succ_offsets[t + 1] as usize]
    }

    /// Work of `task`.
    pub fn weight(&self, task: u32) -> u32 {
        self.weights.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Words that sending the value of `task` takes.
    pub fn words(&self, task: u32) -> u32 {
        self.words.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Sum of the weights.
    pub fn total_work(&self) -> u64 {
        match &self.weights {
            Some(weights) => weights.iter().map(|&w| u64::from(w)).sum(),
            None => self.tasks() as u64,
        }
    }

    /// Whether ascending ids are a topological order.
    pub fn ids_are_topological(&self) -> bool {
        self.order.is_none()
    }
}
