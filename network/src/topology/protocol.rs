//! Protocol by which the round-trip time of one pair is measured.

use serde::{Deserialize, Serialize};

use super::RoundTrip;

/// Measuring protocol: sets of pings, of which each ends when its minimum has settled.
///
/// The default is the published one: three sets of up to 30 pings. A set ends when 10 pings one
/// after the other have not lowered its minimum. What queues and other programs add to a ping is
/// never negative, so the minimum is the estimate. Three sets show how far it can be trusted.
///
/// ```
/// use superstep_network::topology::Protocol;
///
/// let mut times = [42_000, 40_000, 41_000].iter().cycle();
/// let ping = || Ok::<u64, std::io::Error>(*times.next().unwrap());
/// let measured = Protocol::default().measure(ping)?;
/// assert_eq!(measured.round_trip.minimum, 40_000);
/// assert_eq!(measured.round_trip.spread, 0);
/// assert!(measured.pings >= 3 * 11);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// Number of sets, at least 1.
    pub sets: u32,
    /// Most pings of a set, at least 1.
    pub most: u32,
    /// Number of pings, one after the other, that do not lower the minimum and so end a set; 0:
    /// none do.
    pub patience: u32,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            sets: 3,
            most: 30,
            patience: 10,
        }
    }
}

/// A pair's round-trip time, and the effort that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Smallest of the sets' minima, and how far these differ.
    pub round_trip: RoundTrip,
    /// Number of pings.
    pub pings: u32,
    /// Time that the pings took together, in nanoseconds.
    pub elapsed: u64,
}

impl Protocol {
    /// One ping, as a message of a program would be.
    pub const SINGLE: Self = Self {
        sets: 1,
        most: 1,
        patience: 0,
    };

    /// Returns the most pings of a pair.
    pub fn most_pings(&self) -> u32 {
        self.sets.max(1).saturating_mul(self.most.max(1))
    }

    /// Measures a pair with `ping`, which sends a few bytes forth and back and returns the time in
    /// nanoseconds.
    ///
    /// # Errors
    /// The first error of `ping`.
    pub fn measure<E>(&self, mut ping: impl FnMut() -> Result<u64, E>) -> Result<Measured, E> {
        let (mut least, mut largest) = (u64::MAX, 0);
        let (mut pings, mut elapsed) = (0, 0_u64);
        for _ in 0..self.sets.max(1) {
            let (mut minimum, mut in_vain) = (u64::MAX, 0);
            for _ in 0..self.most.max(1) {
                let time = ping()?;
                pings += 1;
                elapsed = elapsed.saturating_add(time);
                if time < minimum {
                    (minimum, in_vain) = (time, 0);
                } else {
                    in_vain += 1;
                    if in_vain == self.patience {
                        break;
                    }
                }
            }
            (least, largest) = (least.min(minimum), largest.max(minimum));
        }
        Ok(Measured {
            round_trip: RoundTrip {
                minimum: least,
                spread: largest - least,
            },
            pings,
            elapsed,
        })
    }
}
