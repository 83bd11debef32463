//! Timelines: the time that each step of each processor waits, copies and works, predicted or
//! recorded.

use std::ops::AddAssign;

use crate::Order;

/// Times of one step, in nanoseconds: it begins when the processor's step before has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Time until all have ended for whom the processor waits, and it knows.
    pub wait: u64,
    /// Time of putting words into messages, and taking them out.
    pub copy: u64,
    /// Time of computing.
    pub work: u64,
}

impl Times {
    /// Returns the time that the step takes in all.
    pub fn total(self) -> u64 {
        self.wait
            .saturating_add(self.copy)
            .saturating_add(self.work)
    }
}

impl AddAssign for Times {
    fn add_assign(&mut self, other: Self) {
        self.wait = self.wait.saturating_add(other.wait);
        self.copy = self.copy.saturating_add(other.copy);
        self.work = self.work.saturating_add(other.work);
    }
}

/// Timeline: the times of all steps of an [order](Order), numbered as in it, processor after
/// processor: 24 bytes for each.
///
/// ```
/// use superstep_order::{Timeline, Times};
///
/// let step = |wait, work| Times { wait, work, copy: 0 };
/// // Processor 0 has one step, processor 1 two.
/// let timeline = Timeline::new(vec![0, 1, 3], vec![step(0, 80), step(0, 50), step(35, 20)]);
/// assert_eq!((timeline.end(), timeline.ends()), (105, vec![80, 50, 105]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// First step of each processor, as in the order.
    processors: Vec<u32>,
    steps: Vec<Times>,
}

/// Nanoseconds of the parts of a run's longest chain of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Time of computing.
    pub work: u64,
    /// Time of copying words.
    pub copy: u64,
    /// Time of learning that others have ended.
    pub latency: u64,
}

