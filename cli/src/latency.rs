//! `cargo superstep latency`: how long a superstep waits for the slowest of many paths.

mod charts;

use std::{fmt::Write, fs, io, path::PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use superstep_machine::latency::{
    Backtest, CANDIDATES, Distribution, Estimator, Maximum, Samples, fit,
    goodness::{Bins, index},
};

use crate::{failure::Failure, report, tree_figures::unwritten};

/// Forecast how long a collective waits for its slowest path, from recorded round-trip times
#[derive(Args)]
pub(crate) struct Arguments {
    /// Comma-separated values: a column for each path, a row for each period; ms, or with a unit (us, ms, s)
    #[arg(required_unless_present = "pareto")]
    samples: Option<PathBuf>,
    /// A path with a Pareto distribution, by scale and shape, in place of samples
    #[arg(long, value_name = "K,ALPHA", value_parser = pareto, conflicts_with_all = ["samples", "lead", "method", "svg"])]
    pareto: Vec<Distribution>,
    /// Number of processes: one more than paths [default: as recorded]
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    processes: Option<u32>,
    /// Periods to look ahead
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    lead: u32,
    /// How to forecast
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    /// Probability of the quantile that is printed beside the mean
    #[arg(long, default_value_t = 0.99, value_parser = probability)]
    quantile: f64,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Draw the distributions, and the mean over the number of paths, to this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Families of estimators.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// All others combined, weighted by how good each was on these samples
    Auto,
    /// The last maximum
    Last,
    /// Mean of the maxima of a window
    MeanMax,
    /// Normal distributions, fitted to a window
    Normal,
    /// Pareto distributions, fitted to a window
    Pareto,
}

impl Method {
    fn has(self, estimator: Estimator) -> bool {
        match estimator {
            Estimator::Last => matches!(self, Self::Auto | Self::Last),
            Estimator::MeanMaximum { .. } => matches!(self, Self::Auto | Self::MeanMax),
            Estimator::Normal { .. } => matches!(self, Self::Auto | Self::Normal),
            Estimator::Pareto { .. } => matches!(self, Self::Auto | Self::Pareto),
            Estimator::Switching { .. } => false,
        }
    }
}

fn pareto(text: &str) -> Result<Distribution, String> {
    let number = |text: &str| text.trim().parse().ok();
    let parsed = text
        .split_once(',')
        .and_then(|(scale, shape)| Some((number(scale)?, number(shape)?)));
    let (scale, shape) = parsed.ok_or("it is scale and shape, as in 41.7,16.9")?;
    let path = Distribution::Pareto {
        scale,
        shape,
        cap: None,
    };
    path.validate()
        .map(|()| path)
        .map_err(|error| error.to_string())
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(probability) if 0.0 < probability && probability < 1.0 => Ok(probability),
        _ => Err("a probability is a number between 0 and 1".to_owned()),
    }
}

/// Errors of forecasts.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LatencyError {
    /// There are too few periods.
    #[error("{}: {periods} periods are too few to test forecasts {lead} ahead", file.display())]
    Short {
        file: PathBuf,
        periods: usize,
        lead: usize,
    },
    /// The method knows the recorded paths alone.
    #[error("the samples are of {recorded} paths, and {wanted} processes have {}: that takes the method normal or pareto", wanted - 1)]
    NoFit { recorded: usize, wanted: usize },
}

/// What is found.
#[derive(Serialize)]
struct Forecast {
    processes: usize,
    /// Milliseconds, if the samples are in them.
    expected_max: f64,
    quantile: Quantile,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Chosen>,
    paths: Vec<Path>,
}

#[derive(Serialize)]
struct Quantile {
    probability: f64,
    value: f64,
}

/// How the forecast came about.
#[derive(Serialize)]
struct Chosen {
    name: String,
    lead: usize,
    periods: usize,
    lost: usize,
    /// Root of the mean squared error on the samples, of the combination too.
    rmse: f64,
    /// Estimator whose distributions give the quantile, and the fits of the paths.
    fits: String,
    candidates: Vec<Candidate>,
}

#[derive(Serialize)]
struct Candidate {
    name: String,
    rmse: f64,
    weight: f64,
}

