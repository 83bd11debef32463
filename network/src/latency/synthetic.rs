//! Synthetic traces of round-trip times, for tests and measurements: all that recorded ones were
//! found to do, in any strength.
//!
//! Samples are Pareto with a tail that varies slowly and by the time of day. On top there are
//! isolated spikes, and steps: a route changes, and changes back. A trace is the same for the same
//! seed, on any machine whose libraries round exponentials alike.

use rand_pcg::{Pcg64, rand_core::Rng};

use super::Samples;

/// Periods in a day: a period is a minute.
const DAY: f64 = 1440.0;

/// Character of a trace. Times are milliseconds and minutes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Name, for tables.
    pub name: &'static str,
    /// Probability that a sample has a spike: Pareto of scale 30 ms and shape 1.3, at most a
    /// second.
    pub spikes: f64,
    /// Mild steps of a path in a week: by 5 % at the median, three of ten of them down.
    pub mild: f64,
    /// Large steps of a path in a week: by a factor of 3 to 10.
    pub large: f64,
    /// Strength of the slow part of the level.
    pub amplitude: f64,
    /// Time in which the slow part changes.
    pub correlation: f64,
}

/// Traces of all kinds.
pub const KINDS: [Traffic; 6] = {
    let calm = Traffic {
        name: "calm",
        spikes: 0.0,
        mild: 0.0,
        large: 0.0,
        amplitude: 0.0,
        correlation: 600.0,
    };
    [
        calm,
        Traffic {
            name: "spiky",
            spikes: 0.004,
            ..calm
        },
        Traffic {
            name: "mild steps",
            spikes: 0.001,
            mild: 4.0,
            ..calm
        },
        Traffic {
            name: "steps",
            spikes: 0.001,
            mild: 4.0,
            large: 0.3,
            ..calm
        },
        Traffic {
            name: "persistent",
            spikes: 0.001,
            mild: 2.0,
            amplitude: 8.0,
            correlation: 90.0,
            ..calm
        },
        Traffic {
            name: "persistent steps",
            spikes: 0.001,
            mild: 4.0,
            large: 0.3,
            amplitude: 8.0,
            correlation: 90.0,
        },
    ]
};

/// Makes a trace.
///
/// ```
/// use superstep_network::latency::synthetic::{KINDS, trace};
///
/// let samples = trace(&KINDS[1], 64, 1000, 7);
/// assert_eq!((samples.paths(), samples.periods()), (64, 1000));
/// assert_eq!(samples, trace(&KINDS[1], 64, 1000, 7));
/// ```
pub fn trace(traffic: &Traffic, paths: usize, periods: usize, seed: u64) -> Samples {
    let path = |path: usize| {
        // A stream of random numbers for each path.
        let mut random = Random(Pcg64::new(seed.into(), path as u128));
        one(traffic, periods, &mut random)
    };
    let columns: Vec<Vec<f64>> = (0..paths.max(1)).map(path).collect();
    Samples::new(&columns).expect("a trace has positive values in equal number")
}

/// Samples of one path.
fn one(traffic: &Traffic, periods: usize, random: &mut Random) -> Vec<f64> {
    let scale = random.lognormal(41.0, 0.75).clamp(1.0, 238.0);
    let shape = random.lognormal(45.0, 0.9);
    let phase = random.uniform();
    let decay = (-1.0 / traffic.correlation).exp();
    let fresh = (1.0 - decay * decay).sqrt();
    let mut slow = random.normal();
    let (mut mild, mut large) = (Step::default(), Step::default());
    let periods = 0..periods.max(1);
    periods
        .map(|period| {
            slow = decay * slow + fresh * random.normal();
            let daily = (std::f64::consts::TAU * (period as f64 / DAY + phase)).sin();
            let tail = shape * (-0.3 * slow - 0.3 * daily).exp();
            let factor = mild.next(traffic.mild, random, |random| {
                let size = random.lognormal(0.05, 0.7);
                if random.uniform() < 0.3 {
                    1.0 / (1.0 + size)
                } else {
                    1.0 + size
                }
            }) * large
                .next(traffic.large, random, |random| 3.0 + 7.0 * random.uniform());
            let noise = (1.0 - random.uniform()).powf(-1.0 / tail);
            let level = 1.0 + traffic.amplitude * (0.7 * slow).exp() / shape;
            let mut sample = scale * factor * (noise + level - 1.0);
            if random.uniform() < traffic.spikes {
                sample += (30.0 * (1.0 - random.uniform()).powf(-1.0 / 1.3)).min(1000.0);
            }
            // As they were recorded: whole milliseconds.
            sample.clamp(1.0, 1e4).round()
        })
        .collect()
}

/// A route that is now and then another for a while.
#[derive(Default)]
struct Step {
    factor: f64,
    left: f64,
}

impl Step {
    /// Returns the factor of the next period.
    fn next(
        &mut self,
        per_week: f64,
        random: &mut Random,
        factor: impl FnOnce(&mut Random) -> f64,
    ) -> f64 {
        self.left -= 1.0;
        if self.left > 0.0 {
            return self.factor;
        }
        if random.uniform() < per_week / (7.0 * DAY) {
            self.factor = factor(random);
            self.left = random.lognormal(60.0, 1.5).max(1.0);
            return self.factor;
        }
        1.0
    }
}

/// Random numbers.
struct Random(Pcg64);

impl Random {
    /// Draws a uniform number in 0..1.
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * f64::EPSILON / 2.0
    }

    /// Draws a standard normal number (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn lognormal(&mut self, median: f64, deviation: f64) -> f64 {
        median * (deviation * self.normal()).exp()
    }
}
