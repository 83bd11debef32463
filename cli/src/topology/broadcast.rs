//! `cargo superstep topology broadcast`: the order in which hosts hand a long message on.

use std::path::PathBuf;

use clap::Args;

use super::tree;
use crate::{failure::Failure, output};

/// List the hosts in the order in which a long message is handed on: no direction of a link is used
/// twice
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file, JSON or Newick; or a machine file that `cargo superstep measure` has written
    tree: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = tree::read(&arguments.tree)?;
    let order = tree.depth_first();
    let names = order.iter().map(|&host| &tree.names()[host as usize]);
    let text: String = names.map(|name| format!("{name}\n")).collect();
    output::write(&text)
}
