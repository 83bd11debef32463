//! Schedulers of complete binary trees.

use serde::Serialize;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::{Alg3Star, CompleteTree, TreeSchedule, sequential};
use crate::{ScheduleError, Scheduler, serves};

/// Timing of a tree's schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Time at which the root has been computed.
    pub makespan: u64,
    /// Time at which the root starts.
    pub start: u64,
    /// Number of processors that the tree takes.
    pub processors: u64,
}

impl Timing {
    /// Makes the timing of a schedule of that makespan on so many processors.
    pub fn new(makespan: u64, processors: u64) -> Self {
        Self {
            makespan,
            start: makespan - 1,
            processors,
        }
    }
}

/// Way of scheduling complete binary trees, by their height.
pub trait TreeScheduler: Scheduler {
    /// Returns the timing of the tree of `height` levels under a delay of `tau` tasks, where a
    /// limit matters on so many `processors`.
    ///
    /// # Panics
    /// When `height` is 0 or more than 62, or there is no processor.
    fn timing(&self, height: u32, tau: u64, processors: u64) -> Timing;

    /// Schedules the complete tree; `None` if this is an algorithm that re-associates.
    ///
    /// # Panics
    /// As [`timing`](Self::timing), and for more than 30 levels.
    fn schedule_tree(&self, height: u32, tau: u64, processors: u64) -> Option<TreeSchedule>;
}

/// Schedules a graph that [is a complete binary tree](CompleteTree::of), of any weight, with the
/// machine's tau in units of that, rounded up.
///
/// Algorithms for as many processors as they want are refused by a machine that has fewer.
///
/// # Errors
/// When the graph is another, or the machine has too few processors.
pub fn on_complete_tree(
    algorithm: &impl TreeScheduler,
    graph: &Dag,
    machine: &Machine,
) -> Result<Schedule, ScheduleError> {
    serves(algorithm, machine, Schedule::MOST_PROCESSORS)?;
    let name = algorithm.name();
    let shape = ScheduleError::NoCompleteTree { algorithm: name };
    let tree = CompleteTree::of(graph).ok_or(shape.clone())?;
    let tau = delay(machine.tau(), &tree);
    let (height, processors) = (tree.height(), machine.processors);
    // Before millions of pieces are placed it is known that there are processors enough.
    let timing = algorithm.timing(height, tau, processors.into());
    let needs = timing.processors;
    if needs > processors.into() {
        return Err(ScheduleError::TooFew {
            algorithm: name,
            needs,
            processors,
        });
    }
    let schedule = algorithm.schedule_tree(height, tau, processors.into());
    Ok(schedule.ok_or(shape)?.supersteps(&tree, processors))
}

/// Returns tau in tasks. More than the whole tree takes is as bad as that.
fn delay(tau: f64, tree: &CompleteTree) -> u64 {
    let tasks = (tau / f64::from(tree.weight().max(1))).ceil();
    (tasks as u64).min(sequential(tree.height()))
}

/// Scheduler of complete binary trees by [`Alg3Star`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompleteTrees;

impl CompleteTrees {
    /// Name of the algorithm.
    pub const NAME: &str = "alg3star";

    /// Idea of the algorithm in a line.
    pub const IDEA: &str = "complete binary trees: never slower than ALG3, ALG2 or one processor";
}

impl TreeScheduler for CompleteTrees {
    fn timing(&self, height: u32, tau: u64, processors: u64) -> Timing {
        let star = Alg3Star::new(height, tau, processors);
        Timing::new(star.makespan(height), star.processors(height))
    }

    fn schedule_tree(&self, height: u32, tau: u64, processors: u64) -> Option<TreeSchedule> {
        Some(Alg3Star::new(height, tau, processors).schedule(height))
    }
}

impl Scheduler for CompleteTrees {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        on_complete_tree(self, graph, machine)
    }
}
