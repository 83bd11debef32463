//! Options of the command.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use superstep_network::latency::{Distribution, Estimator};

use crate::values;

/// Forecast how long a collective waits for its slowest path, from recorded round-trip times
#[derive(Args)]
pub(crate) struct Arguments {
    /// Comma-separated values: a column for each path, a row for each period; ms, or with a unit
    /// (us, ms, s)
    #[arg(required_unless_present = "pareto")]
    pub(super) samples: Option<PathBuf>,
    /// A path with a Pareto distribution, by scale and shape, in place of samples
    #[arg(long, value_name = "K,ALPHA", value_parser = pareto, conflicts_with_all = ["samples", "lead", "method", "svg"])]
    pub(super) pareto: Vec<Distribution>,
    /// Number of processes: one more than paths [default: as recorded]
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(super) processes: Option<u32>,
    /// Periods to look ahead
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) lead: u32,
    /// How to forecast
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(super) method: Method,
    /// Probability of the quantile that is printed beside the mean
    #[arg(long, default_value_t = 0.99, value_parser = probability)]
    pub(super) quantile: f64,
    /// Print everything as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the distributions, and the mean over the number of paths, to this file
    #[arg(long)]
    pub(super) svg: Option<PathBuf>,
}

/// Families of estimators.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// All others combined, weighted by how good each was on these samples
    Auto,
    /// The last maximum
    Last,
    /// Mean of the maxima of a window
    MeanMax,
    /// Normal distributions, fitted to a window; for the quantile to all samples, unless refused
    Normal,
    /// Pareto distributions, in the same way
    Pareto,
}

impl Method {
    pub(super) fn has(self, estimator: Estimator) -> bool {
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
    let fits = |probability| 0.0 < probability && probability < 1.0;
    values::number(text, fits, "a probability is a number between 0 and 1")
}
