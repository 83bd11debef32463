//! `cargo superstep topology levels`: groups of hosts that are near each other, and their latency.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_network::topology::levels;
use superstep_report::Count;

use super::tree;
use crate::{failure::Failure, output};

/// Group hosts by their latency: switches, sites, and the whole network
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file, JSON or Newick; or a machine file that `cargo superstep measure` has written
    tree: PathBuf,
    /// Ratio of two latencies from which on they are different levels
    #[arg(long, default_value_t = levels::RATIO)]
    ratio: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = tree::read(&arguments.tree)?;
    let mut text = String::new();
    for level in levels(&tree, arguments.ratio) {
        let count = level.count();
        let groups = Count(count as u64, "group");
        let latency = level.round_trip;
        let _ = writeln!(text, "{groups}, round trips up to {latency:.1} us");
        let mut groups = vec![Vec::new(); count];
        for (host, &group) in level.groups.iter().enumerate() {
            groups[group as usize].push(&tree.names()[host][..]);
        }
        for group in groups {
            let _ = writeln!(text, "  {}", group.join(" "));
        }
    }
    output::write(&text)
}
