//! The schedule: which processor runs which tasks in which superstep.

use serde::{Deserialize, Serialize};

/// Supersteps x processors x tasks; a task may stand in several places (copies).
///
/// Compact: 4 bytes per task instance and 4 per (superstep, processor). Supersteps are in order of execution. The tasks of one
/// (superstep, processor) are in an order in which they can run: each after those of its predecessors that stand in the same list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    pub(crate) processors: u32,
    /// `supersteps * processors + 1` offsets into `tasks`, superstep-major.
    pub(crate) offsets: Vec<u32>,
    pub(crate) tasks: Vec<u32>,
}

impl Schedule {
    /// An empty schedule, to which [`push`](Self::push) adds lists in superstep-major order.
    pub fn new(processors: u32) -> Self {
        Self { processors, offsets: vec![0], tasks: Vec::new() }
    }

    /// Adds the list of the next (superstep, processor); a superstep is complete after `processors` calls.
    pub fn push(&mut self, tasks: impl IntoIterator<Item = u32>) {
        self.tasks.extend(tasks);
        self.offsets.push(self.tasks.len() as u32);
    }

    /// Number of processors, idle ones included.
    pub fn processors(&self) -> usize {
        self.processors as usize
    }

    /// Number of supersteps.
    pub fn supersteps(&self) -> usize {
        (self.offsets.len() - 1) / self.processors as usize
    }

    /// Number of task instances, copies included.
    pub fn instances(&self) -> usize {
        self.tasks.len()
    }

    /// What `processor` runs in `superstep`.
    pub fn tasks(&self, superstep: usize, processor: usize) -> &[u32] {
        let at = superstep * self.processors as usize + processor;
        &self.tasks[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}
