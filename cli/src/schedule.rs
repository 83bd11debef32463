//! `cargo superstep schedule GRAPH --processors P`: schedules a graph file.

use std::{path::PathBuf, time::Instant};

use clap::{Args, ValueEnum};
use superstep_dag_builder::TaskGraph;
use superstep_machine::Machine;
use superstep_scheduler::{
    Bcsh, BspGreedy, CheckedSchedule, GrowLocal, Levels, Portfolio, Schedule, ScheduleError,
    Scheduler, Serial,
};

use crate::{
    failure::Failure,
    machine::Costs,
    progress::Progress,
    report::{self, Report},
};

/// Schedule the task graph of a file
#[derive(Args)]
pub(crate) struct Arguments {
    /// Graph file: .hdag, .dot or .mtx
    graph: PathBuf,
    /// Number of processors
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    processors: u32,
    #[command(flatten)]
    costs: Costs,
    /// How much to try
    #[arg(long, short, value_enum, default_value_t = Effort::Balanced)]
    effort: Effort,
    /// Use this algorithm alone [default: the best of many, as the effort allows]
    #[arg(long, short, value_enum, conflicts_with = "effort")]
    algorithm: Option<Algorithm>,
    /// With bcsh: use all processors in every superstep, even where fewer are as fast
    #[arg(long)]
    no_saving: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Write the schedule to this file: as JSON if it ends in .json, else in a compact binary form
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Effort {
    /// About 100 ns per edge
    Fast,
    /// About 2 us per edge
    Balanced,
    /// About 100 us per edge, up to some seconds
    Thorough,
}

impl From<Effort> for superstep_scheduler::Effort {
    fn from(effort: Effort) -> Self {
        match effort {
            Effort::Fast => Self::Fast,
            Effort::Balanced => Self::Balanced,
            Effort::Thorough => Self::Thorough,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Algorithm {
    /// Everything on one processor
    Serial,
    /// One superstep for each level of the graph
    Levels,
    /// Few supersteps, with copies of tasks in place of communication (up to 64 processors)
    Bcsh,
    /// Supersteps grown greedily while their balance gains on their latency
    GrowLocal,
    /// Tasks go where their inputs are; a superstep ends where that pays best
    BspGreedy,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading the graph");
    let graph = superstep_dag_builder::read(&arguments.graph)?;
    let machine = arguments.costs.machine(arguments.processors);
    progress.bar("scheduling", graph.tasks());
    let start = Instant::now();
    let schedule = schedule(&graph, &machine, arguments, &progress)?;
    let seconds = start.elapsed().as_secs_f64();
    progress.stage("checking");
    let schedule = CheckedSchedule::new(&graph, schedule).map_err(|error| Failure::Invalid {
        graph: arguments.graph.clone(),
        schedule: None,
        error,
    })?;
    if let Some(path) = &arguments.out {
        progress.stage("writing the schedule");
        schedule.schedule().write(path)?;
    }
    progress.stage("counting costs");
    let report = Report::new(&schedule, &machine, seconds);
    progress.finish();
    report::print(&report, &machine, arguments.json)
}

fn schedule(
    graph: &TaskGraph,
    machine: &Machine,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Schedule, ScheduleError> {
    match arguments.algorithm {
        None => {
            let effort = arguments.effort.into();
            Portfolio { effort }.schedule(graph, machine)
        }
        Some(Algorithm::Serial) => Serial.schedule(graph, machine),
        Some(Algorithm::Levels) => Levels.schedule(graph, machine),
        Some(Algorithm::GrowLocal) => GrowLocal::default().schedule(graph, machine),
        Some(Algorithm::BspGreedy) => BspGreedy::default().schedule(graph, machine),
        Some(Algorithm::Bcsh) => {
            let bcsh = Bcsh {
                processor_saving: !arguments.no_saving,
            };
            Ok(bcsh
                .layers_observed(graph, machine, |tasks| progress.advance(tasks))?
                .0)
        }
    }
}
