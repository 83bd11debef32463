//! The price of a barrier option by simulation: independent paths, of which many end early.
//!
//! The random numbers of a path come from a generator whose state is a counter. Each path has a
//! stream of its own, whatever runs before it or beside it. So every path is the same for every
//! number of workers, and a sum in fixed order has the same bits.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// An up-and-out call on an asset whose price follows a geometric Brownian motion.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Price of the asset today.
    pub spot: f64,
    /// Price at which the holder may buy at the end.
    pub strike: f64,
    /// Price at which the call becomes worthless, looked at after each step.
    pub barrier: f64,
    /// Mean of the logarithm's change in a step.
    pub drift: f64,
    /// Standard deviation of the logarithm's change in a step.
    pub volatility: f64,
    /// Number of steps.
    pub steps: u32,
}

impl Call {
    /// Returns a call of a year in 250 steps, at 5 % interest and 30 % volatility, without
    /// discount.
    pub fn of_a_year() -> Self {
        let step: f64 = 1.0 / 250.0;
        Self {
            spot: 100.0,
            strike: 100.0,
            barrier: 120.0,
            drift: (0.05 - 0.5 * 0.3 * 0.3) * step,
            volatility: 0.3 * step.sqrt(),
            steps: 250,
        }
    }

    /// Returns what the call is worth at the end of one path.
    pub fn payoff(&self, path: u32) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        random.set_stream(u64::from(path));
        let barrier = (self.barrier / self.spot).ln();
        let mut logarithm = 0.0;
        for _ in 0..self.steps {
            let normal: f64 = random.sample(StandardNormal);
            logarithm += self.drift + self.volatility * normal;
            if logarithm >= barrier {
                return 0.0;
            }
        }
        (self.spot * logarithm.exp() - self.strike).max(0.0)
    }
}
