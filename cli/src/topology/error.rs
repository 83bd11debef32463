//! Errors of commands on the network's tree.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use superstep_files::FileError;
use superstep_machine::InvalidValue;
use superstep_network::ClusterError;
use superstep_network::topology::{InferError, TooManyRanks, Unrecorded, tcp::HostError};

use crate::failure::CommandError;

/// Errors of commands on the network's tree.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TopologyError {
    /// A matrix, times, a list of hosts or a token that cannot be read, or a tree that cannot be
    /// read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Recorded times from which no tree follows.
    #[error("{}: {source}", path.display())]
    Infer {
        path: PathBuf,
        source: InferError<Unrecorded>,
    },
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
    /// A machine file that gives no tree.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Hosts that make no machine.
    #[error("{}: {source}", path.display())]
    Machine { path: PathBuf, source: InvalidValue },
    /// More ranks than processors.
    #[error("{0}: `--processors` says how many")]
    Ranks(#[from] TooManyRanks),
    /// More ranks than a matrix of their traffic has.
    #[error("at most {most} ranks are placed, not {ranks}")]
    Chain { ranks: u64, most: usize },
    /// A host file or times that cannot be written.
    #[error("{}: {source}", path.display())]
    Unwritten { path: PathBuf, source: io::Error },
}

impl CommandError for TopologyError {}

impl TopologyError {
    /// Makes the error of a file that cannot be written.
    pub(super) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Unwritten {
            path: path.to_owned(),
            source,
        }
    }
}

fn lost(hosts: &[HostError]) -> String {
    let lines: Vec<String> = hosts.iter().map(HostError::to_string).collect();
    lines.join("\n")
}
