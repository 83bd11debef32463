//! Supersteps of chunks: levels of an order of waits, so that a table can show a plan or a farm.

use std::ops::Range;

use superstep_order::{Order, Timeline, Times};
use superstep_plan::{Body, Code, Component, Plan, Precedence, Stride, Term};

use crate::Load;

/// Cells (superstep, processor) that any table may have: 6 MiB, at some 100 bytes each. A choice.
const FREE_CELLS: usize = 1 << 16;

/// Further cells for each number of the input: a file of a few bytes could ask for many. A choice.
const CELLS_PER_NUMBER: usize = 4;

/// The superstep of each step of an order: one more than those of the steps that must end before.
#[derive(Clone, Debug)]
pub struct Supersteps<'o> {
    order: &'o Order,
    of: Vec<u32>,
    count: u32,
}

impl<'o> Supersteps<'o> {
    /// Finds the supersteps of an order.
    ///
    /// # Panics
    /// If a step waits forever, as none of a plan does that is proved or of a file that was read.
    ///
    /// ```
    /// use superstep_order::{Order, Rows, Wait};
    /// use superstep_report::Supersteps;
    ///
    /// let wait = Wait { processor: 0, steps: 1 };
    /// let order = Order {
    ///     processors: vec![0, 1, 2],
    ///     waits: Rows::sorted(2, [(1, wait)].into_iter()),
    /// };
    /// let supersteps = Supersteps::new(&order);
    /// assert_eq!((supersteps.count(), supersteps.of(1)), (2, 1));
    /// let table = supersteps.table(|step| Some(10 * step..10 * step + 3));
    /// assert_eq!((table.supersteps, table.precedences.len()), (2, 1));
    /// ```
    pub fn new(order: &'o Order) -> Self {
        let Some(of) = order.levels() else {
            panic!("a step of the order waits forever");
        };
        let count = of.iter().max().map_or(0, |&last| last + 1);
        Self { order, of, count }
    }

    /// Returns how many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the superstep of a step.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn of(&self, step: u32) -> u32 {
        self.of[step as usize]
    }

    /// Returns whether tables stay in proportion to the input, of so many numbers.
    pub fn fit(&self, numbers: usize) -> bool {
        let cells = (self.count as usize).checked_mul(self.order.processors());
        cells.is_some_and(|cells| {
            cells <= FREE_CELLS.saturating_add(numbers.saturating_mul(CELLS_PER_NUMBER))
        })
    }

    /// Returns a timeline of supersteps, given that of the steps; those that a processor lacks take
    /// no time. Only for supersteps that [fit](Self::fit).
    ///
    /// # Panics
    /// If the timeline has other steps.
    pub fn spread(&self, timeline: &Timeline) -> Timeline {
        let processors = timeline.processors() as u32;
        let mut times = vec![Times::default(); (self.count * processors) as usize];
        let mut of = self.of.iter();
        for processor in 0..processors {
            for (&step, superstep) in timeline.steps_of(processor as usize).iter().zip(&mut of) {
                times[(processor * self.count + superstep) as usize] = step;
            }
        }
        let firsts = (0..=processors).map(|processor| processor * self.count);
        Timeline::new(firsts.collect(), times)
    }

    /// Makes a plan's tables, for a page and never to run: one body, whose component is the number
    /// of the item. Only for supersteps that [fit](Self::fit).
    pub fn table<R: IntoIterator<Item = Range<u32>>>(&self, runs: impl Fn(u32) -> R) -> Plan {
        let (order, supersteps) = (self.order, self.count);
        let processors = order.processors() as u32;
        let component = Component {
            base: 0,
            stride: Stride::Always(1),
        };
        let mut precedences = Vec::new();
        let mut code = vec![Code::default(); (supersteps * processors) as usize];
        for processor in 0..processors {
            for step in order.steps_of(processor) {
                let superstep = self.of(step);
                for awaited in order.awaited_by(step) {
                    let (peer, ended) = (order.processor_of(awaited), self.of(awaited));
                    precedences.push(Precedence {
                        superstep,
                        processor,
                        peer,
                        ended,
                    });
                }
                let code = &mut code[(superstep * processors + processor) as usize];
                for items in runs(step) {
                    code.terms.push(Term::Run { body: 0 });
                    code.values
                        .extend([items.len() as i64, i64::from(items.start)]);
                }
            }
        }
        precedences.sort_unstable();
        Plan {
            processors,
            supersteps,
            precedences,
            scatter: vec![Vec::new(); processors as usize],
            gather: vec![Vec::new(); processors as usize],
            bodies: vec![Body::new(vec![0], vec![component], vec![0])],
            code,
            ..Plan::default()
        }
    }

    /// Returns each processor's load, where a table would not [fit](Self::fit): the items that its
    /// steps run, and their times, if they are known.
    pub fn loads<R: IntoIterator<Item = Range<u32>>>(
        &self,
        runs: impl Fn(u32) -> R,
        timeline: Option<&Timeline>,
    ) -> Vec<Load> {
        let sums = timeline.map(Timeline::sums).unwrap_or_default();
        let end = timeline.map_or(0, Timeline::end);
        let load = |processor: u32| {
            let steps = self.order.steps_of(processor);
            let time = sums.get(processor as usize).copied().unwrap_or_default();
            Load {
                tasks: steps.flat_map(&runs).map(|items| items.len() as u64).sum(),
                work_ns: time.work,
                wait_ns: time.wait,
                idle_ns: end - time.total().min(end),
                ..Load::default()
            }
        };
        (0..self.order.processors() as u32).map(load).collect()
    }
}

#[cfg(test)]
mod tests {
    use superstep_order::{Rows, Wait};

    use super::*;

    #[test]
    #[should_panic(expected = "waits forever")]
    fn an_order_that_does_not_end_has_no_supersteps() {
        let wait = |step, processor| {
            (
                step,
                Wait {
                    processor,
                    steps: 1,
                },
            )
        };
        let order = Order {
            processors: vec![0, 1, 2],
            waits: Rows::sorted(2, [wait(0, 1), wait(1, 0)].into_iter()),
        };
        let _ = Supersteps::new(&order);
    }
}
