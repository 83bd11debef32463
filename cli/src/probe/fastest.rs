//! Times of a call, of which the fastest counts.

use std::time::{Duration, Instant};

/// Repetitions of which the fastest counts.
const REPETITIONS: usize = 200;

/// Time after which there are no more of them.
const PATIENCE: Duration = Duration::from_millis(200);

/// Returns the nanoseconds of the fastest of many calls.
pub(super) fn fastest(call: impl FnMut()) -> f64 {
    fastest_within(PATIENCE, call)
}

/// Returns the same, with less or more patience.
pub(super) fn fastest_within(patience: Duration, mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        call();
        fastest = fastest.min(start.elapsed());
        if begin.elapsed() > patience {
            break;
        }
    }
    fastest.as_secs_f64() * 1e9
}
