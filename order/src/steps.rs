//! Steps of each processor, and the waits of each step.

use std::ops::Range;
use std::sync::Arc;

use crate::Rows;

/// Steps that another processor must have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// Processor that is waited for.
    pub processor: u32,
    /// Number of its steps that must have ended.
    pub steps: u32,
}

/// Order: the steps of processors, numbered processor after processor, and their waits: 4 bytes for
/// each step, 8 for each wait.
///
/// ```
/// use superstep_order::{Order, Rows, Wait};
///
/// // Processor 0 has two steps. The only one of processor 1 waits for the first of them.
/// let wait = Wait { processor: 0, steps: 1 };
/// let order = Order {
///     processors: vec![0, 2, 3],
///     waits: Rows::sorted(3, [(2, wait)].into_iter()),
/// };
/// assert_eq!((order.processors(), order.steps_of(1), order.waits_of(2)), (2, 2..3, &[wait][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// First step of each processor, and the number of steps behind the last.
    pub processors: Vec<u32>,
    /// Waits of each step.
    pub waits: Rows<Wait>,
}

impl Default for Order {
    /// Returns an order of no processors.
    fn default() -> Self {
        Self {
            processors: vec![0],
            waits: Rows::default(),
        }
    }
}

impl Order {
    /// Returns the number of processors.
    pub fn processors(&self) -> usize {
        self.processors.len().saturating_sub(1)
    }

    /// Returns the number of steps of all processors.
    pub fn steps(&self) -> usize {
        self.waits.len()
    }

    /// Returns the steps of a processor.
    ///
    /// # Panics
    /// If there is no such processor.
    #[inline]
    pub fn steps_of(&self, processor: u32) -> Range<u32> {
        self.processors[processor as usize]..self.processors[processor as usize + 1]
    }

    /// Returns the waits of a step.
    ///
    /// # Panics
    /// If there is no such step.
    #[inline]
    pub fn waits_of(&self, step: u32) -> &[Wait] {
        self.waits.row(step as usize)
    }

    /// Returns whether nobody waits for anybody.
    pub fn is_free(&self) -> bool {
        self.waits.items.is_empty()
    }

    /// Returns the step whose end fulfils a wait; none for one that waits for nothing.
    #[inline]
    fn awaited(&self, wait: Wait) -> Option<u32> {
        let last = wait.steps.checked_sub(1)?;
        Some(self.processors[wait.processor as usize] + last)
    }

    /// Visits all steps in an order in which one processor could run them; returns whether there is
    /// one, so that no step waits forever.
    ///
    /// Linear in steps and waits, and in changes between processors times their number.
    ///
    /// ```
    /// use superstep_order::{Order, Rows, Wait};
    ///
    /// // Processor 1 has one step, which waits for the second of processor 0.
    /// let wait = Wait { processor: 0, steps: 2 };
    /// let order = Order {
    ///     processors: vec![0, 2, 3],
    ///     waits: Rows::sorted(3, [(2, wait)].into_iter()),
    /// };
    /// let mut visited = Vec::new();
    /// assert!(order.visit(|step| visited.push(step)));
    /// assert_eq!((visited, order.levels()), (vec![0, 1, 2], Some(vec![0, 1, 2])));
    /// ```
    pub fn visit(&self, mut visit: impl FnMut(u32)) -> bool {
        let processors = self.processors();
        let mut next: Vec<u32> = self.processors[..processors].to_vec();
        let mut left = self.steps();
        while left > 0 {
            let before = left;
            for processor in 0..processors {
                while next[processor] < self.processors[processor + 1] {
                    let step = next[processor];
                    let has_ended = |wait: &Wait| {
                        let peer = wait.processor as usize;
                        next[peer] >= self.processors[peer] + wait.steps
                    };
                    if !self.waits_of(step).iter().all(has_ended) {
                        break;
                    }
                    visit(step);
                    next[processor] += 1;
                    left -= 1;
                }
            }
            if left == before {
                return false;
            }
        }
        true
    }

