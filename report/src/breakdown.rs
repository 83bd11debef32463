//! Breakdown of the time of a run.

use serde::{Deserialize, Serialize};
use superstep_order::{Order, Timeline};

/// Cost of a run by its [longest chain](Timeline::longest_chain) of steps, and its efficiency.
///
/// Efficiency is the work of all processors over processors times the time of the run. It is the
/// product of three factors, as in the POP project's model:
///
/// * how evenly work is shared;
/// * how much of it waits for other work;
/// * what copying and synchronising cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breakdown {
    /// Nanoseconds of the run.
    pub run_ns: u64,
    /// Computing.
    pub work_ns: u64,
    /// Copying words.
    pub communication_ns: u64,
    /// Learning that others have ended, and beginning and ending the call.
    pub synchronisation_ns: u64,
    /// Mean work of processors over the largest, 0 to 1.
    pub load_balance: f64,
    /// Largest work of a processor over the run without copies and latencies, 0 to 1.
    pub serialisation: f64,
    /// Time of the run without copies and latencies over its time, 0 to 1.
    pub transfer: f64,
}

impl Breakdown {
    /// Finds out what a run costs, given for whom each step waits, and the nanoseconds that the
    /// call takes beside.
    ///
    /// ```
    /// use superstep_order::{Order, Rows, Timeline, Times, Wait};
    /// use superstep_report::Breakdown;
    ///
    /// // Two processors of two steps; the second of processor 1 waits for the first of the other.
    /// let wait = Wait { processor: 0, steps: 1 };
    /// let order = Order {
    ///     processors: vec![0, 2, 4],
    ///     waits: Rows::sorted(4, [(3, wait)].into_iter()),
    /// };
    /// let step = |wait, work| Times { wait, work, copy: 0 };
    /// let steps = vec![step(0, 100), step(0, 10), step(0, 40), step(65, 50)];
    /// let found = Breakdown::of(&Timeline::new(order.processors.clone(), steps), &order, 3);
    /// assert_eq!((found.run_ns, found.work_ns, found.synchronisation_ns), (158, 150, 8));
    /// // Work is 110 and 90; without latencies the run takes 150.
    /// assert_eq!(found.serialisation, 110.0 / 150.0);
    /// assert!((found.efficiency() - 200.0 / (2.0 * 158.0)).abs() < 1e-12);
    /// ```
    ///
    /// # Panics
    /// If the order has other steps.
    pub fn of(timeline: &Timeline, order: &Order, call_ns: u64) -> Self {
        let (_, chain) = timeline.longest_chain(order);
        let sums = timeline.sums();
        let works = sums.iter().map(|sum| sum.work as f64);
        let longest = works.clone().fold(0.0, f64::max);
        let mean = works.sum::<f64>() / sums.len().max(1) as f64;
        let synchronisation_ns = chain.latency.saturating_add(call_ns);
        let busy_ns = chain.work.saturating_add(chain.copy);
        let run_ns = busy_ns.saturating_add(synchronisation_ns);
        let ideal = timeline.ideal_end(order).unwrap_or(run_ns) as f64;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        Self {
            run_ns,
            work_ns: chain.work,
            communication_ns: chain.copy,
            synchronisation_ns,
            load_balance: share(mean, longest),
            serialisation: share(longest, ideal),
            transfer: share(ideal, run_ns as f64),
        }
    }

    /// Returns whether nothing is known of a run.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the product of the three factors: the share of the processors' time that is work.
    pub fn efficiency(&self) -> f64 {
        self.load_balance * self.serialisation * self.transfer
    }
}
