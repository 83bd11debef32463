//! Timelines: when processors wait, copy words and work, predicted or recorded.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use superstep_plan::synchronisation::Synchronisation;

/// One superstep of one processor, in nanoseconds: it begins when the one before has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Until all have ended for whom the processor waits, and it knows.
    pub wait: u64,
    /// Putting words into messages, and taking them out.
    pub copy: u64,
    /// Computing.
    pub work: u64,
}

impl Step {
    /// Returns how long the step takes in all.
    pub fn total(self) -> u64 {
        self.wait
            .saturating_add(self.copy)
            .saturating_add(self.work)
    }
}

impl AddAssign for Step {
    fn add_assign(&mut self, other: Self) {
        self.wait = self.wait.saturating_add(other.wait);
        self.copy = self.copy.saturating_add(other.copy);
        self.work = self.work.saturating_add(other.work);
    }
}

/// A run, superstep by superstep, and within those processor by processor: 24 bytes for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    processors: usize,
    steps: Vec<Step>,
}

/// Cost of a run by the longest chain of its steps, and its efficiency.
///
/// The chain leads back from the step that ends last: to the awaited step that ended last where the
/// processor had to wait for it, else to the processor's own step before. So the three parts add up
/// to the time of the run.
///
/// Efficiency is the work of all processors over processors times the time of the run. It is the
/// product of three factors, as in the POP project's model: how evenly work is shared, how much of
/// it waits for other work, and what copying and synchronising cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breakdown {
    /// Nanoseconds of the run.
    pub run_ns: u64,
    /// Of those, computing.
    pub work_ns: u64,
    /// Of those, copying words.
    pub communication_ns: u64,
    /// Of those, learning that others have ended, and beginning and ending the call.
    pub synchronisation_ns: u64,
    /// Mean work of processors over the largest, 0 to 1.
    pub load_balance: f64,
    /// Largest work of a processor over the run without copies and latencies, 0 to 1.
    pub serialisation: f64,
    /// Time of the run without copies and latencies over its time, 0 to 1.
    pub transfer: f64,
}

impl Breakdown {
    /// Returns the product of the three factors: the share of the processors' time that is work.
    pub fn efficiency(&self) -> f64 {
        self.load_balance * self.serialisation * self.transfer
    }
}

impl Timeline {
    /// Returns a run of so many processors, from its steps in order.
    ///
    /// # Panics
    /// If they are no whole supersteps.
    pub fn new(processors: usize, steps: Vec<Step>) -> Self {
        assert_eq!(steps.len() % processors.max(1), 0, "whole supersteps");
        Self { processors, steps }
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Returns the steps of each superstep, processor by processor.
    pub fn supersteps(&self) -> impl ExactSizeIterator<Item = &[Step]> {
        self.steps.chunks_exact(self.processors.max(1))
    }

    /// Returns the sums of each processor.
    pub fn sums(&self) -> Vec<Step> {
        let mut sums = vec![Step::default(); self.processors];
        for steps in self.supersteps() {
            for (sum, &step) in sums.iter_mut().zip(steps) {
                *sum += step;
            }
        }
        sums
    }

    /// Returns when the last processor ends its last step.
    pub fn end(&self) -> u64 {
        self.sums().into_iter().map(Step::total).max().unwrap_or(0)
    }

    /// Returns the end of each step, in the order of the steps.
    fn ends(&self) -> Vec<u64> {
        let mut ends: Vec<u64> = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let before = at.checked_sub(self.processors).map_or(0, |own| ends[own]);
            ends.push(before.saturating_add(step.total()));
        }
        ends
    }

    /// Finds out what the run costs, given for whom each step waits, and what the call takes beside.
    ///
    /// # Panics
    /// If the table is of a plan with other supersteps or processors.
    pub fn breakdown(&self, table: &Synchronisation, call_ns: u64) -> Breakdown {
        let mut breakdown = Breakdown {
            synchronisation_ns: call_ns,
            ..Breakdown::default()
        };
        let ends = self.ends();
        self.walk_back(&ends, table, &mut breakdown);
        let Breakdown {
            work_ns,
            communication_ns,
            synchronisation_ns,
            ..
        } = breakdown;
        breakdown.run_ns = work_ns + communication_ns + synchronisation_ns;
        let sums = self.sums();
        let works = sums.iter().map(|sum| sum.work as f64);
        let longest = works.clone().fold(0.0, f64::max);
        let mean = works.sum::<f64>() / self.processors.max(1) as f64;
        let ideal = self.ideal(table) as f64;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        Breakdown {
            load_balance: share(mean, longest),
            serialisation: share(longest, ideal),
            transfer: share(ideal, breakdown.run_ns as f64),
            ..breakdown
        }
    }

