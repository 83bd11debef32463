//! `cargo superstep schedule GRAPH --processors P`: schedules a graph file.

use std::{path::PathBuf, time::Instant};

use clap::{Args, ValueEnum};
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_scheduler::{
    Bcsh, BspGreedy, Cuts, GrowLocal, Levels, Pipeline, Portfolio, ScheduleError, Scheduler,
    Serial, TreeAlgorithm,
    rivals::{CopyInsertion, Dsh, Etf, HillClimb},
    tree::Reduction,
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
    /// BCSH with its cuts chosen by what they cost (up to 64 processors)
    Cuts,
    /// Blocks of the run on fixed owners, passed on in slices: for substitution and the like
    Pipeline,
    /// Earliest task first, a classic list scheduler
    Etf,
    /// The duplication scheduling heuristic of Kruatrachue and Lewis: for small graphs
    Dsh,
    /// Hill climbing on the BSP cost from a greedy schedule (up to 64 processors)
    HillClimb,
    /// Copies in place of messages in a greedy schedule (up to 64 processors)
    CopyInsertion,
    /// Trees and forests of any shape: blocks of neighbours for each processor, then what is above them
    Reduction,
    /// Complete binary trees: cut every floor(log2(tau + 2)) levels, by Papadimitriou and Yannakakis
    Py,
    /// Complete binary trees: the thesis's ALG1, near the optimum for enough processors
    Alg1,
    /// Complete binary trees: the thesis's ALG2, layers of equal height
    Alg2,
    /// Complete binary trees: the thesis's ALG3, for a limited number of processors
    Alg3,
    /// Complete binary trees: ALG3*, never slower than ALG3, ALG2 or one processor
    Alg3star,
    /// Complete binary trees: the optimum for enough processors
    Optimal,
}

impl Algorithm {
    /// The scheduler with its own settings.
    fn scheduler(self) -> Box<dyn Scheduler> {
        match self {
            Self::Serial => Box::new(Serial),
            Self::Levels => Box::new(Levels),
            Self::Bcsh => Box::new(Bcsh::default()),
            Self::GrowLocal => Box::new(GrowLocal::default()),
            Self::BspGreedy => Box::new(BspGreedy::default()),
            Self::Cuts => Box::new(Cuts::BALANCED),
            Self::Pipeline => Box::new(Pipeline::default()),
            Self::Etf => Box::new(Etf),
            Self::Dsh => Box::new(Dsh),
            Self::HillClimb => Box::new(HillClimb),
            Self::CopyInsertion => Box::new(CopyInsertion),
            Self::Reduction => Box::new(Reduction),
            Self::Py => Box::new(TreeAlgorithm::Py),
            Self::Alg1 => Box::new(TreeAlgorithm::Alg1),
            Self::Alg2 => Box::new(TreeAlgorithm::Alg2),
            Self::Alg3 => Box::new(TreeAlgorithm::Alg3),
            Self::Alg3star => Box::new(TreeAlgorithm::Alg3Star),
            Self::Optimal => Box::new(TreeAlgorithm::Optimal),
        }
    }
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
    graph: &Dag,
    machine: &Machine,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Schedule, ScheduleError> {
    match arguments.algorithm {
        None => {
            let effort = arguments.effort.into();
            Portfolio { effort }.schedule(graph, machine)
        }
        Some(Algorithm::Bcsh) => {
            let bcsh = Bcsh {
                processor_saving: !arguments.no_saving,
            };
            Ok(bcsh
                .layers_observed(graph, machine, |tasks| progress.advance(tasks))?
                .0)
        }
        Some(algorithm) => algorithm.scheduler().schedule(graph, machine),
    }
}
