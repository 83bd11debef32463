//! `cargo superstep check GRAPH SCHEDULE`: checks a schedule file against a graph file, and prints
//! its costs.

use std::{path::PathBuf, time::Instant};

use clap::Args;

use crate::graph_file::{self, checked};
use crate::{failure::Failure, machine::Costs, output, progress::Progress, traffic::Traffic};

/// Check that a file holds a valid schedule of a graph, and print its figures
#[derive(Args)]
pub(crate) struct Arguments {
    /// Graph file: .hdag, .dot or .mtx
    graph: PathBuf,
    /// Schedule file: JSON if it ends in .json, else in the compact binary form
    schedule: PathBuf,
    #[command(flatten)]
    costs: Costs,
    #[command(flatten)]
    traffic: Traffic,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// Reads both files, checks the schedule, writes its traffic if `--traffic` names a file, and
/// prints the figures.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading the graph");
    let graph = graph_file::read(&arguments.graph)?;
    progress.stage("reading the schedule");
    let schedule = graph_file::read_schedule(&arguments.schedule)?;
    progress.stage("checking");
    let target = arguments.costs.target(Some(schedule.processors() as u32))?;
    let start = Instant::now();
    let schedule = checked(
        (&graph, &arguments.graph),
        schedule,
        Some(&arguments.schedule),
    )?;
    let seconds = start.elapsed().as_secs_f64();
    progress.stage("counting costs");
    arguments.traffic.write(&schedule, &target.machine)?;
    let report = target.report(&schedule, seconds);
    progress.finish();
    output::print(&report, arguments.json, || report.text())
}
