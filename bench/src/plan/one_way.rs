//! One-way latency between two threads: how far apart their cores are at the moment.
//!
//! A host moves virtual cores. The latency between two was 45 ns mostly, and 220 at times, where
//! every plan for two processors took three times as long. So it stands beside what was measured.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use std::{hint, thread};

/// Ratio of the latencies before and after a row from which on cores have moved in between.
///
/// Latencies of two virtual cores were 13, 31 or 152 ns, each within a tenth, in 800 measurements.
/// A tenth of these were in another state than the one before, 30 ms ago.
const MOVED: f64 = 1.5;

/// Latency in nanoseconds from which on threads share a core. Cores of one machine are a third of a
/// microsecond apart at most, and threads that take turns on one took 4 to 27 microseconds.
const SHARED: f64 = 1_000.0;

/// Rounds of a measurement, some 30 us each. The fastest of nine was in one of the states in all of
/// 800 measurements. Their median took 4 to 8 us in a tenth.
const ROUNDS: usize = 9;

/// Passes of the word in a round: starting a thread takes some of them, which are not counted.
const PASSES: u32 = 1_000;

/// Spins after which a thread lets others have its core: some 10 us, a hundred times what a word
/// takes. Without that two threads on one core pass the word once in a time slice.
const SPINS: u32 = 1_000;

/// Returns the nanoseconds in which a word gets from one thread to another, in the fastest round.
/// Threads that share a core for a moment take microseconds. None where there is one core.
pub(super) fn one_way() -> Option<f64> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let rounds = (0..ROUNDS).map(|_| round());
    (cores > 1).then(|| rounds.fold(f64::INFINITY, f64::min))
}

/// Returns the nanoseconds of a pass, once both threads run.
fn round() -> f64 {
    let word = AtomicU32::new(0);
    // One thread waits for even numbers, the other for odd ones.
    let pass = |from: u32| {
        let mut start = Instant::now();
        for count in (from..PASSES).step_by(2) {
            let mut spins = 0;
            while word.load(Ordering::Acquire) != count {
                spins += 1;
                match spins % SPINS {
                    0 => thread::yield_now(),
                    _ => hint::spin_loop(),
                }
            }
            if count <= 2 {
                start = Instant::now();
            }
            word.store(count + 1, Ordering::Release);
        }
        start.elapsed()
    };
    // From the pass that this thread sees first, of its second word, to that of its last.
    let passes = f64::from(PASSES - 4);
    thread::scope(|scope| {
        scope.spawn(|| pass(1));
        pass(0).as_nanos() as f64 / passes
    })
}

/// Returns whether cores have moved between two measurements, or threads have shared one.
pub(super) fn has_moved([before, after]: [f64; 2]) -> bool {
    before.max(after) > SHARED.min(MOVED * before.min(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_takes_a_time_and_cores_that_stay_have_not_moved() {
        assert!(one_way().is_none_or(|time| time > 0.0));
        assert!(!has_moved([45.0, 60.0]) && !has_moved([60.0, 45.0]));
        assert!(has_moved([45.0, 220.0]) && has_moved([220.0, 45.0]));
        assert!(has_moved([26_800.0, 26_900.0]));
    }
}
