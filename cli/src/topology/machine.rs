//! `cargo superstep topology machine`: the machine file of a cluster, for schedules that know its
//! levels.

use std::path::PathBuf;

use clap::Args;
use superstep_network::topology::{Hosts, levels};

use super::tree;
use crate::failure::{Failure, in_file};
use crate::output;

/// Write the machine file of a cluster: its processors, grouped by latency
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file, JSON or Newick; or a machine file that `cargo superstep measure` has written
    tree: PathBuf,
    /// Nanoseconds of a task of weight 1
    #[arg(long, value_name = "NS")]
    task: f64,
    /// Cost of a word, in tasks
    #[arg(long, value_name = "G", default_value_t = 1.0)]
    gap: f64,
    /// Processors of each host [default: those of the machine file, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    processors: Option<u32>,
    /// Microseconds of a boundary inside a host: with several processors
    #[arg(long, value_name = "US", default_value_t = 0.2)]
    host_latency: f64,
    /// Ratio of two latencies from which on they are different levels
    #[arg(long, default_value_t = levels::RATIO)]
    ratio: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (tree, each) = tree::read_with_processors(&arguments.tree)?;
    let hosts = Hosts {
        processors: arguments.processors.unwrap_or(each),
        latency: arguments.host_latency,
        task: arguments.task,
        gap: arguments.gap,
    };
    let machine = hosts.machine(&tree, arguments.ratio);
    let machine = machine.map_err(in_file(&arguments.tree))?;
    output::write(&machine.to_toml())
}