impl Timeline {
    /// Returns the timeline of an order with these first steps of processors and times of steps.
    ///
    /// # Panics
    /// If there are not as many steps as the processors have.
    pub fn new(processors: Vec<u32>, steps: Vec<Times>) -> Self {
        let last = processors.last().map_or(0, |&last| last as usize);
        assert_eq!(last, steps.len(), "times for each step");
        Self { processors, steps }
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> usize {
        self.processors.len().saturating_sub(1)
    }

    /// Returns the times of all steps, processor after processor.
    pub fn steps(&self) -> &[Times] {
        &self.steps
    }

    /// Returns the times of a processor's steps.
    ///
    /// # Panics
    /// If there is no such processor.
    pub fn steps_of(&self, processor: usize) -> &[Times] {
        &self.steps[self.processors[processor] as usize..self.processors[processor + 1] as usize]
    }

    /// Returns the sums of each processor's times.
    pub fn sums(&self) -> Vec<Times> {
        let sum = |processor| {
            let mut sum = Times::default();
            self.steps_of(processor)
                .iter()
                .for_each(|&step| sum += step);
            sum
        };
        (0..self.processors()).map(sum).collect()
    }

    /// Returns the time at which each step ends.
    pub fn ends(&self) -> Vec<u64> {
        let mut ends = Vec::with_capacity(self.steps.len());
        for processor in 0..self.processors() {
            let mut now = 0_u64;
            ends.extend(self.steps_of(processor).iter().map(|step| {
                now = now.saturating_add(step.total());
                now
            }));
        }
        ends
    }

    /// Returns the time at which the last step ends.
    pub fn end(&self) -> u64 {
        self.sums().into_iter().map(Times::total).max().unwrap_or(0)
    }

    /// Finds the longest chain of steps, the last first, and adds up its parts, whose sum is the
    /// end of the run.
    ///
    /// It leads back from the step that ends last. Where the processor had to wait for a step, it
    /// goes to the awaited one that ended last, else to the processor's own step before.
    ///
    /// # Panics
    /// If the order has other steps.
    pub fn longest_chain(&self, order: &Order) -> (Vec<u32>, Chain) {
        let ends = self.ends();
        let (mut steps, mut chain) = (Vec::new(), Chain::default());
        let last = |processor: u32| order.steps_of(processor).next_back();
        let lasts = (0..self.processors() as u32).filter_map(last);
        let mut next = lasts.max_by_key(|&step| ends[step as usize]);
        // Of a step that was seen to end a little before its end was noted.
        let mut early = 0;
        while let Some(step) = next {
            steps.push(step);
            let Times { wait, copy, work } = self.steps[step as usize];
            chain.work = chain.work.saturating_add(work - early.min(work));
            chain.copy = chain.copy.saturating_add(copy);
            let own = order.before(step);
            let begin = own.map_or(0, |own| ends[own as usize]);
            let binding = order
                .awaited_by(step)
                .max_by_key(|&peer| ends[peer as usize]);
            next = match binding.filter(|&peer| ends[peer as usize] > begin) {
                Some(peer) => {
                    let (seen, ready) = (ends[peer as usize], begin.saturating_add(wait));
                    let latency = ready.saturating_sub(seen);
                    chain.latency = chain.latency.saturating_add(latency);
                    early = seen.saturating_sub(ready);
                    Some(peer)
                }
                None => {
                    chain.latency = chain.latency.saturating_add(wait);
                    early = 0;
                    own
                }
            };
        }
        (steps, chain)
    }

    /// Returns the time at which the run would end if copies took no time, and waits none beyond
    /// the end of what they wait for. There is none if some step waits forever.
    ///
    /// # Panics
    /// If the order has other steps.
    pub fn ideal_end(&self, order: &Order) -> Option<u64> {
        let mut ends = vec![0_u64; self.steps.len()];
        let is_done = order.visit(|step| {
            let before = order.awaited_by(step).chain(order.before(step));
            let begin = before.map(|step| ends[step as usize]).max().unwrap_or(0);
            ends[step as usize] = begin.saturating_add(self.steps[step as usize].work);
        });
        is_done.then(|| ends.into_iter().max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rows, Wait};

    /// Returns an order of two processors of two steps; the second of processor 1 waits for the
    /// first of processor 0.
    fn order() -> Order {
        let wait = Wait {
            processor: 0,
            steps: 1,
        };
        Order {
            processors: vec![0, 2, 4],
            waits: Rows::sorted(4, [(3, wait)].into_iter()),
        }
    }

    fn timeline(steps: [[u64; 3]; 4]) -> Timeline {
        let times = steps.map(|[wait, copy, work]| Times { wait, copy, work });
        Timeline::new(vec![0, 2, 4], times.to_vec())
    }

    #[test]
    fn the_parts_of_the_longest_chain_are_the_time_of_the_run() {
        // Processor 0: 0 to 100, 100 to 110. Processor 1: 0 to 40, waits until 105, to 162.
        let timeline = timeline([[0, 0, 100], [0, 0, 10], [0, 0, 40], [65, 7, 50]]);
        let (steps, chain) = timeline.longest_chain(&order());
        assert_eq!(timeline.end(), 162);
        assert_eq!(
            (steps, chain),
            (
                vec![3, 0],
                Chain {
                    work: 150,
                    copy: 7,
                    latency: 5
                }
            )
        );
        assert_eq!(timeline.ideal_end(&order()), Some(150));
    }

    #[test]
    fn a_wait_that_holds_nobody_up_is_the_processor_s_own() {
        let timeline = timeline([[0, 0, 30], [0, 0, 10], [0, 0, 40], [5, 0, 50]]);
        let (steps, chain) = timeline.longest_chain(&order());
        assert_eq!(
            (steps, chain),
            (
                vec![3, 2],
                Chain {
                    work: 90,
                    copy: 0,
                    latency: 5
                }
            )
        );
    }

    #[test]
    fn an_end_that_was_seen_before_it_was_noted_counts_once() {
        let timeline = timeline([[0, 0, 100], [0, 0, 1], [0, 0, 40], [57, 0, 50]]);
        let (_, Chain { work, latency, .. }) = timeline.longest_chain(&order());
        assert_eq!((work + latency, timeline.end()), (147, 147));
    }

    #[test]
    fn nothing_takes_no_time() {
        let nothing = Timeline::default();
        assert_eq!(
            nothing.longest_chain(&Order::default()),
            (vec![], Chain::default())
        );
        assert_eq!(
            (nothing.end(), nothing.ideal_end(&Order::default())),
            (0, Some(0))
        );
    }
}
