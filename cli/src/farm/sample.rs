//! `cargo superstep farm sample`: the items to run first.

use std::fmt::Write;

use clap::Args;
use superstep_farm::{Axis, Invalid, Sampling, Target};

use super::options::{Shape, share};
use crate::{failure::Failure, output};

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

/// Prints the items as comma-separated values: nodes of a grid, or one at random in each cell. It
/// runs none of them.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let shape = &arguments.shape.0;
    // Refuses shapes of no items, or of too many: for a grid, too.
    let budget = budget(shape, arguments.share)?;
    let items = match arguments.grid {
        Some(nodes) => grid(shape, nodes)?,
        None => Sampling::new(shape, budget, arguments.seed)?
            .items()
            .to_vec(),
    };
    output::write(&csv(shape, &items))
}

/// Returns how many items to run at most, as a share of all.
pub(super) fn budget(shape: &[usize], share: f64) -> Result<usize, Invalid> {
    let target = Target {
        share,
        ..Target::default()
    };
    target.budget(shape)
}

/// Items of the grid with so many nodes along each axis, or all where an axis has fewer items.
pub(super) fn grid(shape: &[usize], nodes: usize) -> Result<Vec<usize>, Invalid> {
    let mut items = vec![0];
    for &length in shape {
        let axis = Axis::spread(length, nodes.min(length))?;
        let along = |item: &usize| {
            let first = item * length;
            axis.nodes().iter().map(move |&node| first + node as usize)
        };
        items = items.iter().flat_map(along).collect();
    }
    Ok(items)
}

/// Items as a file of samples whose seconds are still to be filled in.
pub(super) fn csv(shape: &[usize], items: &[usize]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for axis in 1..=shape.len() {
        let _ = write!(text, "index {axis},");
    }
    text.push_str("seconds\n");
    for &item in items {
        let mut stride: usize = shape.iter().product();
        for length in shape {
            stride /= length;
            let _ = write!(text, "{},", item / stride % length);
        }
        text.push('\n');
    }
    text
}
