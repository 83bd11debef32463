//! `cargo superstep topology infer`: the tree from a matrix of round-trip times, or from hosts that
//! are measured.

use std::{
    collections::BTreeMap,
    fmt::{Display, Write},
    path::PathBuf,
};

use clap::Args;
use superstep_files::replace;
use superstep_network::topology::{
    InferError, Inference, Matrix, Measurement, Probe, Recorded, Setting, infer,
};

use super::{doubts, draw, error::TopologyError, hosts};
use crate::failure::{Failure, in_file, unwritten};
use crate::{output, progress::Progress};

/// Infer the tree of hosts and switches from round-trip times
#[derive(Args)]
pub(crate) struct Arguments {
    /// Round-trip times in microseconds between all hosts, or the pairs that `--record` has
    /// written. There is a row of comma-separated numbers for each host, and the names before if
    /// there are any
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "hosts",
        conflicts_with = "hosts"
    )]
    matrix: Option<PathBuf>,
    /// How far each time differs when it is measured again, and so from that of the other
    /// direction, as a matrix. Without it times count as exact. Spreads that stand out cannot be
    /// measured again, and are taken as they are
    #[arg(long, value_name = "FILE", requires = "matrix")]
    spread: Option<PathBuf>,
    #[command(flatten)]
    hosts: Option<hosts::Arguments>,
    /// Go on without hosts that fail, or contradict the others
    #[arg(long, requires = "hosts")]
    skip_lost: bool,
    /// Most pairs that are measured at a time. Take few where hosts share a machine, and disturb
    /// each other [default: as many as have no host in common]
    #[arg(long, value_name = "N", requires = "hosts", value_parser = clap::value_parser!(u32).range(1..))]
    at_a_time: Option<u32>,
    /// Write round trip and spread of all measured pairs to this file, in microseconds: a line for
    /// each, which `--matrix` reads
    #[arg(long, value_name = "FILE", requires = "hosts")]
    record: Option<PathBuf>,
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
    let (inference, names) = match (&arguments.hosts, &arguments.matrix) {
        (Some(hosts), _) => measured(arguments, hosts)?,
        (None, Some(matrix)) => recorded(arguments, matrix)?,
        (None, None) => unreachable!("the command line has one of both"),
    };
    if let Some(path) = &arguments.record {
        let measured = inference.measurements.iter().copied();
        replace(path, Recorded::list(measured, &names)).map_err(in_file(path))?;
    }
    if let Some(path) = &arguments.svg {
        output::replace(path, draw::svg(&inference.tree).map_err(unwritten(path))?)?;
    }
    if let Some(path) = &arguments.out {
        inference.tree.write(path)?;
    }
    let tree = &inference.tree;
    output::write(&if arguments.json {
        tree.to_json()
    } else if arguments.newick {
        tree.newick() + "\n"
    } else if arguments.hosts.is_some() {
        text(&inference) + &partners(&inference.measurements, &names)
    } else {
        text(&inference)
    })
}

/// Infers from files.
fn recorded(arguments: &Arguments, matrix: &PathBuf) -> Result<(Inference, Vec<String>), Failure> {
    let spreads = arguments.spread.as_ref().map(Matrix::read).transpose()?;
    let probe = Recorded::read(matrix, spreads)?;
    let (names, all) = (probe.names().to_vec(), probe.measurements());
    let (inference, _) = inferred(arguments, &names, probe);
    let inference = inference.map_err(in_file(matrix))?;
    warn_of_left_out(&inference, &names);
    doubts::warn(&inference, &all, &names);
    Ok((inference, names))
}

/// Infers from hosts that answer.
fn measured(
    arguments: &Arguments,
    hosts: &hosts::Arguments,
) -> Result<(Inference, Vec<String>), Failure> {
    let (names, probe) = hosts.connect()?;
    if !probe.lost().is_empty() && !arguments.skip_lost {
        let hosts = probe.lost().to_vec();
        return Err(TopologyError::Lost { hosts }.into());
    }
    let lost = probe.lost().iter();
    let lost: BTreeMap<usize, String> = lost
        .map(|error| (error.number, error.to_string()))
        .collect();
    lost.values().for_each(|error| hosts::warn(error));
    let probe = match arguments.at_a_time {
        Some(most) => probe.with_most(most as usize),
        None => probe,
    };
    let (inference, failed) = inferred(arguments, &names, probe);
    if arguments.skip_lost {
        // Whatever came of it: the tree, and an error, say nothing of their reasons.
        let failed = failed.iter().filter(|(host, _)| !lost.contains_key(host));
        failed.for_each(|(_, error)| hosts::warn(error));
    }
    let inference = inference?;
    warn_of_left_out(&inference, &names);
    doubts::warn(&inference, &inference.measurements, &names);
    Ok((inference, names))
}

/// A tree or the reason for none, and why hosts have failed that were measured for it.
type Inferred<E> = (Result<Inference, InferError<E>>, BTreeMap<usize, String>);

fn inferred<P: Probe<Error: Display>>(
    arguments: &Arguments,
    names: &[String],
    probe: P,
) -> Inferred<P::Error> {
    let setting = Setting {
        seed: arguments.seed,
        leave_out: arguments.skip_lost,
        ..if arguments.published {
            Setting::published()
        } else {
            Setting::default()
        }
    };
    let progress = Progress::new();
    progress.bar("adding hosts", names.len());
    let mut probe = hosts::Counted::new(probe, &progress);
    let inference = infer(names, &mut probe, &setting, |hosts| progress.advance(hosts));
    progress.finish();
    (inference, probe.failed())
}

/// Lists measured pairs, each under its host of the smaller number.
fn partners(measurements: &[Measurement], names: &[String]) -> String {
    let mut pairs: Vec<(u32, u32)> = measurements
        .iter()
        .map(|one| (one.pair.0.min(one.pair.1), one.pair.0.max(one.pair.1)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut text = "measured:\n".to_owned();
    for group in pairs.chunk_by(|x, y| x.0 == y.0) {
        let others: Vec<&str> = group
            .iter()
            .map(|pair| &names[pair.1 as usize][..])
            .collect();
        let _ = writeln!(
            text,
            "  {} - {}",
            names[group[0].0 as usize],
            others.join(" ")
        );
    }
    text
}

/// Returns the tree as text, and how much was measured for it.
fn text(inference: &Inference) -> String {
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
    text
}

/// Warns of hosts that are not in the tree.
fn warn_of_left_out(inference: &Inference, names: &[String]) {
    let contradictions = inference.contradictions.iter();
    contradictions.for_each(|contradiction| hosts::warn(&contradiction.to_string()));
    for &host in &inference.left_out {
        hosts::warn(&format!("host {} is not in the tree", names[host]));
    }
}
