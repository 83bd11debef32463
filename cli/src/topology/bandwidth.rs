//! `cargo superstep topology bandwidth`: which pairs to measure for the bandwidths of all links,
//! and what those are.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use serde::Serialize;
use superstep_network::topology::{
    Tree,
    bandwidth::{self, Bandwidths, Round},
    broadcast::{self, WORD},
};

use super::tree;
use crate::{failure::Failure, output};

/// List the pairs whose bandwidths give those of all links: a round a line, whose pairs are
/// measured at once
///
/// With `--measured`, name the pairs that are to be measured next. Once none are left, print the
/// bandwidth of each link, of a broadcast, and the cost of a word that each sends to all.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tree file, JSON or Newick; or a machine file that `cargo superstep measure` has written
    tree: PathBuf,
    /// Bandwidths so far, in Mbit/s: a line `HOST,HOST,BANDWIDTH` for each pair, or what
    /// `iperf3 --json` has printed where hosts have their addresses as names
    #[arg(long, value_name = "FILE")]
    measured: Option<PathBuf>,
    /// Print the bandwidths as JSON
    #[arg(long, requires = "measured")]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tree = tree::read(&arguments.tree)?;
    let Some(path) = &arguments.measured else {
        let rounds = bandwidth::schedule(&tree).into_iter().flatten();
        let lines = rounds.map(|round| line(&tree, &round));
        return output::write(&lines.collect::<String>());
    };
    let names = tree.names();
    let host = |name: &str| names.iter().position(|host| host == name);
    let known = bandwidth::read(path, |name| host(name).map(|host| host as u32))?;
    let measure = |round: &[(u32, u32)]| {
        let value = |&(a, b): &(u32, u32)| known.get(&(a.min(b), a.max(b))).copied();
        let missing: Round = round
            .iter()
            .filter(|&pair| value(pair).is_none())
            .copied()
            .collect();
        if missing.is_empty() {
            Ok(round.iter().filter_map(value).collect())
        } else {
            Err(missing)
        }
    };
    match bandwidth::measure(&tree, measure) {
        Err(missing) => output::write(&format!("measure at once: {}", line(&tree, &missing))),
        Ok(found) => {
            let found = Found::new(&tree, &found);
            output::write(&if arguments.json {
                output::json(&found)
            } else {
                found.text()
            })
        }
    }
}

/// Returns the pairs of a round, as `a-b c-d`.
fn line(tree: &Tree, round: &Round) -> String {
    let name = |host: u32| &tree.names()[host as usize];
    let pairs = round
        .iter()
        .map(|&(a, b)| format!("{}-{}", name(a), name(b)));
    pairs.collect::<Vec<_>>().join(" ") + "\n"
}

/// Bandwidths of a tree, in Mbit/s, and what follows from them.
#[derive(Serialize)]
struct Found {
    links: Vec<Link>,
    /// A long message to all hosts, each of which hands it on.
    broadcast: f64,
    /// Nanoseconds of a word of 64 bits, of those that each host sends to all others at once (g).
    word_ns: f64,
    measurements: usize,
    rounds: usize,
}

/// A link, by the hosts on the side without the first.
#[derive(Serialize)]
struct Link {
    hosts: Vec<String>,
    bandwidth: f64,
}

impl Found {
    fn new(tree: &Tree, found: &Bandwidths) -> Self {
        let host_0 = 0;
        let links = (1..found.links.len()).map(|link| {
            let behind = (0..tree.hosts() as u32)
                .filter(|&host| tree.path(host_0, host).contains(&(link as u32)));
            Link {
                hosts: behind
                    .map(|host| tree.names()[host as usize].clone())
                    .collect(),
                bandwidth: found.links[link],
            }
        });
        let others = tree.hosts().saturating_sub(1).max(1) as f64;
        // Bits over Mbit/s are microseconds.
        let exchange = broadcast::all_to_all(tree, &found.links, WORD).time;
        Self {
            links: links.collect(),
            broadcast: broadcast::pipeline_bandwidth(tree, &found.links, &tree.depth_first()),
            word_ns: 1e3 * exchange / others,
            measurements: found.measurements,
            rounds: found.rounds,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for Link { hosts, bandwidth } in &self.links {
            let _ = writeln!(text, "{bandwidth:>10.1} Mbit/s  {}", hosts.join(" "));
        }
        let Self {
            broadcast,
            word_ns,
            measurements,
            rounds,
            ..
        } = self;
        let _ = writeln!(text, "broadcast         {broadcast:.1} Mbit/s");
        let _ = writeln!(text, "a word to all     {word_ns:.1} ns");
        let _ = writeln!(
            text,
            "measured          {measurements} pairs in {rounds} rounds"
        );
        text
    }
}
