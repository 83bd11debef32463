//! Distributions from samples.
//!
//! A window of equal samples, and one of a single sample, gives [`Distribution::Constant`]. All
//! fits give `None` for a window without samples, or with one that is not finite and positive.

use super::{Distribution, gamma::digamma};

/// Fits a Pareto distribution by maximum likelihood.
///
/// The scale is the least sample, the shape is the number of samples by the sum of ln(sample /
/// scale). The shape is too high by m / (m - 2) on average over windows of m samples.
///
/// ```
/// use superstep_network::latency::{Distribution, fit};
///
/// let Some(Distribution::Pareto { scale, shape, .. }) = fit::pareto(&[10.0, 80.0]) else { unreachable!() };
/// assert_eq!((scale, (shape * 1e3).round()), (10.0, 962.0));
/// assert_eq!(fit::pareto(&[7.0, 7.0]), Some(Distribution::Constant { value: 7.0 }));
/// ```
pub fn pareto(samples: &[f64]) -> Option<Distribution> {
    let scale = least(samples)?;
    let logarithms: f64 = samples.iter().map(|x| (x / scale).ln()).sum();
    if logarithms == 0.0 {
        return Some(Distribution::Constant { value: scale });
    }
    Some(Distribution::Pareto {
        scale,
        shape: samples.len() as f64 / logarithms,
        cap: None,
    })
}

/// Fits a Pareto distribution without bias: uniformly, the variance is the least that is possible
/// so.
///
/// Windows of one or two samples have no such fit, nor have some with a shape far below 1: these
/// get that of maximum likelihood.
pub fn pareto_unbiased(samples: &[f64]) -> Option<Distribution> {
    let fit = pareto(samples)?;
    if let Distribution::Pareto { scale, shape, .. } = fit {
        let m = samples.len() as f64;
        let unbiased = scale * (1.0 - 1.0 / ((m - 1.0) * shape));
        if m >= 3.0 && unbiased > 0.0 {
            return Some(Distribution::Pareto {
                scale: unbiased,
                shape: shape * (m - 2.0) / m,
                cap: None,
            });
        }
    }
    Some(fit)
}

/// Returns the Pareto distribution with a given mean and standard deviation, both above 0.
///
/// ```
/// use superstep_network::latency::{Distribution, fit};
///
/// let path = fit::pareto_of_moments(44.3, 2.8);
/// assert!((path.mean() - 44.3).abs() < 1e-9 && (path.deviation() - 2.8).abs() < 1e-9);
/// assert_eq!(fit::pareto_of_moments(5.0, 0.0), Distribution::Constant { value: 5.0 });
/// ```
pub fn pareto_of_moments(mean: f64, deviation: f64) -> Distribution {
    let shape = 1.0 + (mean / deviation).hypot(1.0);
    if !shape.is_finite() {
        return Distribution::Constant { value: mean };
    }
    Distribution::Pareto {
        scale: mean * (shape - 1.0) / shape,
        shape,
        cap: None,
    }
}

/// Fits a normal distribution: mean, and the standard deviation with the divisor m - 1 for m
/// samples.
pub fn normal(samples: &[f64]) -> Option<Distribution> {
    varied(samples, |samples| {
        let mean = mean(samples.iter().copied());
        let squares: f64 = samples.iter().map(|x| (x - mean) * (x - mean)).sum();
        Distribution::Normal {
            mean,
            deviation: (squares / (samples.len() - 1) as f64).sqrt(),
        }
    })
}

/// Caps a Pareto distribution at its upper 1/m quantile, for a fit of a window of m samples.
///
/// A window says nothing of what happens less than once in it. What is beyond counts as the cap, so
/// that the mean is finite, and no less than the scale. Other distributions stay.
pub fn winsorise(path: Distribution, window: usize) -> Distribution {
    match path {
        Distribution::Pareto { scale, shape, .. } => Distribution::Pareto {
            scale,
            shape,
            cap: Some((scale * (window as f64).powf(1.0 / shape)).clamp(scale, f64::MAX)),
        },
        other => other,
    }
}

/// Shape below which a fit is [guarded](guarded_pareto).
///
/// Forecasts go as 1 / (shape - 1), and a step within a window gives shapes of 1 to 1.5. Those fits
/// made the error of forecasts 5 to 100 times larger on all synthetic traces with steps. Fits from
/// 3 on, of finite variance, need no guard.
pub const GUARDED: f64 = 3.0;

