//! `cargo superstep topology`: the tree of a cluster's network from round-trip times, and its uses.
//!
//! One file per subcommand.

mod bandwidth;
mod broadcast;
mod draw;
mod hosts;
mod infer;
mod levels;
mod machine;
mod ranks;
mod record;
mod serve;

use std::{io, net::SocketAddr, path::PathBuf};

use clap::{Args, Subcommand};
use superstep_machine::InvalidValue;
use superstep_network::topology::{
    InferError, MatrixError, RecordedError, TooManyRanks, TreeFileError, Unrecorded,
    tcp::{HostError, HostsError, TokenError},
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

/// Why a command on the network's tree was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TopologyError {
    /// A matrix that cannot be read.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Recorded times that cannot be read, or are none between hosts.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// Recorded times from which no tree follows.
    #[error("{}: {source}", path.display())]
    Infer {
        path: PathBuf,
        source: InferError<Unrecorded>,
    },
    /// A list of hosts that cannot be read.
    #[error(transparent)]
    Hosts(#[from] HostsError),
    /// A token that cannot be read.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// Hosts that cannot be measured, and nothing says to go on without them.
    #[error("{}", lost(hosts))]
    Lost { hosts: Vec<HostError> },
    /// A host that is not in the list.
    #[error("{}: there is no host {name}", path.display())]
    Unknown { path: PathBuf, name: String },
    /// Hosts that failed while they were measured, or from whose times no tree follows.
    #[error(transparent)]
    Measure(Box<InferError<HostError>>),
    /// An address on which nothing can listen.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },
    /// A tree that cannot be read or written.
    #[error(transparent)]
    Tree(#[from] TreeFileError),
    /// Hosts that make no machine.
    #[error("{}: {source}", path.display())]
    Machine { path: PathBuf, source: InvalidValue },
    /// Bandwidths that cannot be used.
    #[error(transparent)]
    Measured(#[from] bandwidth::MeasuredError),
    /// More ranks than processors.
    #[error("{0}: `--processors` says how many")]
    Ranks(#[from] TooManyRanks),
    /// More ranks than a matrix of their traffic has.
    #[error("at most {most} ranks are placed, not {ranks}")]
    Chain { ranks: u64, most: usize },
    /// A drawing, a host file or times that cannot be written.
    #[error("{}: {source}", path.display())]
    Unwritten { path: PathBuf, source: io::Error },
}

fn lost(hosts: &[HostError]) -> String {
    let lines: Vec<String> = hosts.iter().map(HostError::to_string).collect();
    lines.join("\n")
}

/// Writes what is no tree file.
fn write(path: &std::path::Path, text: &str) -> Result<(), TopologyError> {
    superstep_files::replace(path, text).map_err(|source| TopologyError::Unwritten {
        path: path.to_owned(),
        source,
    })
}
