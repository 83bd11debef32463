//! Precedence among tasks: which must come before which.

use std::{iter::FusedIterator, ops::Range};

use superstep_order::Rows;

/// Precedences among tasks, which are numbers: all that an algorithm may ask.
#[derive(Clone, Copy, Debug)]
pub struct Before<'g> {
    /// Predecessors of each task: each once, in any order.
    pub predecessors: &'g Rows<u32>,
    /// Successors of each task: [`predecessors`](Self::predecessors), turned.
    pub successors: &'g Rows<u32>,
    /// Work of each task; none: 1 each.
    pub work: Option<&'g [u32]>,
    /// Words that sending the value of each task takes; none: 1 each.
    pub words: Option<&'g [u32]>,
    /// Tasks in an order in which one processor could run them; none: by ascending numbers.
    pub topological: Option<&'g [u32]>,
}

impl<'g> Before<'g> {
    /// Returns the number of tasks.
    pub fn tasks(&self) -> usize {
        self.predecessors.len()
    }

    /// Returns the work of a task.
    #[inline]
    pub fn work_of(&self, task: u32) -> u64 {
        self.work.map_or(1, |work| u64::from(work[task as usize]))
    }

    /// Returns the words that sending the value of a task takes.
    #[inline]
    pub fn words_of(&self, task: u32) -> u32 {
        self.words.map_or(1, |words| words[task as usize])
    }

    /// Returns the work of all tasks.
    pub fn all_work(&self) -> u64 {
        match self.work {
            Some(work) => work.iter().map(|&work| u64::from(work)).sum(),
            None => self.tasks() as u64,
        }
    }

    /// Returns the tasks in an order in which one processor could run them; reversed, each comes
    /// before its predecessors.
    pub fn in_order(&self) -> Topological<'g> {
        Topological {
            order: self.topological,
            at: 0..self.tasks() as u32,
        }
    }

    /// Returns the levels of all tasks: the number of tasks on a longest path from each to an end,
    /// both included. Linear in tasks and successors.
    pub fn levels(&self) -> Vec<u32> {
        farthest(self.in_order().rev(), self.successors)
    }

    /// Returns the depths of all tasks: the number of tasks on a longest path from a start to each,
    /// both included. Linear in tasks and predecessors.
    pub fn depths(&self) -> Vec<u32> {
        farthest(self.in_order(), self.predecessors)
    }
}

/// Returns the number of tasks on a longest path over neighbours to each task; `order` visits a
/// task after its neighbours.
fn farthest(order: impl Iterator<Item = u32>, neighbours: &Rows<u32>) -> Vec<u32> {
    let mut paths = vec![0; neighbours.len()];
    for task in order {
        let others = neighbours.row(task as usize).iter();
        let longest = others.map(|&other| paths[other as usize]).max();
        paths[task as usize] = 1 + longest.unwrap_or(0);
    }
    paths
}

/// Tasks in a topological order: see [`Before::in_order`].
#[derive(Clone, Debug)]
pub struct Topological<'a> {
    order: Option<&'a [u32]>,
    at: Range<u32>,
}

impl Topological<'_> {
    #[inline]
    fn task(&self, position: u32) -> u32 {
        self.order
            .map_or(position, |order| order[position as usize])
    }
}

impl Iterator for Topological<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.at.next().map(|p| self.task(p))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.at.size_hint()
    }
}

impl DoubleEndedIterator for Topological<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        self.at.next_back().map(|p| self.task(p))
    }
}

impl ExactSizeIterator for Topological<'_> {}
impl FusedIterator for Topological<'_> {}
