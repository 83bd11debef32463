//! `cargo superstep farm`: how independent items are dealt to workers.

mod costs;
mod figure;
mod plan;
mod platform;
mod simulate;

use clap::{Args, Subcommand};

use self::costs::CostsError;
use crate::failure::Failure;

/// Deal independent items to workers: rounds, policies and the papers' experiments
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plan(plan::Arguments),
    Simulate(simulate::Arguments),
    Figure(figure::Arguments),
}

/// Errors of farm commands.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FarmError {
    /// A quantity is out of its range.
    #[error(transparent)]
    Invalid(#[from] superstep_farm::Invalid),
    /// A file of costs cannot be read.
    #[error(transparent)]
    Costs(#[from] CostsError),
    /// No policy of this name was tried.
    #[error("wf2 is for workers of different speeds: give them by --weights")]
    NoWeights,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Plan(arguments) => plan::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Figure(arguments) => figure::run(arguments),
    }
}