/// Fits a Pareto distribution as [`pareto`] does, and caps it if its shape is below [`GUARDED`].
///
/// The cap is that of [`winsorise`], or the largest sample where that is less. After a step down
/// the quantile is a hundred times the largest sample, and forecasts were as far off.
pub fn guarded_pareto(samples: &[f64]) -> Option<Distribution> {
    let fit = pareto(samples)?;
    if !matches!(fit, Distribution::Pareto { shape, .. } if shape < GUARDED) {
        return Some(fit);
    }
    let largest = samples.iter().copied().fold(0.0, f64::max);
    Some(match winsorise(fit, samples.len()) {
        Distribution::Pareto { scale, shape, cap } => Distribution::Pareto {
            scale,
            shape,
            cap: cap.map(|cap| cap.min(largest)),
        },
        other => other,
    })
}

/// Fits a lognormal distribution by maximum likelihood.
///
/// ```
/// use superstep_network::latency::{Distribution, fit};
///
/// let Some(Distribution::Lognormal { median, .. }) = fit::lognormal(&[10.0, 40.0]) else { unreachable!() };
/// assert!((median - 20.0).abs() < 1e-12);
/// ```
pub fn lognormal(samples: &[f64]) -> Option<Distribution> {
    varied(samples, |samples| {
        let [mean, deviation] = of_logarithms(samples);
        Distribution::Lognormal {
            median: mean.exp(),
            deviation,
        }
    })
}

/// Fits an exponential distribution by maximum likelihood: a Weibull distribution of shape 1.
pub fn exponential(samples: &[f64]) -> Option<Distribution> {
    varied(samples, |samples| Distribution::Weibull {
        scale: mean(samples.iter().copied()),
        shape: 1.0,
    })
}

/// Steps of Newton's method, at most: from the shape that the spread of the logarithms gives, four
/// to eight reach the last digits.
const STEPS: usize = 100;

/// Fits a Weibull distribution by maximum likelihood.
pub fn weibull(samples: &[f64]) -> Option<Distribution> {
    varied(samples, |samples| {
        let largest = samples.iter().copied().fold(0.0, f64::max);
        // Of ln(sample / largest): powers of the ratios do not overflow.
        let logarithms: Vec<f64> = samples.iter().map(|x| (x / largest).ln()).collect();
        let level = mean(logarithms.iter().copied());
        // That of a Weibull distribution is pi / sqrt(6) by the shape.
        let mut shape = 1.28 / of_logarithms(samples)[1];
        for _ in 0..STEPS {
            let mut sums = [0.0; 3];
            for &logarithm in &logarithms {
                let weight = (shape * logarithm).exp();
                sums[0] += weight;
                sums[1] += weight * logarithm;
                sums[2] += weight * logarithm * logarithm;
            }
            let weighted = sums[1] / sums[0];
            let slope = 1.0 / (shape * shape) + sums[2] / sums[0] - weighted * weighted;
            let step = (1.0 / shape + level - weighted) / slope;
            shape = (shape + step).max(0.5 * shape);
            if step.abs() < 1e-12 * shape {
                break;
            }
        }
        let power = mean(logarithms.iter().map(|logarithm| (shape * logarithm).exp()));
        Distribution::Weibull {
            scale: largest * power.powf(1.0 / shape),
            shape,
        }
    })
}

/// Fits a gamma distribution by maximum likelihood (Minka 2002).
pub fn gamma(samples: &[f64]) -> Option<Distribution> {
    varied(samples, |samples| {
        let mean = mean(samples.iter().copied());
        let gap = mean.ln() - of_logarithms(samples)[0];
        let mut shape = (3.0 - gap + ((gap - 3.0).powi(2) + 24.0 * gap).sqrt()) / (12.0 * gap);
        for _ in 0..STEPS {
            // Secants: the derivative is a function of its own.
            let excess = |shape: f64| shape.ln() - digamma(shape) - gap;
            let near = 1e-4 * shape;
            let slope = (excess(shape + near) - excess(shape - near)) / (2.0 * near);
            let step = -excess(shape) / slope;
            shape = (shape + step).max(0.5 * shape);
            if step.abs() < 1e-10 * shape {
                break;
            }
        }
        Distribution::Gamma {
            scale: mean / shape,
            shape,
        }
    })
}

/// Fits samples that differ; equal ones are constant.
fn varied(samples: &[f64], fit: impl Fn(&[f64]) -> Distribution) -> Option<Distribution> {
    let value = least(samples)?;
    Some(if samples.iter().all(|&x| x == value) {
        Distribution::Constant { value }
    } else {
        fit(samples)
    })
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Returns the mean of the logarithms, and their standard deviation with the divisor m.
fn of_logarithms(samples: &[f64]) -> [f64; 2] {
    let level = mean(samples.iter().map(|x| x.ln()));
    let square = mean(samples.iter().map(|x| (x.ln() - level).powi(2)));
    [level, square.sqrt()]
}

/// Returns the least sample, if all are finite and positive.
pub(super) fn least(samples: &[f64]) -> Option<f64> {
    let fine = samples.iter().all(|x| x.is_finite() && *x > 0.0);
    let least = samples.iter().copied().reduce(f64::min)?;
    fine.then_some(least)
}