    /// Returns the level of each step: the number of others that must end before it, one after the
    /// other. None if some step waits forever.
    pub fn levels(&self) -> Option<Vec<u32>> {
        let mut levels = vec![0; self.steps()];
        let is_done = self.visit(|step| {
            let before = self.awaited_by(step).chain(self.before(step));
            let level = before.map(|step| levels[step as usize] + 1).max();
            levels[step as usize] = level.unwrap_or(0);
        });
        is_done.then_some(levels)
    }

    /// Returns the processor's step before this one.
    pub fn before(&self, step: u32) -> Option<u32> {
        let is_first = self.processors.binary_search(&step).is_ok();
        step.checked_sub(1).filter(|_| !is_first)
    }

    /// Returns the steps whose ends fulfil a step's waits.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn awaited_by(&self, step: u32) -> impl Iterator<Item = u32> + use<'_> {
        self.waits_of(step)
            .iter()
            .filter_map(|&wait| self.awaited(wait))
    }

    /// Returns the processor of a step. Cost: logarithmic in the number of processors.
    pub fn processor_of(&self, step: u32) -> u32 {
        (self.processors.partition_point(|&first| first <= step) as u32).saturating_sub(1)
    }

    /// Finds out who waits for just the end of each step, ascending.
    fn listeners(&self) -> Rows<u32> {
        let pairs = (0..self.processors() as u32).flat_map(|processor| {
            let waits = self
                .steps_of(processor)
                .flat_map(|step| self.waits_of(step));
            let awaited = waits.filter_map(|&wait| self.awaited(wait));
            awaited.map(move |step| (step as usize, processor))
        });
        let mut listeners = Rows::sorted(self.steps(), pairs);
        listeners.dedup();
        listeners
    }
}

/// Order that can be run: it knows who listens to the end of each step. 4 bytes more for each step
/// and each wait.
///
/// ```
/// use std::sync::Arc;
/// use superstep_order::{Order, Ordered, Rows, Wait};
///
/// let wait = Wait { processor: 0, steps: 1 };
/// let order = Order {
///     processors: vec![0, 2, 3],
///     waits: Rows::sorted(3, [(2, wait)].into_iter()),
/// };
/// let ordered = Ordered::from(Arc::new(order));
/// assert_eq!((ordered.listeners_of(0), ordered.listeners_of(1)), (&[1][..], &[][..]));
/// assert_eq!(ordered.longest(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ordered {
    order: Arc<Order>,
    listeners: Rows<u32>,
}

impl From<Arc<Order>> for Ordered {
    /// Finds out who listens. Linear in steps and waits.
    ///
    /// # Panics
    /// If a wait is for a processor or a step that is not there.
    fn from(order: Arc<Order>) -> Self {
        let listeners = order.listeners();
        Self { order, listeners }
    }
}

impl Ordered {
    /// Returns the order.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Returns the processors that wait for just the end of a step, ascending.
    ///
    /// # Panics
    /// If there is no such step.
    #[inline]
    pub fn listeners_of(&self, step: u32) -> &[u32] {
        self.listeners.row(step as usize)
    }

    /// Returns the most steps of a processor.
    pub fn longest(&self) -> u32 {
        let bounds = self.order.processors.windows(2);
        bounds.map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_one_step_twice_listens_once_and_for_none_not_at_all() {
        let wait = |processor, steps| Wait { processor, steps };
        let pairs = [
            (2, wait(0, 2)),
            (3, wait(0, 2)),
            (3, wait(0, 0)),
            (4, wait(0, 2)),
        ];
        let order = Order {
            processors: vec![0, 2, 4, 5],
            waits: Rows::sorted(5, pairs.into_iter()),
        };
        let listeners = order.listeners();
        let listeners: Vec<&[u32]> = listeners.iter().collect();
        assert_eq!(listeners, [&[][..], &[1, 2], &[], &[], &[]]);
    }
}
