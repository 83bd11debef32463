//! Probes: sources of round-trip times.

use serde::{Deserialize, Serialize};

/// A round-trip time between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RoundTrip {
    /// Shortest time that was seen, in nanoseconds.
    pub minimum: u64,
    /// Spread of repetitions of the measurement, in nanoseconds: the largest less the smallest of
    /// their minima.
    pub spread: u64,
}

/// A measurement that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished<E> {
    /// The pair, as it was begun.
    pub pair: (usize, usize),
    /// Its round-trip time, or why there is none.
    pub result: Result<RoundTrip, E>,
}

/// Source of round-trip times: a matrix that was recorded, a simulator, or hosts that answer.
///
/// Several measurements go on at a time: [`begin`](Self::begin) does not wait, and
/// [`finish`](Self::finish) waits for whichever is done first. Whoever calls keeps them apart: a
/// host takes part in one measurement at a time, so that none disturbs another.
pub trait Probe {
    /// Reason for which a pair could not be measured.
    type Error;

    /// Begins to measure the pair of two hosts, of which the first sends. Neither takes part in
    /// another measurement that is going on.
    fn begin(&mut self, a: usize, b: usize);

    /// Waits until a measurement that was begun is done. It is called only while some are going on,
    /// and gives each once.
    fn finish(&mut self) -> Finished<Self::Error>;

    /// Returns the host that an error is about, if one alone has failed: others may go on without
    /// it.
    fn failed_host(&self, _error: &Self::Error) -> Option<usize> {
        None
    }

    /// Returns whether measuring a pair again may give another time, as it does unless the times
    /// were recorded.
    fn can_repeat(&self) -> bool {
        true
    }

    /// Returns whether some pairs have no time, which is an error of none of the hosts: inference
    /// does without. Hosts are then added in the order of their numbers, one after the other.
    fn is_sparse(&self) -> bool {
        false
    }
}