#[derive(Serialize)]
struct Path {
    name: String,
    fit: Distribution,
    mean: f64,
    deviation: f64,
    /// Goodness of the Pareto fit and of the normal one to all samples: the smaller, the better.
    #[serde(skip_serializing_if = "Option::is_none")]
    goodness: Option<[f64; 2]>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let forecast = match &arguments.samples {
        Some(file) => of_samples(arguments, file)?,
        None => given(arguments),
    };
    report::write(&if arguments.json {
        report::json(&forecast)
    } else {
        text(&forecast)
    })
}

/// Figures of distributions that were given.
fn given(arguments: &Arguments) -> Forecast {
    let fits = &arguments.pareto;
    let processes = arguments
        .processes
        .map_or(fits.len() + 1, |processes| processes as usize);
    let slowest = Maximum::extrapolated(fits, processes - 1);
    Forecast {
        processes,
        expected_max: slowest.mean(),
        quantile: Quantile {
            probability: arguments.quantile,
            value: slowest.quantile(arguments.quantile),
        },
        method: None,
        paths: fits
            .iter()
            .enumerate()
            .map(|(at, &fit)| described(fit, (at + 1).to_string(), None))
            .collect(),
    }
}

fn described(fit: Distribution, name: String, goodness: Option<[f64; 2]>) -> Path {
    Path {
        name,
        fit,
        mean: fit.mean(),
        deviation: fit.deviation(),
        goodness,
    }
}

/// Forecasts from samples.
fn of_samples(arguments: &Arguments, file: &PathBuf) -> Result<Forecast, Failure> {
    let samples = Samples::read(file)?;
    let (periods, recorded) = (samples.periods(), samples.paths());
    let (lead, now) = (arguments.lead as usize, periods - 1);
    let processes = arguments
        .processes
        .map_or(recorded + 1, |processes| processes as usize);
    let extrapolated = processes - 1 != recorded;
    let fits_in = |estimator: &Estimator| match *estimator {
        Estimator::MeanMaximum { window }
        | Estimator::Normal { window }
        | Estimator::Pareto { window } => window <= periods.max(8),
        _ => true,
    };
    let serves = |estimator: &&Estimator| {
        let without_fits = matches!(estimator, Estimator::Last | Estimator::MeanMaximum { .. });
        arguments.method.has(**estimator) && fits_in(estimator) && !(extrapolated && without_fits)
    };
    let candidates: Vec<Estimator> = CANDIDATES.iter().filter(serves).copied().collect();
    if candidates.is_empty() {
        return Err(LatencyError::NoFit {
            recorded,
            wanted: processes,
        }
        .into());
    }
    let stride = periods.div_ceil(STEPS);
    let test = |candidates: &[Estimator]| {
        Backtest::new(&samples, candidates, lead, stride).ok_or_else(|| LatencyError::Short {
            file: file.clone(),
            periods,
            lead,
        })
    };
    let tested = test(&candidates)?;
    let all = 0..periods;
    // The fits of the paths: by the best window of their family.
    let family = if arguments.method == Method::Normal {
        Method::Normal
    } else {
        Method::Pareto
    };
    let fitting: Vec<Estimator> = CANDIDATES
        .iter()
        .filter(|each| family.has(**each) && fits_in(each))
        .copied()
        .collect();
    let fitting = fitting[test(&fitting)?.best(all.clone())];
    let fits = fitting.fits(&samples, now).unwrap_or_default();
    let slowest = Maximum::extrapolated(&fits, processes - 1);

    let combination = tested.combination();
    let best = tested.best(all.clone());
    let combined = arguments.method == Method::Auto;
    let weights: Vec<f64> = (0..candidates.len())
        .map(|at| {
            if combined {
                combination.weights[at]
            } else {
                f64::from(at == best)
            }
        })
        .collect();
    let value = |estimator: &Estimator| match estimator.fits(&samples, now) {
        Some(fits) => Maximum::extrapolated(&fits, processes - 1).mean(),
        None => estimator.forecast(&samples, now),
    };
    let weighted = candidates
        .iter()
        .zip(&weights)
        .filter(|(_, weight)| **weight > 0.0);
    let expected_max = weighted
        .map(|(estimator, weight)| weight * value(estimator))
        .sum();
    if let Some(svg) = &arguments.svg {
        let drawn = charts::svg(&samples, &fits, &slowest)
            .map_err(|error| io::Error::other(error.to_string()));
        let written = drawn.and_then(|drawn| fs::write(svg, drawn));
        written.map_err(|error| unwritten(svg, &error))?;
    }
    let described_candidates =
        candidates
            .iter()
            .zip(weights)
            .enumerate()
            .map(|(at, (estimator, weight))| Candidate {
                name: estimator.to_string(),
                rmse: tested.rmse(at, all.clone()),
                weight,
            });
    Ok(Forecast {
        processes,
        expected_max,
        quantile: Quantile {
            probability: arguments.quantile,
            value: slowest.quantile(arguments.quantile),
        },
        method: Some(Chosen {
            name: if combined {
                "combination".to_owned()
            } else {
                candidates[best].to_string()
            },
            lead,
            periods,
            lost: samples.lost(),
            rmse: if combined {
                tested.rmse_of(&combination, all.clone())
            } else {
                tested.rmse(best, all.clone())
            },
            fits: fitting.to_string(),
            candidates: described_candidates.collect(),
        }),
        paths: fits
            .iter()
            .enumerate()
            .map(|(path, &fit)| described(fit, samples.name(path), goodness(samples.path(path))))
            .collect(),
    })
}

