//! Probes: sources of round-trip times.

use std::collections::VecDeque;

/// A round-trip time between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Probe that calls a function for one pair after the other.
///
/// ```
/// use superstep_network::topology::{OneByOne, Probe, RoundTrip};
///
/// let mut probe = OneByOne::new(|a: usize, b: usize| {
///     let minimum = 40_000 + 1000 * a.abs_diff(b) as u64;
///     Ok::<_, std::convert::Infallible>(RoundTrip { minimum, spread: 0 })
/// });
/// probe.begin(0, 3);
/// assert_eq!(probe.finish().result?.minimum, 43_000);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug)]
pub struct OneByOne<F> {
    round_trip: F,
    waiting: VecDeque<(usize, usize)>,
}

impl<F> OneByOne<F> {
    /// Makes a probe of a function that measures a pair.
    pub fn new(round_trip: F) -> Self {
        Self {
            round_trip,
            waiting: VecDeque::new(),
        }
    }
}

impl<E, F: FnMut(usize, usize) -> Result<RoundTrip, E>> Probe for OneByOne<F> {
    type Error = E;

    fn begin(&mut self, a: usize, b: usize) {
        self.waiting.push_back((a, b));
    }

    fn finish(&mut self) -> Finished<E> {
        let pair = self
            .waiting
            .pop_front()
            .expect("a measurement is waited for only after it is begun");
        Finished {
            pair,
            result: (self.round_trip)(pair.0, pair.1),
        }
    }
}
