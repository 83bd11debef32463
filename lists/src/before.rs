//! What comes before what.

use superstep_order::Rows;

/// Says what must come before what, of tasks by their numbers: all that an algorithm may ask.
#[derive(Clone, Copy, Debug)]
pub struct Before<'g> {
    /// What each task comes after: each once, in any order.
    pub predecessors: &'g Rows<u32>,
    /// What comes after each task: [`predecessors`](Self::predecessors), turned.
    pub successors: &'g Rows<u32>,
    /// Work of each task; none: 1 each.
    pub work: Option<&'g [u32]>,
    /// Tasks in an order in which one processor could run them; none: by ascending numbers.
    pub topological: Option<&'g [u32]>,
}

impl Before<'_> {
    /// Returns the number of tasks.
    pub fn tasks(&self) -> usize {
        self.predecessors.len()
    }

    /// Returns the work of a task.
    #[inline]
    pub fn work_of(&self, task: u32) -> u64 {
        self.work.map_or(1, |work| u64::from(work[task as usize]))
    }

    /// Returns the work of all tasks.
    pub fn all_work(&self) -> u64 {
        match self.work {
            Some(work) => work.iter().map(|&work| u64::from(work)).sum(),
            None => self.tasks() as u64,
        }
    }

    /// Returns the levels of all tasks: the number of tasks on a longest path from each to an end,
    /// both included. Linear in tasks and successors.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels = vec![0; self.tasks()];
        let mut level = |task: u32| {
            let after = self.successors.row(task as usize).iter();
            let below = after.map(|&next| levels[next as usize]).max();
            levels[task as usize] = 1 + below.unwrap_or(0);
        };
        match self.topological {
            Some(order) => order.iter().rev().for_each(|&task| level(task)),
            None => (0..self.tasks() as u32).rev().for_each(level),
        }
        levels
    }
}
