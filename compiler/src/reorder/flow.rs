//! Flow dependences that an order of tasks has to respect.

use crate::place::tasks::Tasks;

/// Test of whether lists respect flow: 4 bytes per task of the trace.
pub(crate) struct Flow {
    /// Position of each task in the current list and one more, else 0.
    places: Vec<u32>,
}

impl Flow {
    /// Prepares for the lists of a trace of so many tasks.
    pub(crate) fn new(tasks: usize) -> Self {
        Self {
            places: vec![0; tasks],
        }
    }

    /// Makes `list` the current one, until it is [forgotten](Self::forget).
    pub(crate) fn place(&mut self, list: &[u32]) {
        for (place, &task) in (1..).zip(list) {
            self.places[task as usize] = place;
        }
    }

    /// Returns the position of a task in the current list, if it is there.
    pub(crate) fn place_of(&self, task: u32) -> Option<usize> {
        (self.places[task as usize] as usize).checked_sub(1)
    }

    pub(crate) fn forget(&mut self, list: &[u32]) {
        list.iter().for_each(|&task| self.places[task as usize] = 0);
    }

    /// Returns whether every task of the list comes after those of the list whose values it reads.
    pub(crate) fn is_respected(&mut self, tasks: &Tasks<'_>, list: &[u32]) -> bool {
        self.place(list);
        let respected = list.iter().all(|&task| {
            let own = self.places[task as usize];
            tasks
                .producers(task)
                .all(|producer| self.places[producer as usize] < own)
        });
        self.forget(list);
        respected
    }
}