/// Forecasts that are tested: every period of short records, some of long ones. A week of minutes takes seconds.
const STEPS: usize = 1024;

/// Goodness of both kinds of fit; `None` for equal samples, and where a fit excludes some of them.
fn goodness(samples: &[f64]) -> Option<[f64; 2]> {
    let index = |fit: Option<Distribution>| index(samples, &fit?, Bins::Open);
    let both = [index(fit::pareto(samples))?, index(fit::normal(samples))?];
    both.iter().all(|index| index.is_finite()).then_some(both)
}

fn text(forecast: &Forecast) -> String {
    let mut text = String::new();
    write_text(forecast, &mut text).expect("a string can be written to");
    text
}

fn write_text(forecast: &Forecast, text: &mut String) -> std::fmt::Result {
    writeln!(text, "{:<18}{}", "processes", forecast.processes)?;
    writeln!(
        text,
        "{:<18}{:.3}",
        "expected maximum", forecast.expected_max
    )?;
    let quantile = &forecast.quantile;
    writeln!(
        text,
        "{:<18}{:.3}",
        format!("quantile {}", quantile.probability),
        quantile.value
    )?;
    if let Some(method) = &forecast.method {
        writeln!(
            text,
            "{:<18}{}, error {:.3} looking {} ahead",
            "method", method.name, method.rmse, method.lead
        )?;
        let lost = match method.lost {
            0 => String::new(),
            1 => ", 1 lost: the value before it stands for it".to_owned(),
            lost => format!(", {lost} lost: the values before them stand for them"),
        };
        writeln!(text, "{:<18}{} periods{lost}", "samples", method.periods)?;
        writeln!(text, "\n{:<24}{:>12}{:>9}", "estimator", "error", "weight")?;
        for each in &method.candidates {
            writeln!(
                text,
                "{:<24}{:>12.3}{:>9.3}",
                each.name, each.rmse, each.weight
            )?;
        }
        writeln!(text, "\npaths, {}", method.fits)?;
    } else {
        writeln!(text)?;
    }
    writeln!(text, "{:<24}{:>12}{:>12}  fit", "path", "mean", "deviation")?;
    for path in &forecast.paths {
        let fit = match path.fit {
            Distribution::Constant { .. } => "constant".to_owned(),
            Distribution::Normal { .. } => "normal".to_owned(),
            Distribution::Pareto { scale, shape, cap } => {
                let cap = cap.map_or(String::new(), |cap| format!(", at most {cap:.3}"));
                format!("scale {scale:.3}, shape {shape:.3}{cap}")
            }
        };
        let better = match path.goodness {
            Some([pareto, normal]) if pareto < normal => "; Pareto fits better than normal",
            Some(_) => "; normal fits better than Pareto",
            None => "",
        };
        writeln!(
            text,
            "{:<24}{:>12.3}{:>12.3}  {fit}{better}",
            path.name, path.mean, path.deviation
        )?;
    }
    Ok(())
}
