//! `cargo superstep topology infer`: the tree from a matrix of round-trip times.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_machine::topology::{Inference, Matrix, Recorded, Setting, infer};

use super::{TopologyError, draw, write};
use crate::{failure::Failure, progress::Progress, report};

/// Infer the tree of hosts and switches from round-trip times
#[derive(Args)]
pub(crate) struct Arguments {
    /// Round-trip times in microseconds between all hosts: a row of comma-separated numbers for
    /// each, and the names before if there are any
    #[arg(long, value_name = "FILE")]
    matrix: PathBuf,
    /// How far each time differs when it is measured again, in the same form; without it times
    /// count as exact. Spreads that stand out cannot be measured again, and are taken as they are
    #[arg(long, value_name = "FILE")]
    spread: Option<PathBuf>,
    /// Decides the order in which hosts are added
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tell switches apart by the spread of single pairs, and do not refine, as the published
    /// method does
    #[arg(long)]
    published: bool,
    /// Print the tree as JSON, the form of tree files
    #[arg(long, conflicts_with = "newick")]
    json: bool,
    /// Print the tree in Newick
    #[arg(long)]
    newick: bool,
    /// Draw the tree into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the tree to this file: as JSON if it ends in .json, else in Newick
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inference = recorded(arguments)?;
    if let Some(path) = &arguments.svg {
        write(path, &draw::svg(&inference.tree))?;
    }
    if let Some(path) = &arguments.out {
        inference.tree.write(path).map_err(TopologyError::from)?;
    }
    let tree = &inference.tree;
    let text = if arguments.json {
        tree.to_json()
    } else if arguments.newick {
        tree.newick() + "\n"
    } else {
        text(&inference)
    };
    report::write(&text)
}

fn recorded(arguments: &Arguments) -> Result<Inference, TopologyError> {
    let times = Matrix::read(&arguments.matrix)?;
    let spreads = arguments.spread.as_ref().map(Matrix::read).transpose()?;
    let mut probe = Recorded::new(times, spreads).map_err(|source| TopologyError::Record {
        path: arguments.matrix.clone(),
        source,
    })?;
    let names = probe.names().to_vec();
    let setting = Setting {
        seed: arguments.seed,
        ..if arguments.published {
            Setting::published()
        } else {
            Setting::default()
        }
    };
    let progress = Progress::new();
    progress.bar("adding hosts", names.len());
    let inference = infer(&names, &mut probe, &setting, |hosts| {
        progress.advance(hosts)
    });
    progress.finish();
    inference.map_err(|source| TopologyError::Infer {
        path: arguments.matrix.clone(),
        source,
    })
}

/// The tree, how much was measured for it, and what is doubtful.
pub(super) fn text(inference: &Inference) -> String {
    let tree = &inference.tree;
    let hosts = tree.hosts();
    let (pairs, all) = (inference.measurements.len(), hosts * (hosts - 1) / 2);
    let percent = 100.0 * pairs as f64 / all as f64;
    let switches = tree.switches();
    let mut text = tree.drawing();
    let plural = |count: usize, one: &str, more: &str| {
        format!("{count} {}", if count == 1 { one } else { more })
    };
    let _ = writeln!(
        text,
        "\n{}, {}; one-way latencies in microseconds",
        plural(hosts, "host", "hosts"),
        plural(switches, "switch", "switches"),
    );
    let _ = writeln!(text, "{pairs} of {all} pairs used ({percent:.0} %)");
    for one in &inference.wide {
        let [a, b] = [one.pair.0, one.pair.1].map(|host| &tree.names()[host as usize]);
        let (time, spread) = (one.round_trip.minimum, one.round_trip.spread);
        let _ = writeln!(
            text,
            "warning: {a} and {b}: {:.1} us differ by {:.1} us",
            time as f64 / 1000.0,
            spread as f64 / 1000.0
        );
    }
    text
}
