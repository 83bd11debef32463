//! `cargo superstep farm`: how independent items are dealt to workers, and how long they take.
//!
//! One file per subcommand; `costs`, `options` and `platform` are what several of them read.

mod costs;
mod error;
mod network;
mod options;
mod plan;
mod platform;
mod predict;
mod sample;
mod simulate;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Deal independent items to workers: rounds, policies, and predictions from a few items that were
/// run
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
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Plan(arguments) => plan::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Sample(arguments) => sample::run(arguments),
        Command::Predict(arguments) => predict::run(arguments),
    }
}
