//! `cargo superstep topology`: the tree of a cluster's network from round-trip times, and its uses.
//!
//! One file per subcommand.

mod bandwidth;
mod broadcast;
mod draw;
mod infer;
mod levels;
mod machine;
mod ranks;

use std::{io, path::PathBuf};

use clap::{Args, Subcommand};
use superstep_machine::{
    InvalidValue,
    topology::{InferError, MatrixError, RecordError, TooManyRanks, TreeFileError},
};

use crate::failure::Failure;

/// Find the tree of a cluster's network from round-trip times, and use it
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Infer(infer::Arguments),
    Levels(levels::Arguments),
    Machine(machine::Arguments),
    Ranks(ranks::Arguments),
    Broadcast(broadcast::Arguments),
    Bandwidth(bandwidth::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Infer(arguments) => infer::run(arguments),
        Command::Levels(arguments) => levels::run(arguments),
        Command::Machine(arguments) => machine::run(arguments),
        Command::Ranks(arguments) => ranks::run(arguments),
        Command::Broadcast(arguments) => broadcast::run(arguments),
        Command::Bandwidth(arguments) => bandwidth::run(arguments),
    }
}

/// Why a command on the network's tree was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TopologyError {
    /// A matrix that cannot be read.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Matrices that are no times between hosts.
    #[error("{}: {source}", path.display())]
    Record { path: PathBuf, source: RecordError },
    /// Recorded times from which no tree follows.
    #[error("{}: {source}", path.display())]
    Infer {
        path: PathBuf,
        source: InferError<std::convert::Infallible>,
    },
    /// A tree that cannot be read or written.
    #[error(transparent)]
    Tree(#[from] TreeFileError),
    /// Hosts that make no machine.
    #[error("{}: {source}", path.display())]
    Machine { path: PathBuf, source: InvalidValue },
    /// More ranks than hosts.
    #[error(transparent)]
    Ranks(#[from] TooManyRanks),
    /// A drawing or a host file that cannot be written.
    #[error("{}: {source}", path.display())]
    Unwritten { path: PathBuf, source: io::Error },
}

/// Writes what is no tree file.
fn write(path: &std::path::Path, text: &str) -> Result<(), TopologyError> {
    std::fs::write(path, text).map_err(|source| TopologyError::Unwritten {
        path: path.to_owned(),
        source,
    })
}
