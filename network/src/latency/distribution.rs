//! Distributions of the latency of one path: probabilities, quantiles and moments.
//!
//! Parameters are in their ranges where they are read from a file. For those that are made in code
//! [`validate`](Distribution::validate) checks it.

use libm::{erfc, lgamma};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Recorded, gamma};
use superstep_machine::InvalidValue;

/// Distribution of the latency of one path, in the unit of its samples.
///
/// In a file it is a table with one key, the kind:
///
/// ```
/// use superstep_network::latency::Distribution;
///
/// #[derive(serde::Deserialize)]
/// struct File {
///     latency: Distribution,
/// }
///
/// let file: File = toml::from_str("latency = { pareto = { scale = 41.7, shape = 16.9 } }")?;
/// assert_eq!(file.latency, Distribution::Pareto { scale: 41.7, shape: 16.9, cap: None });
///
/// let error = toml::from_str::<File>("latency = { normal = { mean = 5, deviation = -1 } }").err().unwrap();
/// assert!(error.message().contains("`deviation` must be a finite number, at least 0, not -1"));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields, remote = "Self")]
pub enum Distribution {
    /// One value, always.
    Constant {
        /// The value: finite, at least 0.
        value: f64,
    },
    /// Pareto: P(X > x) = (scale / x)^shape from the scale on. The smaller the shape, the heavier
    /// the tail.
    Pareto {
        /// Least latency (k): finite, above 0.
        scale: f64,
        /// Exponent of the tail (alpha): finite, above 0. The mean is finite above 1, the variance
        /// above 2.
        shape: f64,
        /// Winsorised upper end: all beyond it counts as it. Finite, at least the scale.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cap: Option<f64>,
    },
    /// Normal, not truncated at 0.
    Normal {
        /// Mean: finite, at least 0.
        mean: f64,
        /// Standard deviation: finite, at least 0.
        deviation: f64,
    },
    /// Lognormal: the logarithm of the latency is normal.
    Lognormal {
        /// Median: finite, above 0.
        median: f64,
        /// Standard deviation of the natural logarithm: finite, above 0.
        deviation: f64,
    },
    /// Weibull: P(X > x) = e^-(x / scale)^shape. It is exponential where the shape is 1.
    Weibull {
        /// Latency that e^-1 of all exceed: finite, above 0.
        scale: f64,
        /// Exponent: finite, above 0. The smaller the shape, the heavier the tail.
        shape: f64,
    },
    /// Gamma: the density is as x^(shape - 1) e^(-x / scale).
    Gamma {
        /// Mean by the shape: finite, above 0.
        scale: f64,
        /// Shape: finite, above 0.
        shape: f64,
    },
    /// Recorded samples; files have them under a key of their own.
    #[serde(skip_deserializing)]
    Recorded(Recorded),
}

// Serde derives the functions `serialize` and `deserialize` of a remote type, here of this one; the
// second is followed by a check.
impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let distribution = Self::deserialize(deserializer)?;
        distribution.validate().map_err(D::Error::custom)?;
        Ok(distribution)
    }
}

