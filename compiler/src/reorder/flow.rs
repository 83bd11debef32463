//! Flow dependences that an order of tasks has to respect.

use crate::place::tasks::Tasks;

/// Test of whether lists respect flow: 4 bytes per task of the trace.
pub(crate) struct Flow {
    /// Position of each task in the current list and one more, else 0.
    positions: Vec<u32>,
}

impl Flow {
    /// Prepares for the lists of a trace of so many tasks.
    pub(crate) fn new(tasks: usize) -> Self {
        Self {
            positions: vec![0; tasks],
        }
    }

    /// Makes `list` the current one, until it is [forgotten](Self::forget).
    pub(crate) fn place(&mut self, list: &[u32]) {
        for (position, &task) in (1..).zip(list) {
            self.positions[task as usize] = position;
        }
    }

    /// Returns the position of a task in the current list, if it is there.
    pub(crate) fn position_of(&self, task: u32) -> Option<usize> {
        (self.positions[task as usize] as usize).checked_sub(1)
    }

    pub(crate) fn forget(&mut self, list: &[u32]) {
        list.iter()
            .for_each(|&task| self.positions[task as usize] = 0);
    }

    /// Returns whether every task of the list comes after those of the list whose values it reads.
    pub(crate) fn is_respected(&mut self, tasks: &Tasks<'_>, list: &[u32]) -> bool {
        self.place(list);
        let respected = list.iter().all(|&task| {
            let own = self.positions[task as usize];
            tasks
                .producers(task)
                .all(|producer| self.positions[producer as usize] < own)
        });
        self.forget(list);
        respected
    }
}