    /// Adds the parts of the longest chain of steps.
    fn walk_back(&self, ends: &[u64], table: &Synchronisation, breakdown: &mut Breakdown) {
        let last = self.steps.len().saturating_sub(self.processors)..self.steps.len();
        let mut next = last.max_by_key(|&at| ends[at]);
        while let Some(at) = next {
            let Step { wait, copy, work } = self.steps[at];
            breakdown.work_ns += work;
            breakdown.communication_ns += copy;
            let own = at.checked_sub(self.processors);
            let begin = own.map_or(0, |own| ends[own]);
            let binding = self.awaited(table, at).max_by_key(|&peer| ends[peer]);
            next = match binding.filter(|&peer| ends[peer] > begin) {
                Some(peer) => {
                    // It may have been seen a little before its end was noted.
                    let ready = begin + wait;
                    breakdown.synchronisation_ns += ready.saturating_sub(ends[peer]);
                    let early = ends[peer].saturating_sub(ready);
                    breakdown.work_ns = breakdown.work_ns.saturating_sub(early);
                    Some(peer)
                }
                None => {
                    breakdown.synchronisation_ns += wait;
                    own
                }
            };
        }
    }

    /// Returns when the run would end if words and waits took no time.
    fn ideal(&self, table: &Synchronisation) -> u64 {
        let mut ends: Vec<u64> = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let own = at.checked_sub(self.processors);
            let before = own.into_iter().chain(self.awaited(table, at));
            let begin = before.map(|before| ends[before]).max().unwrap_or(0);
            ends.push(begin.saturating_add(step.work));
        }
        ends.into_iter().max().unwrap_or(0)
    }

    /// Returns the steps for which a step waits.
    fn awaited<'t>(
        &self,
        table: &'t Synchronisation,
        at: usize,
    ) -> impl Iterator<Item = usize> + use<'t> {
        let processors = self.processors;
        let waits = table.waits(at / processors, at % processors).iter();
        let awaited = waits.filter(|wait| wait.steps > 0);
        awaited.map(move |wait| (wait.steps as usize - 1) * processors + wait.processor as usize)
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

#[cfg(test)]
mod tests {
    use superstep_plan::{Code, Plan, Precedence};

    use super::*;

    /// Two processors and two supersteps; in the second, processor 1 waits for processor 0.
    fn table() -> Synchronisation {
        let plan = Plan {
            processors: 2,
            supersteps: 2,
            precedences: vec![Precedence {
                superstep: 1,
                processor: 1,
                peer: 0,
                ended: 0,
            }],
            code: vec![Code::default(); 4],
            ..Plan::default()
        };
        Synchronisation::new(&plan).expect("it is consistent")
    }

    fn step(wait: u64, copy: u64, work: u64) -> Step {
        Step { wait, copy, work }
    }

    #[test]
    fn the_parts_of_the_longest_chain_are_the_time_of_the_run() {
        // Processor 0: 0 to 100, 100 to 110. Processor 1: 0 to 40, waits until 105, copies, 112 to 162.
        let steps = vec![
            step(0, 0, 100),
            step(0, 0, 40),
            step(0, 0, 10),
            step(65, 7, 50),
        ];
        let timeline = Timeline::new(2, steps);
        let found = timeline.breakdown(&table(), 3);
        let Breakdown {
            run_ns,
            work_ns,
            communication_ns,
            synchronisation_ns,
            ..
        } = found;
        assert_eq!(timeline.end(), 162);
        assert_eq!(
            (run_ns, work_ns, communication_ns, synchronisation_ns),
            (165, 150, 7, 8)
        );
        // Work is 110 and 90; without copies and latencies the run takes 150.
        assert_eq!(found.load_balance, 100.0 / 110.0);
        assert_eq!(found.serialisation, 110.0 / 150.0);
        assert_eq!(found.transfer, 150.0 / 165.0);
        assert!((found.efficiency() - 200.0 / (2.0 * 165.0)).abs() < 1e-12);
    }

    #[test]
    fn a_wait_that_holds_nobody_up_is_the_processor_s_own() {
        let steps = vec![
            step(0, 0, 30),
            step(0, 0, 40),
            step(0, 0, 10),
            step(5, 0, 50),
        ];
        let found = Timeline::new(2, steps).breakdown(&table(), 0);
        assert_eq!((found.work_ns, found.synchronisation_ns), (90, 5));
    }

    #[test]
    fn nothing_takes_no_time() {
        let found = Timeline::default().breakdown(&Synchronisation::default(), 0);
        assert_eq!((found.run_ns, found.efficiency()), (0, 1.0));
    }
}