impl Distribution {
    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// The first parameter that is not.
    pub fn validate(&self) -> Result<(), InvalidValue> {
        let positive = InvalidValue::first_not_positive;
        match *self {
            Self::Constant { value } => InvalidValue::first(&[("value", value)]),
            Self::Normal { mean, deviation } => {
                InvalidValue::first(&[("mean", mean), ("deviation", deviation)])
            }
            Self::Lognormal { median, deviation } => {
                positive(&[("median", median), ("deviation", deviation)])
            }
            Self::Weibull { scale, shape } | Self::Gamma { scale, shape } => {
                positive(&[("scale", scale), ("shape", shape)])
            }
            Self::Recorded(_) => Ok(()),
            Self::Pareto { scale, shape, cap } => {
                positive(&[("scale", scale), ("shape", shape)])?;
                match cap {
                    Some(cap) if !(cap.is_finite() && cap >= scale) => {
                        let wanted = "a finite number, at least the scale";
                        Err(InvalidValue::new("cap", cap, wanted))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Returns the probability that the latency is at most `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        match *self {
            Self::Normal { mean, deviation } if deviation > 0.0 => {
                upper_tail((mean - x) / deviation)
            }
            Self::Constant { value: least } | Self::Normal { mean: least, .. } => {
                f64::from(x >= least)
            }
            Self::Pareto { scale, .. } if x < scale => 0.0,
            Self::Pareto { cap: Some(cap), .. } if x >= cap => 1.0,
            Self::Pareto { scale, shape, .. } => -f64::exp_m1(shape * (scale / x).ln()),
            Self::Lognormal { median, deviation } if x > 0.0 => {
                upper_tail((median / x).ln() / deviation)
            }
            Self::Weibull { scale, shape } if x > 0.0 => -f64::exp_m1(-(x / scale).powf(shape)),
            Self::Lognormal { .. } | Self::Weibull { .. } => 0.0,
            Self::Gamma { scale, shape } => gamma::probabilities(shape, x / scale)[0],
            Self::Recorded(ref recorded) => recorded.cdf(x),
        }
    }

    /// Returns the probability that the latency is above `x`, without cancellation where it is
    /// small.
    pub fn survival(&self, x: f64) -> f64 {
        match *self {
            Self::Normal { mean, deviation } if deviation > 0.0 => {
                upper_tail((x - mean) / deviation)
            }
            Self::Pareto { scale, cap, .. } if x < scale || cap.is_some_and(|cap| x >= cap) => {
                f64::from(x < scale)
            }
            Self::Pareto { scale, shape, .. } => (shape * (scale / x).ln()).exp(),
            Self::Lognormal { median, deviation } if x > 0.0 => {
                upper_tail((x / median).ln() / deviation)
            }
            Self::Weibull { scale, shape } if x > 0.0 => (-(x / scale).powf(shape)).exp(),
            Self::Gamma { scale, shape } => gamma::probabilities(shape, x / scale)[1],
            Self::Recorded(ref recorded) => recorded.survival(x),
            _ => 1.0 - self.cdf(x),
        }
    }

    /// Returns the least latency whose [`cdf`](Self::cdf) is at least `probability`, which is from
    /// 0 to 1.
    pub fn quantile(&self, probability: f64) -> f64 {
        match *self {
            Self::Normal { mean, deviation } if deviation > 0.0 => {
                mean + deviation * normal_quantile(probability)
            }
            Self::Constant { value } | Self::Normal { mean: value, .. } => value,
            Self::Pareto { scale, shape, cap } => {
                let quantile = scale * f64::exp(-f64::ln_1p(-probability) / shape);
                cap.map_or(quantile, |cap| quantile.min(cap))
            }
            Self::Lognormal { median, deviation } => {
                median * (deviation * normal_quantile(probability)).exp()
            }
            Self::Weibull { scale, shape } => scale * (-f64::ln_1p(-probability)).powf(1.0 / shape),
            Self::Gamma { .. } => self.bisected(probability),
            Self::Recorded(ref recorded) => recorded.quantile(probability),
        }
    }

    /// Returns the quantile of a distribution of positive values by bisection, which takes its
    /// `cdf` and its mean alone.
    fn bisected(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        if probability >= 1.0 {
            return high;
        }
        let mut middle = self.mean();
        while low < middle && middle < high {
            if self.cdf(middle) < probability {
                low = middle;
            } else {
                high = middle;
            }
            middle = if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * low
            };
        }
        high
    }

    /// Returns a value that the latency is below with a probability of at most 1e-32.
    pub(super) fn least(&self) -> f64 {
        match *self {
            Self::Constant { value } => value,
            Self::Pareto { scale, .. } => scale,
            Self::Normal { mean, deviation } => mean - 12.0 * deviation,
            Self::Lognormal { median, deviation } => median * (-12.0 * deviation).exp(),
            Self::Weibull { scale, shape } => scale * 1e-32_f64.powf(1.0 / shape),
            // Without its factor e^-x, which is at most 1, the density is a bound from above.
            Self::Gamma { scale, shape } => {
                scale * ((1e-32_f64.ln() + lgamma(shape + 1.0)) / shape).exp()
            }
            Self::Recorded(ref recorded) => recorded.values()[0],
        }
    }

    /// Returns the distribution of the latency times `factor`, which is above 0.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        match &mut self {
            Self::Constant { value: scale }
            | Self::Lognormal { median: scale, .. }
            | Self::Weibull { scale, .. }
            | Self::Gamma { scale, .. } => *scale *= factor,
            Self::Pareto { scale, cap, .. } => {
                *scale *= factor;
                *cap = cap.map(|cap| factor * cap);
            }
            Self::Normal { mean, deviation } => {
                *mean *= factor;
                *deviation *= factor;
            }
            Self::Recorded(recorded) => *recorded = recorded.scaled(factor),
        }
        self
    }

    /// Returns the mean; infinite for a Pareto distribution of shape 1 or less without a cap.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant { value } | Self::Normal { mean: value, .. } => value,
            Self::Pareto {
                scale,
                shape,
                cap: Some(cap),
            } => scale + pareto_tail(scale, shape, cap),
            Self::Pareto { shape, .. } if shape <= 1.0 => f64::INFINITY,
            Self::Pareto { scale, shape, .. } => scale * shape / (shape - 1.0),
            Self::Lognormal { median, deviation } => median * (0.5 * deviation * deviation).exp(),
            Self::Weibull { scale, shape } => scale * lgamma(1.0 + 1.0 / shape).exp(),
            Self::Gamma { scale, shape } => scale * shape,
            Self::Recorded(ref recorded) => recorded.mean(),
        }
    }

    /// Returns the standard deviation; infinite for a Pareto distribution of shape 2 or less
    /// without a cap.
    pub fn deviation(&self) -> f64 {
        match *self {
            Self::Constant { .. } => 0.0,
            Self::Normal { deviation, .. } => deviation,
            Self::Pareto {
                scale,
                shape,
                cap: Some(cap),
            } => {
                let ratio = (cap / scale).ln();
                let excess = pareto_tail(scale, shape, cap);
                // E[(X - k)^2] = 2 int (x - k) (k / x)^a dx.
                let square = 2.0 * scale * scale * integral_of_exp(2.0 - shape, ratio)
                    - 2.0 * scale * excess;
                (square - excess * excess).max(0.0).sqrt()
            }
            Self::Pareto { shape, .. } if shape <= 2.0 => f64::INFINITY,
            Self::Pareto { scale, shape, .. } => {
                scale / (shape - 1.0) * (shape / (shape - 2.0)).sqrt()
            }
            Self::Lognormal { deviation, .. } => {
                self.mean() * (deviation * deviation).exp_m1().sqrt()
            }
            Self::Weibull { shape, .. } => {
                let ratio = lgamma(1.0 + 2.0 / shape) - 2.0 * lgamma(1.0 + 1.0 / shape);
                self.mean() * ratio.exp_m1().max(0.0).sqrt()
            }
            Self::Gamma { scale, shape } => scale * shape.sqrt(),
            Self::Recorded(ref recorded) => recorded.deviation(),
        }
    }
}

/// Returns the integral of (scale / x)^shape over x from the scale to `end`.
fn pareto_tail(scale: f64, shape: f64, end: f64) -> f64 {
    scale * integral_of_exp(1.0 - shape, (end / scale).ln())
}

/// Returns the integral of e^(rate u) over u from 0 to `end`, with its limit at a rate of 0.
pub(super) fn integral_of_exp(rate: f64, end: f64) -> f64 {
    if rate == 0.0 {
        end
    } else {
        (rate * end).exp_m1() / rate
    }
}

/// Returns the probability that a standard normal variable is above `z`.
pub(super) fn upper_tail(z: f64) -> f64 {
    0.5 * erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Returns the quantile of the standard normal distribution.
///
/// It bisects in 64 steps: a rational approximation is faster, but has forty constants.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let (sign, tail) = if probability < 0.5 {
        (-1.0, probability)
    } else {
        (1.0, 1.0 - probability)
    };
    if tail <= 0.0 {
        return sign * f64::INFINITY;
    }
    // The tail beyond 39 is less than the smallest positive double.
    let (mut low, mut high) = (0.0, 39.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if upper_tail(middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    sign * high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> [Distribution; 10] {
        let pareto = |shape, cap| Distribution::Pareto {
            scale: 3.0,
            shape,
            cap,
        };
        [
            Distribution::Constant { value: 3.0 },
            Distribution::Normal {
                mean: 30.0,
                deviation: 2.0,
            },
            pareto(4.5, None),
            pareto(1.0, Some(50.0)),
            pareto(0.7, Some(50.0)),
            Distribution::Lognormal {
                median: 30.0,
                deviation: 0.4,
            },
            Distribution::Weibull {
                scale: 30.0,
                shape: 1.5,
            },
            Distribution::Gamma {
                scale: 3.0,
                shape: 2.5,
            },
            Distribution::Gamma {
                scale: 3e-4,
                shape: 2e4,
            },
            Distribution::Recorded(Recorded::of(&SAMPLES).unwrap()),
        ]
    }

    const SAMPLES: [f64; 14] = [
        7.0, 3.0, 4.5, 9.0, 8.0, 3.5, 12.0, 6.0, 7.5, 5.0, 4.0, 30.0, 6.5, 5.5,
    ];

    #[test]
    fn quantiles_are_inverse_to_probabilities() {
        for distribution in kinds() {
            for percent in 1..100 {
                let probability = f64::from(percent) / 100.0;
                let x = distribution.quantile(probability);
                assert!(distribution.cdf(x) >= probability * (1.0 - 1e-12));
                assert!(distribution.cdf(x * (1.0 - 1e-9)) < probability);
            }
        }
    }

    #[test]
    fn moments_are_those_of_equally_likely_quantiles() {
        for distribution in kinds() {
            let count = 40_000;
            let values = (0..count)
                .map(|at| distribution.quantile((f64::from(at) + 0.5) / f64::from(count)));
            let (sum, squares) =
                values.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
            let mean = sum / f64::from(count);
            let deviation = (squares / f64::from(count) - mean * mean).max(0.0).sqrt();
            assert!((distribution.mean() / mean - 1.0).abs() < 1e-3);
            for x in [mean, 1.5 * mean, 4.0 * mean] {
                let sum = distribution.cdf(x) + distribution.survival(x);
                assert!((sum - 1.0).abs() < 1e-14);
            }
            // The tail beyond the last quantile has a part of the variance.
            assert!((distribution.deviation() - deviation).abs() < 0.02 * deviation + 1e-6);
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let error = |text: &str| {
            serde_json::from_str::<Distribution>(text)
                .unwrap_err()
                .to_string()
        };
        for (text, message) in [
            (
                r#"{"constant":{"value":-1}}"#,
                "`value` must be a finite number, at least 0, not -1",
            ),
            (
                r#"{"pareto":{"scale":0,"shape":2}}"#,
                "`scale` must be a finite number above 0, not 0",
            ),
            (
                r#"{"pareto":{"scale":1,"shape":-2}}"#,
                "`shape` must be a finite number above 0, not -2",
            ),
            (
                r#"{"pareto":{"scale":2,"shape":2,"cap":1}}"#,
                "`cap` must be a finite number, at least the scale, not 1",
            ),
            (
                r#"{"lognormal":{"median":1,"deviation":0}}"#,
                "`deviation` must be a finite number above 0, not 0",
            ),
            (
                r#"{"gamma":{"scale":1,"shape":-1}}"#,
                "`shape` must be a finite number above 0, not -1",
            ),
            (
                r#"{"normal":{"mean":-2,"deviation":2}}"#,
                "`mean` must be a finite number, at least 0, not -2",
            ),
        ] {
            assert!(error(text).starts_with(message), "{}", error(text));
        }
        assert!(
            error(r#"{"normal":{"mean":2,"deviation":2,"cap":3}}"#)
                .starts_with("unknown field `cap`")
        );
    }

    #[test]
    fn files_hold_what_was_written() {
        for distribution in kinds() {
            let text = serde_json::to_string(&distribution).unwrap();
            let read = serde_json::from_str::<Distribution>(&text);
            if let Distribution::Recorded(_) = distribution {
                assert_eq!(text, r#"{"recorded":{"samples":14,"largest":30.0}}"#);
                let error = read.unwrap_err().to_string();
                assert!(error.starts_with("unknown variant `recorded`"), "{error}");
            } else {
                assert_eq!(read.unwrap(), distribution);
            }
        }
    }
}
