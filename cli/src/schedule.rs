//! `cargo superstep schedule GRAPH --processors P`: schedules a graph file.

use std::{path::PathBuf, time::Instant};

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{Algorithm, Effort, ScheduleError, Setting};
use superstep_search::{ALL, Bcsh};

use crate::graph_file::{self, checked};
use crate::values::one_of;
use crate::{failure::Failure, machine::Costs, output, progress::Progress, traffic::Traffic};

/// Schedule the task graph of a file
#[derive(Args)]
pub(crate) struct Arguments {
    /// Graph file: .hdag, .dot or .mtx
    graph: PathBuf,
    /// Number of processors [default: all of the machine file]
    #[arg(long, short, required_unless_present = "machine", value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    processors: Option<u32>,
    #[command(flatten)]
    costs: Costs,
    /// How much to try
    #[arg(long, short, default_value_t = Effort::Balanced, value_parser = efforts())]
    effort: Effort,
    /// Who schedules
    #[arg(long, short, default_value_t = Algorithm::Auto, value_parser = algorithms())]
    algorithm: Algorithm,
    /// With bcsh: use all processors in every superstep, even where fewer are as fast
    #[arg(long)]
    no_saving: bool,
    #[command(flatten)]
    traffic: Traffic,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Write the schedule to this file: as JSON if it ends in .json, else in a compact binary form
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Parses the name of an algorithm, and lists all.
pub(crate) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    one_of(ALL, |each| {
        PossibleValue::new(each.name()).help(each.idea())
    })
}

/// Parses the name of an effort, and lists all.
pub(crate) fn efforts() -> impl TypedValueParser<Value = Effort> {
    one_of(&Effort::ALL, |each| {
        PossibleValue::new(each.name()).help(each.about())
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading the graph");
    let graph = graph_file::read(&arguments.graph)?;
    let target = arguments.costs.target(arguments.processors)?;
    progress.bar("scheduling", graph.tasks());
    let start = Instant::now();
    let schedule = schedule(&graph, &target.machine, arguments, &progress)?;
    let seconds = start.elapsed().as_secs_f64();
    progress.stage("checking");
    let schedule = checked((&graph, &arguments.graph), schedule, None)?;
    if let Some(path) = &arguments.out {
        progress.stage("writing the schedule");
        schedule.schedule().write(path)?;
    }
    progress.stage("counting costs");
    arguments.traffic.write(&schedule, &target.machine)?;
    let report = target
        .report(&schedule, seconds)
        .by(arguments.algorithm.name());
    progress.finish();
    output::print(&report, arguments.json, || report.text())
}

fn schedule(
    graph: &Dag,
    machine: &Machine,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Schedule, ScheduleError> {
    if arguments.algorithm == Algorithm::Bcsh {
        let bcsh = Bcsh {
            processor_saving: !arguments.no_saving,
        };
        let (schedule, _) =
            bcsh.layers_observed(graph, machine, |tasks| progress.advance(tasks))?;
        return Ok(schedule);
    }
    let setting = Setting {
        memory: None,
        effort: arguments.effort,
    };
    let algorithm = arguments.algorithm.of(ALL);
    algorithm.schedule(graph, machine, setting)
}
