//! Tolerance: how far apart two points of a path may seem and be one.

use std::rc::Rc;

use super::Tolerance;
use crate::topology::RoundTrip;

/// Number of measurements of similar length whose median spread is the noise of one. Fewer follow
/// the noise of single pairs, which is often 0 by luck; more mix links of different kinds.
/// Simulations of 64 hosts in four clusters recover the tree with 41.
const NEIGHBOURS: usize = 41;

/// Logarithm of the ratio up to which lengths are alike: a factor of 2. Links between sites are
/// noisier than those inside.
const ALIKE: f64 = std::f64::consts::LN_2;

/// Resolution of the clocks in microseconds: nearer points are never told apart.
pub(super) const QUANTUM: f64 = 0.5;

/// Measurements so far, by length.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool(Rc<Vec<RoundTrip>>);

impl Pool {
    pub(super) fn add(&mut self, round_trips: impl IntoIterator<Item = RoundTrip>) {
        let all = Rc::make_mut(&mut self.0);
        all.extend(round_trips);
        all.sort_unstable_by_key(|one| (one.minimum, one.spread));
    }

    /// Returns the median spread, in nanoseconds, of a measurement and those whose lengths are
    /// nearest to its own by their ratio.
    pub(super) fn spread_near(&self, round_trip: RoundTrip) -> u64 {
        let all = &self.0;
        let length = |one: &RoundTrip| (one.minimum.max(1) as f64).ln();
        let wanted = length(&round_trip);
        let mut start = all.partition_point(|one| one.minimum < round_trip.minimum);
        let mut end = start;
        while end - start < NEIGHBOURS {
            let below = start.checked_sub(1).map(|at| wanted - length(&all[at]));
            let above = all.get(end).map(|one| length(one) - wanted);
            let (below, above) = (
                below.unwrap_or(f64::INFINITY),
                above.unwrap_or(f64::INFINITY),
            );
            if below.min(above) > ALIKE {
                break;
            }
            if below < above {
                start -= 1;
            } else {
                end += 1;
            }
        }
        let mut spreads: Vec<u64> = all[start..end].iter().map(|one| one.spread).collect();
        spreads.push(round_trip.spread);
        let middle = spreads.len() / 2;
        *spreads.select_nth_unstable(middle).1
    }

    /// Returns the tolerance in microseconds for a point found by two measurements.
    pub(super) fn tolerance(&self, rule: Tolerance, one: RoundTrip, other: RoundTrip) -> f64 {
        match rule {
            Tolerance::Pooled { factor } => {
                let spread = self.spread_near(one).max(self.spread_near(other));
                factor * spread as f64 / 1000.0 + QUANTUM
            }
            Tolerance::Spread => one.spread.max(other.spread) as f64 / 1000.0,
            Tolerance::Fixed { microseconds } => microseconds,
        }
    }

    /// Returns whether a measurement's spread stands out among the others so far that it should be
    /// repeated: five times their median.
    pub(super) fn stands_out(&self, round_trip: RoundTrip) -> bool {
        /// Below a microsecond nothing stands out.
        const LEAST: u64 = 1000;
        round_trip.spread > 5 * self.spread_near(round_trip).max(LEAST)
    }
}
