//! Reports of how far a run has come.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use superstep_farm::Items;

use crate::error::{Payload, catch};
use crate::sync::{Mutex, Padded, lock};

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

/// Closure that is told the progress.
pub(super) type Listener = Mutex<Box<dyn FnMut(&Progress) + Send>>;

/// Items that a thread has begun.
#[derive(Default)]
struct Begun {
    items: AtomicU32,
    /// Predicted costs of these items: the bits of an `f64`.
    cost: AtomicU64,
}

/// Reporter of one run.
pub(super) struct Reporter {
    every: Duration,
    start: Instant,
    /// Time of the next report, in nanoseconds after the start.
    next: AtomicU64,
    /// Items that the run began with, by their predicted costs.
    items: Items,
    /// Items begun, by thread, which alone writes its own.
    begun: Vec<Padded<Begun>>,
    listener: Listener,
    panic: Mutex<Option<Payload>>,
}

impl Reporter {
    pub(super) fn new(every: Duration, items: Items, threads: usize, listener: Listener) -> Self {
        Self {
            every,
            start: Instant::now(),
            next: AtomicU64::new(nanoseconds(every)),
            items,
            begun: (0..threads).map(|_| Padded::default()).collect(),
            listener,
            panic: Mutex::new(None),
        }
    }

    /// Counts items that a thread begins.
    pub(super) fn begin(&self, thread: usize, items: &Range<u32>) {
        let begun = &self.begun[thread].0;
        let cost = self.items.cost(&(items.start as usize..items.end as usize));
        let before = f64::from_bits(begun.cost.load(Ordering::Relaxed));
        begun
            .cost
            .store((before + cost).to_bits(), Ordering::Relaxed);
        begun.items.fetch_add(items.len() as u32, Ordering::Relaxed);
    }

    /// Reports, if it is time to.
    pub(super) fn look(&self, now: Instant) {
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
            self.report();
        }
    }

    fn report(&self) {
        let mut listener = lock(&self.listener);
        // Who comes later sees more begun, and a later time.
        let progress = self.progress();
        if let Err(panic) = catch(|| listener(&progress)) {
            // Not an item's: the run goes on, without further reports.
            self.next.store(u64::MAX, Ordering::Relaxed);
            let _other = lock(&self.panic).replace(panic);
        }
    }

    fn progress(&self) -> Progress {
        let elapsed = self.start.elapsed();
        let items = self.items.len();
        let (mut begun, mut cost) = (0, 0.0);
        for Padded(of_thread) in &self.begun {
            begun += of_thread.items.load(Ordering::Relaxed) as usize;
            cost += f64::from_bits(of_thread.cost.load(Ordering::Relaxed));
        }
        let left = if begun < items && cost > 0.0 {
            elapsed.as_secs_f64() * (self.items.total_cost() - cost).max(0.0) / cost
        } else {
            0.0
        };
        Progress {
            begun,
            items,
            elapsed,
            left: Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX),
        }
    }

    /// Raises a panic of the listener again.
    pub(super) fn resume(&self) {
        let panic = lock(&self.panic).take();
        if let Some(panic) = panic {
            panic.resume();
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
