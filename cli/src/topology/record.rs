//! `cargo superstep topology record`: round-trip times from one host to all others, again and
//! again.

use std::{fmt::Write, path::PathBuf, time::Duration};

use clap::Args;
use superstep_files::replace;
use superstep_network::topology::{
    Pace,
    tcp::{HostError, TcpProbe},
};

use super::{error::TopologyError, hosts};
use crate::failure::{Failure, in_file};
use crate::{output, progress::Progress};

/// Record round-trip times from one host to all others, as samples of their latency
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    hosts: hosts::Arguments,
    /// Host that sends the pings [default: the first]
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
    /// Number of samples of each path: each is one ping
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: u32,
    /// Time from one sample to the next; without it they follow each other at once
    #[arg(long, value_name = "SECONDS", value_parser = hosts::seconds)]
    every: Option<f64>,
    /// File of comma-separated values: a column for each path and a row for each sample, `-` where
    /// one is lost
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (names, probe) = arguments.hosts.connect()?;
    let from = match &arguments.from {
        Some(name) => names.iter().position(|other| other == name),
        None => Some(0),
    };
    let from = from.ok_or_else(|| TopologyError::Unknown {
        path: arguments.hosts.hosts.clone(),
        name: arguments.from.clone().unwrap_or_default(),
    })?;
    if !probe.lost().is_empty() {
        let hosts = probe.lost().to_vec();
        return Err(TopologyError::Lost { hosts }.into());
    }
    let others: Vec<usize> = (0..names.len()).filter(|&host| host != from).collect();
    let (rows, failed) = sample(arguments, probe, from, &others);
    let mut text = String::new();
    let heading: Vec<String> = others
        .iter()
        .map(|&to| format!("{} (us)", names[to]))
        .collect();
    let _ = writeln!(text, "{}", heading.join(","));
    let mut lost = 0;
    for row in &rows {
        lost += row.iter().filter(|cell| cell.is_none()).count();
        // One path of which a sample is lost would be an empty line, so there is a sign for it.
        let cells: Vec<String> = row
            .iter()
            .map(|cell| cell.map_or("-".to_owned(), |time| format!("{time:.3}")))
            .collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    let out = &arguments.out;
    replace(out, text).map_err(in_file(out))?;
    if let Some(error) = failed {
        let hosts = vec![error];
        return Err(TopologyError::Lost { hosts }.into());
    }
    output::write(&format!(
        "{} samples of {} paths from {}, {lost} lost\n",
        rows.len(),
        others.len(),
        names[from],
    ))
}

/// Round-trip times of all paths in microseconds; `None` is lost.
type Row = Vec<Option<f64>>;

/// Takes samples until all are there, or the host that sends pings fails. The paths of a row are
/// measured one after the other, so that none waits for another.
fn sample(
    arguments: &Arguments,
    mut probe: TcpProbe,
    from: usize,
    others: &[usize],
) -> (Vec<Row>, Option<HostError>) {
    let progress = Progress::new();
    progress.bar("sampling", arguments.samples as usize);
    let mut pace = Pace::new(Duration::from_secs_f64(arguments.every.unwrap_or(0.0)));
    let mut rows = Vec::new();
    for _ in 0..arguments.samples {
        pace.wait();
        let mut row = Vec::new();
        for (&to, ping) in others.iter().zip(probe.round(from, others)) {
            row.push(match ping {
                Ok(nanoseconds) => Some(nanoseconds as f64 / 1000.0),
                // A host that does not answer costs its own samples only.
                Err(error) if error.number == to => None,
                Err(error) => return (rows, Some(error)),
            });
        }
        rows.push(row);
        progress.advance(rows.len());
    }
    progress.finish();
    if let Some(late) = pace.excuse("samples") {
        hosts::warn(&late);
    }
    (rows, None)
}
