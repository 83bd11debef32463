//! `cargo superstep topology`: the tree of a cluster's network from round-trip times, and its uses.
//!
//! One file per subcommand.

mod bandwidth;
mod broadcast;
pub(crate) mod doubts;
mod draw;
mod error;
pub(crate) mod hosts;
mod infer;
mod levels;
mod machine;
mod ranks;
mod record;
mod serve;
mod tree;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Find the tree of a cluster's network from round-trip times, and use it
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Arguments),
    Infer(infer::Arguments),
    Record(record::Arguments),
    Levels(levels::Arguments),
    Machine(machine::Arguments),
    Ranks(ranks::Arguments),
    Broadcast(broadcast::Arguments),
    Bandwidth(bandwidth::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Infer(arguments) => infer::run(arguments),
        Command::Record(arguments) => record::run(arguments),
        Command::Levels(arguments) => levels::run(arguments),
        Command::Machine(arguments) => machine::run(arguments),
        Command::Ranks(arguments) => ranks::run(arguments),
        Command::Broadcast(arguments) => broadcast::run(arguments),
        Command::Bandwidth(arguments) => bandwidth::run(arguments),
    }
}
