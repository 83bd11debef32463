//! Whether an order of tasks respects flow.

use crate::tasks::Tasks;

/// Finds out whether lists respect flow: 4 bytes per task of the trace.
pub(crate) struct Flow {
    /// Per task: its place in the current list and one more, else 0.
    places: Vec<u32>,
}

impl Flow {
    /// For the lists of a trace of so many tasks.
    pub(crate) fn new(tasks: usize) -> Self {
        Self {
            places: vec![0; tasks],
        }
    }

    /// Whether every task of the list comes after those of the list whose values it reads.
    pub(crate) fn is_respected(&mut self, tasks: &Tasks<'_>, list: &[u32]) -> bool {
        for (place, &task) in (1..).zip(list) {
            self.places[task as usize] = place;
        }
        let respected = list.iter().all(|&task| {
            let own = self.places[task as usize];
            tasks
                .producers(task)
                .all(|producer| self.places[producer as usize] < own)
        });
        list.iter().for_each(|&task| self.places[task as usize] = 0);
        respected
    }
}
