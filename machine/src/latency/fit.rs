//! Distributions from samples.
//!
//! A window of equal samples, and one of a single sample, gives [`Distribution::Constant`]. All
//! fits give `None` for a window without samples, or with one that is not finite and positive.

use super::Distribution;

/// Fits a Pareto distribution by maximum likelihood.
///
/// The scale is the least sample, the shape is the number of samples by the sum of ln(sample /
/// scale). The shape is too high by m / (m - 2) on average over windows of m samples.
///
/// ```
/// use superstep_machine::latency::{Distribution, fit};
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
/// use superstep_machine::latency::{Distribution, fit};
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
    let value = least(samples)?;
    if samples.iter().all(|&x| x == value) {
        return Some(Distribution::Constant { value });
    }
    let m = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / m;
    let squares: f64 = samples.iter().map(|x| (x - mean) * (x - mean)).sum();
    Some(Distribution::Normal {
        mean,
        deviation: (squares / (m - 1.0)).sqrt(),
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
/// Forecasts go as 1 / (shape - 1), and a step within a window gives shapes of 1 to 1.5: those fits
/// made the error of forecasts 5 to 100 times larger on all synthetic traces with steps. Fits from
/// 3 on, of finite variance, need no guard.
pub const GUARDED: f64 = 3.0;

/// Fits a Pareto distribution as [`pareto`] does, and caps it if its shape is below [`GUARDED`].
///
/// The cap is that of [`winsorise`], or the largest sample where that is less: after a step down
/// the quantile is a hundred times the largest sample, and forecasts were as far off.
pub fn guarded_pareto(samples: &[f64]) -> Option<Distribution> {
    let fit = pareto(samples)?;
    let largest = samples.iter().copied().fold(0.0, f64::max);
    Some(match winsorise(fit, samples.len()) {
        Distribution::Pareto { scale, shape, cap } if shape < GUARDED => Distribution::Pareto {
            scale,
            shape,
            cap: cap.map(|cap| cap.min(largest)),
        },
        _ => fit,
    })
}

/// Returns the least sample, if all are finite and positive.
fn least(samples: &[f64]) -> Option<f64> {
    let fine = samples.iter().all(|x| x.is_finite() && *x > 0.0);
    let least = samples.iter().copied().reduce(f64::min)?;
    fine.then_some(least)
}
