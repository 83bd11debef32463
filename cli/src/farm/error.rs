//! Errors of farm commands.

/// Errors of farm commands.
#[derive(Debug, thiserror::Error)]
pub(super) enum FarmError {
    /// Weighted factoring was asked for without weights.
    #[error("wf2 is for workers of different speeds: give them by --weights")]
    NoWeights,
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
}
