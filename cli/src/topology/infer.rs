//! `cargo superstep topology infer`: the tree from a matrix of round-trip times, or from hosts that
//! are measured.

use std::{fmt::Write, path::PathBuf};

use clap::Args;
use superstep_machine::topology::{
    InferError, Inference, Matrix, Measurement, Probe, Recorded, Setting, infer,
};

use super::{TopologyError, draw, hosts, write};
use crate::{failure::Failure, progress::Progress, report};

/// Infer the tree of hosts and switches from round-trip times
#[derive(Args)]
pub(crate) struct Arguments {
    /// Round-trip times in microseconds between all hosts: a row of comma-separated numbers for
    /// each, and the names before if there are any
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "hosts",
        conflicts_with = "hosts"
    )]
    matrix: Option<PathBuf>,
    /// How far each time differs when it is measured again, in the same form; without it times
    /// count as exact. Spreads that stand out cannot be measured again, and are taken as they are
    #[arg(long, value_name = "FILE", requires = "matrix")]
    spread: Option<PathBuf>,
    #[command(flatten)]
    hosts: Option<hosts::Arguments>,
    /// Go on without hosts that fail, or contradict the others
    #[arg(long, requires = "hosts")]
    skip_lost: bool,
    /// Most pairs that are measured at a time: few where hosts share a machine, and disturb each
    /// other [default: as many as have no host in common]
    #[arg(long, value_name = "N", requires = "hosts", value_parser = clap::value_parser!(u32).range(1..))]
    at_a_time: Option<u32>,
    /// Write round trip and spread of all measured pairs to this file, in microseconds
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
        write(path, &pairs(&inference.measurements, &names))?;
    }
    if let Some(path) = &arguments.svg {
        write(path, &draw::svg(&inference.tree))?;
    }
    if let Some(path) = &arguments.out {
        inference.tree.write(path).map_err(TopologyError::from)?;
    }
    let tree = &inference.tree;
    let mut printed = if arguments.json {
        tree.to_json()
    } else if arguments.newick {
        tree.newick() + "\n"
    } else {
        text(&inference, &names)
    };
    if arguments.hosts.is_some() && !arguments.json && !arguments.newick {
        printed += &partners(&inference.measurements, &names);
    }
    report::write(&printed)
}

/// Infers from files.
fn recorded(
    arguments: &Arguments,
    matrix: &PathBuf,
) -> Result<(Inference, Vec<String>), TopologyError> {
    let times = Matrix::read(matrix)?;
    let spreads = arguments.spread.as_ref().map(Matrix::read).transpose()?;
    let probe = Recorded::new(times, spreads).map_err(|source| TopologyError::Record {
        path: matrix.clone(),
        source,
    })?;
    let names = probe.names().to_vec();
    let inference = inferred(arguments, &names, probe).map_err(|source| TopologyError::Infer {
        path: matrix.clone(),
        source,
    })?;
    Ok((inference, names))
}

/// Infers from hosts that answer.
fn measured(
    arguments: &Arguments,
    hosts: &hosts::Arguments,
) -> Result<(Inference, Vec<String>), TopologyError> {
    let (names, probe) = hosts.connect()?;
    if !probe.lost().is_empty() && !arguments.skip_lost {
        let hosts = probe.lost().to_vec();
        return Err(TopologyError::Lost { hosts });
    }
    hosts::warn_of_lost(probe.lost());
    let probe = match arguments.at_a_time {
        Some(most) => probe.with_most(most as usize),
        None => probe,
    };
    let inference = inferred(arguments, &names, probe)
        .map_err(|error| TopologyError::Measure(Box::new(error)))?;
    for &host in &inference.left_out {
        hosts::warn(&format!("host {} is not in the tree", names[host]));
    }
    Ok((inference, names))
}

fn inferred<P: Probe>(
    arguments: &Arguments,
    names: &[String],
    probe: P,
) -> Result<Inference, InferError<P::Error>> {
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
    inference
}

/// Measured pairs as comma-separated values.
fn pairs(measurements: &[Measurement], names: &[String]) -> String {
    let mut text = "a,b,round_trip_us,spread_us\n".to_owned();
    for one in measurements {
        let [a, b] = [one.pair.0, one.pair.1].map(|host| &names[host as usize]);
        let [time, spread] =
            [one.round_trip.minimum, one.round_trip.spread].map(|time| time as f64 / 1000.0);
        let _ = writeln!(text, "{a},{b},{time:.3},{spread:.3}");
    }
    text
}

/// Measured pairs, each under its host of the smaller number.
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

/// The tree, how much was measured for it, and what is doubtful.
fn text(inference: &Inference, names: &[String]) -> String {
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
        let [a, b] = [one.pair.0, one.pair.1].map(|host| &names[host as usize]);
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
