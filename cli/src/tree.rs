//! `cargo superstep tree`: reductions of complete binary trees by the algorithms of the thesis's
//! chapter 4 and by better ones.

use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use superstep_scheduler::ScheduleError;
use superstep_scheduler::tree::{Timing, TreeScheduler, complete_tree};
use superstep_search::TreeAlgorithm;
use superstep_search::tree::{FreeTree, Timetable, TimetableError, bounds};

use crate::{failure::Failure, output, values::one_of};

/// Levels of the tallest tree that is scheduled explicitly.
const TALLEST_EXPLICIT: u32 = 24;

/// Reduce 2^HEIGHT operands by a tree, under a delay
#[derive(Args)]
pub(crate) struct Arguments {
    /// Levels of the tree
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=40))]
    height: u32,
    /// How much later another processor has a value, in tasks
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    tau: u64,
    /// Number of processors [default: as many as wanted]
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..))]
    processors: Option<u32>,
    /// How to schedule
    #[arg(long, short, value_parser = algorithms())]
    algorithm: TreeAlgorithm,
    /// Make the schedule task by task too, and check it (up to 24 levels)
    #[arg(long)]
    check: bool,
    /// Print makespan, start of the root and number of processors as JSON
    #[arg(long)]
    json: bool,
}

/// Parses the name of an algorithm for trees, and lists all.
fn algorithms() -> impl TypedValueParser<Value = TreeAlgorithm> {
    one_of(TreeAlgorithm::ALL, |each| {
        PossibleValue::new(each.name()).help(each.idea())
    })
}

/// Errors of trees that are scheduled task by task.
#[derive(Debug, thiserror::Error)]
enum TreeError {
    /// There are too many tasks to list.
    #[error(
        "a tree of {height} levels is not scheduled task by task, only up to {TALLEST_EXPLICIT}"
    )]
    TooTall { height: u32 },
    /// A schedule that is not valid.
    #[error("the schedule is not valid: {0}")]
    Timetable(#[from] TimetableError),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (height, tau) = (arguments.height, arguments.tau);
    let algorithm = arguments.algorithm;
    let most = arguments.processors.map_or(1 << height, u64::from);
    let timing = algorithm.timing(height, tau, most);
    if let Some(processors) = arguments.processors
        && timing.processors > most
    {
        let too_few = ScheduleError::TooFew {
            algorithm: algorithm.name(),
            needs: timing.processors,
            processors,
        };
        return Err(too_few.into());
    }
    let checked = match arguments.check {
        true => check(algorithm, height, tau, most)?,
        false => String::new(),
    };
    output::print(&timing, arguments.json, || {
        text(algorithm, height, tau, most, timing) + &checked
    })
}

fn text(algorithm: TreeAlgorithm, height: u32, tau: u64, most: u64, timing: Timing) -> String {
    let bound = match algorithm {
        TreeAlgorithm::Nkf | TreeAlgorithm::Postal => {
            FreeTree::placed_freely(1 << height, tau, most).makespan()
        }
        _ => bounds::hu_makespan(height, most).max(bounds::e_strong(height, tau) + 1),
    };
    let ratio = timing.makespan as f64 / bound as f64;
    let lines = [
        ("algorithm", algorithm.name().to_owned()),
        ("operands", (1u64 << height).to_string()),
        ("tau", tau.to_string()),
        ("makespan", timing.makespan.to_string()),
        ("start of root", timing.start.to_string()),
        ("processors used", timing.processors.to_string()),
        ("lower bound", format!("{bound}  (makespan {ratio:.3} x)")),
    ];
    output::rows(lines)
}

/// Makes and checks the explicit schedule; a line about it.
fn check(algorithm: TreeAlgorithm, height: u32, tau: u64, most: u64) -> Result<String, TreeError> {
    if height > TALLEST_EXPLICIT {
        return Err(TreeError::TooTall { height });
    }
    let operands = 1 << height;
    let free = match algorithm {
        TreeAlgorithm::Nkf => Some(FreeTree::placed_freely(operands, tau, most)),
        TreeAlgorithm::Postal => Some(FreeTree::best_equal_blocks(operands, tau, most)),
        _ => None,
    };
    let start = Instant::now();
    let (graph, timetable) = match free {
        Some(free) => {
            let (graph, timetable) = free.schedule();
            (Some(graph), timetable)
        }
        None => {
            let schedule = algorithm.schedule_tree(height, tau, most);
            let timetable = schedule.as_ref().map(Timetable::of);
            (
                None,
                timetable.unwrap_or_else(|| Timetable::new(Vec::new())),
            )
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let graph = graph.unwrap_or_else(|| complete_tree(height));
    timetable.check(&graph, tau)?;
    let entries = timetable.entries().len();
    Ok(format!(
        "{:<18}{entries} tasks, scheduled in {seconds:.3} s\n",
        "checked"
    ))
}
