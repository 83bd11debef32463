//! Figures of a forecast, from samples or from distributions that are given.

use std::path;

use serde::Serialize;
use superstep_network::latency::{
    Backtest, CANDIDATES, Distribution, Estimator, Family, Fits, Maximum, Samples, fit,
    goodness::{Bins, index},
};

use super::arguments::{Arguments, Method};

/// Errors of forecasts.
#[derive(Debug, thiserror::Error)]
pub(super) enum LatencyError {
    /// There are too few periods.
    #[error("{}: {periods} periods are too few to test forecasts {lead} ahead", file.display())]
    Short {
        file: path::PathBuf,
        periods: usize,
        lead: usize,
    },
    /// The method knows the recorded paths alone.
    #[error("the samples are of {recorded} paths, and {wanted} processes have {}: that takes the method normal or pareto", wanted - 1)]
    NoFit { recorded: usize, wanted: usize },
}

/// Forecast of how long the slowest path takes.
#[derive(Serialize)]
pub(super) struct Forecast {
    pub(super) processes: usize,
    /// Milliseconds, if the samples are in them.
    pub(super) expected_max: f64,
    pub(super) quantile: Quantile,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<Chosen>,
    pub(super) paths: Vec<Path>,
}

#[derive(Serialize)]
pub(super) struct Quantile {
    pub(super) probability: f64,
    pub(super) value: f64,
}

/// Origin of the forecast: how it came about.
#[derive(Serialize)]
pub(super) struct Chosen {
    pub(super) name: String,
    pub(super) lead: usize,
    pub(super) periods: usize,
    pub(super) lost: usize,
    /// Root of the mean squared error on the samples, of the combination too.
    pub(super) rmse: f64,
    /// Distributions that the quantile is of: fits of a family, or the recorded maxima.
    pub(super) fits: String,
    pub(super) candidates: Vec<Candidate>,
}

#[derive(Serialize)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) rmse: f64,
    pub(super) weight: f64,
}

#[derive(Serialize)]
pub(super) struct Path {
    pub(super) name: String,
    pub(super) fit: Distribution,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// Goodness of the Pareto fit and of the normal one to all samples: the smaller, the better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) goodness: Option<[f64; 2]>,
}

/// Forecasts that are tested: every period of records of up to three days of minutes, every third
/// of a week. A week of 32 paths takes 3 s.
const STEPS: usize = 4096;

impl Forecast {
    /// Returns the figures of distributions that were given.
    pub(super) fn given(arguments: &Arguments) -> Self {
        let fits = &arguments.pareto;
        let processes = arguments
            .processes
            .map_or(fits.len() + 1, |processes| processes as usize);
        let slowest = Maximum::extrapolated(fits, processes - 1);
        Self {
            processes,
            expected_max: slowest.mean(),
            quantile: Quantile::of(&slowest, arguments.quantile),
            method: None,
            paths: fits
                .iter()
                .enumerate()
                .map(|(at, fit)| Path::new((at + 1).to_string(), fit.clone(), None))
                .collect(),
        }
    }

    /// Forecasts from the samples of a file; returns the distributions, too.
    pub(super) fn of_samples(
        arguments: &Arguments,
        file: &path::Path,
        samples: &Samples,
    ) -> Result<(Self, Fits), LatencyError> {
        let recorded = samples.paths();
        let processes = arguments
            .processes
            .map_or(recorded + 1, |processes| processes as usize);
        let paths = processes - 1;
        let candidates = candidates(arguments.method, samples, paths);
        if candidates.is_empty() {
            return Err(LatencyError::NoFit {
                recorded,
                wanted: processes,
            });
        }
        let (chosen, expected_max) = choose(arguments, file, samples, &candidates, paths)?;
        let fits = Fits::of(samples, families(arguments.method));
        let described = fits.paths().iter().enumerate().map(|(path, fit)| {
            let goodness = goodness(samples.path(path));
            Path::new(samples.name(path), fit.clone(), goodness)
        });
        let forecast = Self {
            processes,
            expected_max,
            quantile: Quantile::of(&fits.slowest(paths), arguments.quantile),
            method: Some(Chosen {
                fits: fits
                    .family()
                    .map_or("recorded maxima".to_owned(), |family| {
                        format!("{family} fits")
                    }),
                ..chosen
            }),
            paths: described.collect(),
        };
        Ok((forecast, fits))
    }
}

