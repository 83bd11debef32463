//! `cargo superstep topology bandwidth`: which pairs to measure for the bandwidths of all links.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_machine::topology::{Tree, bandwidth};

use super::TopologyError;
use crate::{failure::Failure, report};

/// List the pairs whose bandwidths give those of all links: a round a line, whose pairs are
/// measured at once
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file: JSON or Newick
    tree: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = Tree::read(&arguments.tree).map_err(TopologyError::from)?;
    let name = |host: u32| &tree.names()[host as usize];
    let mut text = String::new();
    for round in bandwidth::schedule(&tree).into_iter().flatten() {
        let pairs: Vec<String> = round
            .iter()
            .map(|&(a, b)| format!("{}-{}", name(a), name(b)))
            .collect();
        let _ = writeln!(text, "{}", pairs.join(" "));
    }
    report::write(&text)
}
