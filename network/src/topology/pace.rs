//! Paces: repetitions that begin at regular times.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Pace of repetitions: each begins so long after the one before has begun, and at once where that
/// one took longer.
///
/// ```
/// use std::{thread, time::Duration};
/// use superstep_network::topology::Pace;
///
/// let mut pace = Pace::new(Duration::from_millis(1));
/// for _ in 0..3 {
///     pace.wait();
///     thread::sleep(Duration::from_millis(5));
/// }
/// // The second and the third were due while another went on.
/// assert_eq!(pace.late(), 2);
/// ```
#[derive(Debug)]
pub struct Pace {
    every: Duration,
    begun: Instant,
    next: Instant,
    repetitions: u32,
    late: u32,
}

impl Pace {
    /// Makes a pace of so long a period, which begins now; without one, nothing is waited for.
    pub fn new(every: Duration) -> Self {
        let begun = Instant::now();
        Self {
            every,
            begun,
            next: begun,
            repetitions: 0,
            late: 0,
        }
    }

    /// Waits until the next repetition is due.
    pub fn wait(&mut self) {
        let now = Instant::now();
        let left = self.next.saturating_duration_since(now);
        // The first one is due at once.
        let is_late = left.is_zero() && self.repetitions > 0 && !self.every.is_zero();
        self.late += u32::from(is_late);
        self.next = self.next.max(now) + self.every;
        self.repetitions += 1;
        thread::sleep(left);
    }

    /// Returns the number of repetitions that were due while another went on.
    pub fn late(&self) -> u32 {
        self.late
    }

    /// Returns a message if the pace was not kept: how many of which repetitions were late, and how
    /// long one took.
    pub fn excuse(&self, name: &str) -> Option<String> {
        let Self {
            late, repetitions, ..
        } = *self;
        let took = self.begun.elapsed().as_secs_f64() / f64::from(repetitions.max(1));
        let every = self.every.as_secs_f64();
        (late > 0).then(|| {
            format!(
                "{late} of {repetitions} {name} began late, as the one before went on: {every} s were asked for, and one took {took:.3} s in the mean"
            )
        })
    }
}
