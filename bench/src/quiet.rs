//! Watch for noisy neighbours: others on the machine that slow a measurement down.
//!
//! Guests of one host share cores, caches and power without seeing each other. A loop over vectors
//! takes up to twice as long while another guest's thread runs on the same core. That lasts a tenth
//! of a second or minutes. Times that are measured then say nothing of the forms that are compared.
//!
//! A short loop of the same work on every core, before and after, tells, and so does the time of
//! copying the input. Where one takes longer than it has before, someone was there, and the
//! measurement is repeated. Its own time does not decide that, which would favour short ones.

use std::hint;
use std::time::{Duration, Instant};

/// Ratio of the loop's or the copy's time to its shortest, from which on a measurement was
/// disturbed. Frequencies of cores alone vary by less.
const DISTURBED: f64 = 1.15;
/// Seconds that are added to both times of a copy, as those of small inputs vary by microseconds.
const SLACK: f64 = 1e-5;
/// Loops in a row, of which the shortest counts: threads have to wake, and others of ours to fall
/// asleep.
const LOOPS: usize = 4;
/// Time for which the shortest time of the loop is looked for before all measurements.
const FIRST: Duration = Duration::from_millis(300);
/// Number of times that a measurement is made, at most.
const TIMES: usize = 20;

/// Watches for others, and counts what they disturbed.
pub(crate) struct Quiet {
    /// The shortest time of the loop, in seconds.
    shortest_loop: f64,
    /// The shortest time that copying the input took, in seconds.
    shortest_copy: f64,
    measurements: usize,
    /// Measurements that were disturbed each time they were made.
    disturbed: usize,
}

/// Times of a measurement, in seconds.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    /// Copying the input. It tells of the memory, as the loop does of the cores.
    pub(crate) copy: f64,
    /// Running.
    pub(crate) run: f64,
}

impl Quiet {
    /// Finds out how long the loop takes on every thread of the present pool at its best.
    pub(crate) fn new() -> Self {
        let start = Instant::now();
        let mut shortest_loop = f64::INFINITY;
        while start.elapsed() < FIRST {
            shortest_loop = shortest_loop.min(longest_of_all());
        }
        Self {
            shortest_loop,
            shortest_copy: f64::INFINITY,
            measurements: 0,
            disturbed: 0,
        }
    }

    /// Returns how long a run takes that nobody disturbs, in seconds; where each of twenty was
    /// disturbed, that of the least disturbed one. All measurements have to copy one input, as
    /// their copies are compared.
    pub(crate) fn measure(&mut self, mut measure: impl FnMut() -> Measured) -> f64 {
        self.measurements += 1;
        let (mut least, mut run) = (f64::INFINITY, 0.0);
        for _ in 0..TIMES {
            let before = self.cores();
            let measured = measure();
            let disturbance = before.max(self.memory(measured.copy)).max(self.cores());
            if disturbance < least {
                (least, run) = (disturbance, measured.run);
            }
            if least < DISTURBED {
                return run;
            }
        }
        self.disturbed += 1;
        run
    }

    /// Returns the share of the measurements that were disturbed each time.
    pub(crate) fn disturbed(&self) -> f64 {
        self.disturbed as f64 / self.measurements.max(1) as f64
    }

    /// Returns how many times its shortest time the loop takes now.
    fn cores(&mut self) -> f64 {
        let now = (0..LOOPS)
            .map(|_| longest_of_all())
            .fold(f64::INFINITY, f64::min);
        self.shortest_loop = self.shortest_loop.min(now);
        now / self.shortest_loop
    }

    /// Returns how many times its shortest time a copy of `seconds` took.
    fn memory(&mut self, seconds: f64) -> f64 {
        self.shortest_copy = self.shortest_copy.min(seconds);
        (seconds + SLACK) / (self.shortest_copy + SLACK)
    }
}

/// Returns the longest that the loop takes on any thread of the present pool, all of them at once,
/// in seconds.
fn longest_of_all() -> f64 {
    let all = rayon::broadcast(|_| seconds());
    all.into_iter().fold(0.0, f64::max)
}

/// Returns how long a loop over vectors in L1 takes: some 10 us.
fn seconds() -> f64 {
    let mut values = hint::black_box([1.0_f64; 512]);
    let start = Instant::now();
    for _ in 0..100 {
        for value in hint::black_box(&mut values) {
            *value = *value * 0.5 + 0.25;
        }
    }
    hint::black_box(&values);
    start.elapsed().as_secs_f64()
}
