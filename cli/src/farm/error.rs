//! Errors of farm commands.

use std::path::PathBuf;

use superstep_farm::{Invalid, SamplesError};
use superstep_network::ClusterError;

use super::costs::CostsError;
use crate::failure::CommandError;

/// Errors of farm commands.
#[derive(Debug, thiserror::Error)]
pub(super) enum FarmError {
    /// A quantity is out of its range.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// A file of costs cannot be read.
    #[error(transparent)]
    Costs(#[from] CostsError),
    /// Weighted factoring was asked for without weights.
    #[error("wf2 is for workers of different speeds: give them by --weights")]
    NoWeights,
    /// A machine file gives no hosts.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The master is none of the hosts of the machine file.
    #[error("the machine file has no host `{0}` to be the master")]
    Master(String),
    /// More workers than there may be beside the master.
    #[error(
        "{workers} workers are too many: the machine file has {hosts} hosts, one of them the master, so there are at most {most}"
    )]
    Workers {
        workers: usize,
        hosts: usize,
        most: usize,
    },
    /// The machine file says nothing of opening connections.
    #[error("the machine file has no `setup` of connections: give it by --nlat")]
    NoSetup,
    /// A file of samples cannot be read.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// Samples of this file do not fit the shape, a grid, or random cells.
    #[error("{}: {source}", path.display())]
    Unfit { path: PathBuf, source: Invalid },
}

impl CommandError for FarmError {}
