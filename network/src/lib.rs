//! Measured networks: how long messages take between the processors of a cluster.
//!
//! A [`MachineFile`] with `[[paths]]` describes a machine whose latencies were measured. Its
//! [`Network`] knows them as distributions: schedules are made for the median or another quantile
//! of the slowest path, and [runs](Network::runs) are predicted with both.
//!
//! ```
//! use std::path::Path;
//! use superstep_network::MachineFile;
//!
//! let file = "
//!     processors = 2
//!     [[paths]]
//!     between = [0, 1]
//!     latency = { pareto = { scale = 40, shape = 20 } }
//! ";
//! let file = MachineFile::from_toml(file, Path::new("machine.toml"))?;
//! assert!(file.machine(0.99).latency > file.machine(0.5).latency);
//! # Ok::<(), superstep_machine::MachineFileError>(())
//! ```
//!
//! * [`Cluster`]: the tree of hosts behind a machine file, with the bandwidths of its links.
//! * [`latency`]: distributions with heavy tails, their maxima, forecasts from recorded times.
//! * [`topology`]: the tree of hosts, switches and links, and how it is measured and used.
//! * `survey`, with the feature `measure`: all that a machine file has, measured in one go.
//!
//! Build scripts know nothing of this: they read the medians that [`with_medians`] has added.
mod cluster;
mod file;
pub mod latency;
mod network;
#[cfg(feature = "measure")]
pub mod survey;
pub mod topology;

pub use cluster::{Cluster, ClusterError};
pub use file::{MachineFile, with_medians};
pub use network::{Network, Runs};
