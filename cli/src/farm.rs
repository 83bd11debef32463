//! `cargo superstep farm`: how independent items are dealt to workers, and how long they take.
//!
//! One file per subcommand; `costs` and `platform` are what several of them read.

mod costs;
mod figure;
mod network;
mod plan;
mod platform;
mod predict;
mod sample;
mod simulate;
mod table;

use std::{path::PathBuf, str::FromStr};

use clap::{Args, Subcommand};
use superstep_farm::{Invalid, SamplesError};

use self::costs::CostsError;
use crate::failure::Failure;

/// Deal independent items to workers: rounds, policies, predictions from a few items that were run, and the papers' experiments
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plan(plan::Arguments),
    Simulate(simulate::Arguments),
    Sample(sample::Arguments),
    Predict(predict::Arguments),
    Figure(figure::Arguments),
    Table(table::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Plan(arguments) => plan::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Sample(arguments) => sample::run(arguments),
        Command::Predict(arguments) => predict::run(arguments),
        Command::Figure(arguments) => figure::run(arguments),
        Command::Table(arguments) => table::run(arguments),
    }
}

/// Errors of farm commands.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FarmError {
    /// A quantity is out of its range.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// A file of costs cannot be read.
    #[error(transparent)]
    Costs(#[from] CostsError),
    /// No policy of this name was tried.
    #[error("wf2 is for workers of different speeds: give them by --weights")]
    NoWeights,
    /// A file of samples cannot be read.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// Samples do not serve.
    #[error("{}: {source}", path.display())]
    Unfit { path: PathBuf, source: Invalid },
}

/// Number of items along each axis.
#[derive(Clone, Debug)]
struct Shape(Vec<usize>);

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lengths = text.split('x').map(str::parse).collect::<Result<_, _>>();
        lengths
            .map(Self)
            .map_err(|_| "it is the number of items along each axis, as in 1024x1024".to_owned())
    }
}

/// A share of all items, as a number or a fraction.
fn share(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match text.split_once('/') {
        Some((above, below)) => number(above).zip(number(below)).map(|(a, b)| a / b),
        None => number(text),
    };
    share
        .filter(|&share| 0.0 < share && share <= 1.0)
        .ok_or_else(|| "a share is above 0 and at most 1, as in 1/64".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|&value: &f64| value > 0.0 && value.is_finite());
    number.ok_or_else(|| "it is a number above 0".to_owned())
}

/// Joins numbers as shapes are written.
fn by(lengths: &[usize]) -> String {
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    lengths.join("x")
}
