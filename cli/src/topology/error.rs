//! Errors of commands on the network's tree.

use std::{io, net::SocketAddr, path::PathBuf};

use superstep_network::topology::{TooManyRanks, tcp::HostError};

/// Errors of commands on the network's tree.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TopologyError {
    /// Hosts that cannot be measured, and nothing says to go on without them.
    #[error("{}", lost(hosts))]
    Lost { hosts: Vec<HostError> },
    /// A host that is not in the list.
    #[error("{}: there is no host {name}", path.display())]
    Unknown { path: PathBuf, name: String },
    /// An address on which nothing can listen.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },
    /// More ranks than processors.
    #[error("{0}: `--processors` says how many")]
    Ranks(#[from] TooManyRanks),
    /// More ranks than a matrix of their traffic has.
    #[error("at most {most} ranks are placed, not {ranks}")]
    Chain { ranks: u64, most: usize },
}

fn lost(hosts: &[HostError]) -> String {
    let lines: Vec<String> = hosts.iter().map(HostError::to_string).collect();
    lines.join("\n")
}
