//! `cargo superstep topology ranks`: which rank runs on which host.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_files::replace;
use superstep_network::topology::{Matrix, Placement};

use super::{error::TopologyError, tree};
use crate::failure::{Failure, in_file};
use crate::output;

/// Place ranks on hosts so that those that send each other much are near
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file, JSON or Newick; or a machine file that `cargo superstep measure` has written
    tree: PathBuf,
    /// Traffic in any unit, from the rank of the row to that of the column, comma-separated;
    /// without it each rank sends to the next
    #[arg(long, value_name = "FILE")]
    traffic: Option<PathBuf>,
    /// Processors of each host, which run a rank each [default: those of the machine file, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    processors: Option<u32>,
    /// Seed of the search's random starts; it also starts from the depth-first order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the hosts in the order of the ranks to this file, for mpirun
    #[arg(long, value_name = "FILE")]
    hostfile: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (tree, each) = tree::read_with_processors(&arguments.tree)?;
    let processors = arguments.processors.unwrap_or(each);
    let traffic = match &arguments.traffic {
        Some(path) => Matrix::read(path)?,
        None => chain(tree.hosts() as u64 * u64::from(processors))?,
    };
    let depth_first =
        Placement::depth_first(&tree, processors, &traffic).map_err(TopologyError::from)?;
    let placement = Placement::of_traffic(&tree, processors, &traffic, arguments.seed)
        .map_err(TopologyError::from)?;
    let mut text = String::new();
    for (rank, &host) in placement.hosts.iter().enumerate() {
        let _ = writeln!(text, "{rank:<6}{}", tree.names()[host as usize]);
    }
    let (cost, simple) = (placement.cost, depth_first.cost);
    let _ = writeln!(
        text,
        "\ntraffic times one-way latency in microseconds: {cost:.1}; in depth-first order {simple:.1}"
    );
    if let Some(path) = &arguments.hostfile {
        replace(path, placement.host_file(&tree)).map_err(in_file(path))?;
    }
    output::write(&text)
}

/// Returns the traffic of ranks that each send to the next.
fn chain(ranks: u64) -> Result<Matrix, TopologyError> {
    let most = Matrix::MOST_ROWS;
    if ranks > most as u64 {
        return Err(TopologyError::Chain { ranks, most });
    }
    let names = (0..ranks).map(|rank| rank.to_string()).collect();
    Ok(Matrix::from_fn(names, |i, j| {
        f64::from(u8::from(i + 1 == j))
    }))
}
