//! Forecasts of how long the slowest path takes.

use std::fmt;

use super::{Distribution, Maximum, Samples, fit};

/// Forecast of a coming maximum from the samples up to now.
///
/// Windows are numbers of periods. A trace that is shorter than a window is taken whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// The last maximum.
    Last,
    /// Mean of the maxima of a window. It fits nothing and needs no independence.
    MeanMaximum {
        /// Periods.
        window: usize,
    },
    /// Mean of the maximum of normal distributions, one fitted to each path.
    Normal {
        /// Periods.
        window: usize,
    },
    /// Mean of the maximum of Pareto distributions, one fitted to each path and
    /// [guarded](fit::guarded_pareto).
    Pareto {
        /// Periods.
        window: usize,
    },
    /// The paper's own rule: see [`switching_rule`]. Its Pareto fits have no guard.
    Switching {
        /// Periods that the forecast looks ahead.
        lead: usize,
    },
}

/// Relative error of forecasts: far below that of any.
const FORECAST: f64 = 1e-6;

/// Returns the estimator that the paper chooses (its sections 4.3 and 4.4), where `lead` is the
/// number of periods that it looks ahead.
///
/// If all shapes of a window of 32 are above 1:
///
/// * normal with a window of 2 up to a lead of 16 (the paper allows the last value as well);
/// * Pareto with 32 from there on (the paper leaves out 17 to 31).
///
/// Else normal with 512.
///
/// ```
/// use superstep_network::latency::{Estimator, switching_rule};
///
/// assert_eq!(switching_rule(true, 16), Estimator::Normal { window: 2 });
/// assert_eq!(switching_rule(true, 32), Estimator::Pareto { window: 32 });
/// assert_eq!(switching_rule(false, 32), Estimator::Normal { window: 512 });
/// ```
pub fn switching_rule(all_shapes_above_one: bool, lead: usize) -> Estimator {
    match (all_shapes_above_one, lead) {
        (true, 0..=16) => Estimator::Normal { window: 2 },
        (true, _) => Estimator::Pareto { window: SWITCHING },
        (false, _) => Estimator::Normal { window: 512 },
    }
}

/// Window in which the switching rule looks at shapes.
const SWITCHING: usize = 32;

impl Estimator {
    /// Returns the forecast from the samples up to period `now`, which is below their number.
    pub fn forecast(self, samples: &Samples, now: usize) -> f64 {
        match self {
            Self::Last => samples.maximum(now),
            Self::MeanMaximum { window } => {
                let periods = recent(now, window);
                let count = periods.len() as f64;
                periods.map(|period| samples.maximum(period)).sum::<f64>() / count
            }
            _ => {
                let fits = self.fits(samples, now).unwrap_or_default();
                Maximum::of(&fits).quadrature(FORECAST)
            }
        }
    }

    /// Returns the distributions whose maximum is forecast, one for each path; `None` for an
    /// estimator without them.
    pub fn fits(self, samples: &Samples, now: usize) -> Option<Vec<Distribution>> {
        let each = |window: usize, fit: fn(&[f64]) -> Option<Distribution>| -> Vec<Distribution> {
            let paths = 0..samples.paths();
            paths
                .filter_map(|path| fit(&samples.path(path)[recent(now, window)]))
                .collect()
        };
        match self {
            Self::Last | Self::MeanMaximum { .. } => None,
            Self::Normal { window } => Some(each(window, fit::normal)),
            Self::Pareto { window } => Some(each(window, fit::guarded_pareto)),
            Self::Switching { lead } => {
                let paths = each(SWITCHING, fit::pareto);
                let heavy = |path: &Distribution| matches!(path, Distribution::Pareto { shape, .. } if *shape <= 1.0);
                match switching_rule(!paths.iter().any(heavy), lead) {
                    Self::Pareto { .. } => Some(paths),
                    other => other.fits(samples, now),
                }
            }
        }
    }
}

fn recent(now: usize, window: usize) -> std::ops::Range<usize> {
    (now + 1).saturating_sub(window.max(1))..now + 1
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last value"),
            Self::MeanMaximum { window } => write!(f, "mean maximum of {window}"),
            Self::Normal { window } => write!(f, "normal of {window}"),
            Self::Pareto { window } => write!(f, "Pareto of {window}"),
            Self::Switching { .. } => f.write_str("switching rule"),
        }
    }
}