/// Returns the families that paths may be of: the one that the method tells, or all.
fn families(method: Method) -> &'static [Family] {
    match method {
        Method::Normal => &[Family::Normal],
        Method::Pareto => &[Family::Pareto],
        Method::Auto | Method::Last | Method::MeanMax => &Family::ALL,
    }
}

/// Returns the estimators of a family that can forecast the maximum of so many paths.
fn candidates(method: Method, samples: &Samples, paths: usize) -> Vec<Estimator> {
    let serves = |estimator: &&Estimator| {
        let (window, has_fits) = match **estimator {
            Estimator::Normal { window } | Estimator::Pareto { window } => (window, true),
            Estimator::MeanMaximum { window } => (window, false),
            Estimator::Last | Estimator::Switching { .. } => (1, false),
        };
        method.has(**estimator)
            && window <= samples.periods().max(8)
            && (has_fits || paths == samples.paths())
    };
    CANDIDATES.iter().filter(serves).copied().collect()
}

/// Combines candidates, or takes the best of them; returns how, and the forecast.
fn choose(
    arguments: &Arguments,
    file: &path::Path,
    samples: &Samples,
    candidates: &[Estimator],
    paths: usize,
) -> Result<(Chosen, f64), LatencyError> {
    let (periods, lead) = (samples.periods(), arguments.lead as usize);
    let tested = Backtest::new(samples, candidates, lead, periods.div_ceil(STEPS));
    let tested = tested.ok_or_else(|| LatencyError::Short {
        file: file.into(),
        periods,
        lead,
    })?;
    let (all, now) = (0..periods, periods - 1);
    let (name, rmse, weights) = if arguments.method == Method::Auto {
        let combination = tested.combination();
        let rmse = tested.rmse_of(&combination, all.clone());
        ("combination".to_owned(), rmse, combination.weights)
    } else {
        let best = tested.best(all.clone());
        let mut weights = vec![0.0; candidates.len()];
        weights[best] = 1.0;
        let name = candidates[best].to_string();
        (name, tested.rmse(best, all.clone()), weights)
    };
    let value = |estimator: &Estimator| match estimator.fits(samples, now) {
        Some(fits) => Maximum::extrapolated(&fits, paths).mean(),
        None => estimator.forecast(samples, now),
    };
    let weighted = candidates.iter().zip(&weights);
    let expected_max = weighted
        .filter(|(_, weight)| **weight > 0.0)
        .map(|(estimator, weight)| weight * value(estimator))
        .sum();
    let described = candidates.iter().zip(weights).enumerate();
    let described = described.map(|(at, (estimator, weight))| Candidate {
        name: estimator.to_string(),
        rmse: tested.rmse(at, all.clone()),
        weight,
    });
    let chosen = Chosen {
        name,
        lead,
        periods,
        lost: samples.lost(),
        rmse,
        fits: String::new(),
        candidates: described.collect(),
    };
    Ok((chosen, expected_max))
}

impl Quantile {
    fn of(slowest: &Maximum, probability: f64) -> Self {
        Self {
            probability,
            value: slowest.quantile(probability),
        }
    }
}

impl Path {
    fn new(name: String, fit: Distribution, goodness: Option<[f64; 2]>) -> Self {
        Self {
            name,
            mean: fit.mean(),
            deviation: fit.deviation(),
            fit,
            goodness,
        }
    }
}

/// Goodness of both kinds of fit; `None` for equal samples, and where a fit excludes some of them.
fn goodness(samples: &[f64]) -> Option<[f64; 2]> {
    let index = |fit: Option<Distribution>| index(samples, &fit?, Bins::Open);
    let both = [index(fit::pareto(samples))?, index(fit::normal(samples))?];
    both.iter().all(|index| index.is_finite()).then_some(both)
}
