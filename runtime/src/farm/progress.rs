//! Reports of how far a run has come.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use superstep_farm::Items;

use crate::sync::{Mutex, lock};

/// State of a run, which [`Farm::on_progress`](super::Farm::on_progress) is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of items that have been begun.
    pub begun: usize,
    /// Number of all items.
    pub items: usize,
    /// Time since the run began.
    pub elapsed: Duration,
    /// Predicted time until its end: costs that are left, at the rate of those that are begun.
    pub left: Duration,
}

/// A closure that is told the progress.
pub(super) type Listener = Mutex<Box<dyn FnMut(&Progress) + Send>>;

/// The reports of one run.
pub(super) struct Reporter {
    every: Duration,
    start: Instant,
    /// Time of the next report, in nanoseconds after the start.
    next: AtomicU64,
    /// Items that the run began with, by their predicted costs.
    items: Items,
    listener: Listener,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Reporter {
    pub(super) fn new(every: Duration, items: Items, listener: Listener) -> Self {
        Self {
            every,
            start: Instant::now(),
            next: AtomicU64::new(nanoseconds(every)),
            items,
            listener,
            panic: Mutex::new(None),
        }
    }

    /// Reports, if it is time to: `left` returns the items that have not been begun.
    pub(super) fn look(&self, now: Instant, left: impl FnOnce() -> Vec<Range<u32>>) {
        let elapsed = now.saturating_duration_since(self.start);
        let due = self.next.load(Ordering::Relaxed);
        if nanoseconds(elapsed) < due {
            return;
        }
        let next = nanoseconds(elapsed + self.every);
        let (done, not_done) = (Ordering::Relaxed, Ordering::Relaxed);
        if self
            .next
            .compare_exchange(due, next, done, not_done)
            .is_ok()
        {
            self.report(elapsed, &left());
        }
    }

    fn report(&self, elapsed: Duration, left: &[Range<u32>]) {
        let items = self.items.len();
        let unbegun: usize = left.iter().map(|range| range.len()).sum();
        let wide = |range: &Range<u32>| range.start as usize..range.end as usize;
        let cost: f64 = left.iter().map(|range| self.items.cost(&wide(range))).sum();
        let begun = self.items.total_cost() - cost;
        let left = if begun > 0.0 {
            elapsed.as_secs_f64() * cost / begun
        } else {
            0.0
        };
        let progress = Progress {
            begun: items - unbegun,
            items,
            elapsed,
            left: Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX),
        };
        let mut listener = lock(&self.listener);
        let told = catch_unwind(AssertUnwindSafe(|| listener(&progress)));
        if let Err(panic) = told {
            // Not an item's: the run goes on, without further reports.
            self.next.store(u64::MAX, Ordering::Relaxed);
            *lock(&self.panic) = Some(panic);
        }
    }

    /// Raises a panic of the listener again.
    pub(super) fn resume(&self) {
        if let Some(panic) = lock(&self.panic).take() {
            resume_unwind(panic);
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
