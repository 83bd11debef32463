//! `cargo superstep farm sample`: the items to run first.

use clap::Args;
use superstep_farm::{Sampling, Target};

use super::{FarmError, Shape, predict::table_of, share};
use crate::{failure::Failure, report};

/// List the items to run first, one at random in each cell of their space, with a column for their
/// seconds
#[derive(Args)]
pub(super) struct Arguments {
    /// Number of items along each axis, as in 1024x1024
    #[arg(long)]
    shape: Shape,
    /// Most items to run, as a share of all
    #[arg(long, default_value = "1/64", value_parser = share)]
    share: f64,
    /// Nodes of an even grid along each axis, in place of random items
    #[arg(long, value_name = "NODES", conflicts_with_all = ["share", "seed"])]
    grid: Option<usize>,
    /// Seed of the random items
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let shape = &arguments.shape.0;
    let items = match arguments.grid {
        Some(nodes) => grid(shape, nodes)?,
        None => {
            let target = Target {
                share: arguments.share,
                ..Target::default()
            };
            let budget = target.budget(shape).map_err(FarmError::from)?;
            let sampling = Sampling::new(shape, budget, arguments.seed);
            sampling.map_err(FarmError::from)?.items().to_vec()
        }
    };
    report::write(&table_of(shape, &items))
}
