//! Pipelines: contiguous blocks of the sequential run on fixed owners, in slices of equal work.
//!
//! Substitution, recurrences and sweeps leave no cut between levels that many processors can cross at once. What works is a pipeline: each
//! processor owns a block of the run, works through it in an order that first frees what others wait for, and hands on as much at a time as
//! balances the latency of an exchange against the time until the last processor has work.
//!
//! * Owners: blocks of the [order](Order) of tasks, of equal work. The sequence of each owner: by the least depth among the tasks that it
//!   leads to, in the block, whose values others read; so that the values that are waited for first come first (`sequences.rs`). For a grid
//!   in blocks of rows that is column by column.
//! * Supersteps: in each, every owner goes on in its sequence for as long as the values that it needs had been computed before, up to a
//!   budget of work (`slices.rs`). No sequence can wait for itself: along a sequence, and from a task to its reader on another owner, the
//!   depth that orders them rises.
//! * While the pipeline fills and drains most processors wait. It takes less time with several blocks for each processor, small ones at both ends of
//!   the run, and slices of each block that are small at both ends (`Tent` in `blocks.rs`).
//! * A block of fewer rows is worked through in longer slices for the same budget: blocks that are dealt in rounds cost hardly more, and their
//!   slices are longer loops.
//! * The search: the number of owners, where their blocks end, and the budget (`search.rs`, `blocks.rs`). Only the tasks that wait for another
//!   owner or are waited for are looked at, so that a try takes microseconds.
//!
//! There are no copies. Messages are taken to be sent right after the superstep that computes them; with those the result is never dearer than
//! serial.

mod blocks;
mod search;
mod sequences;
mod slices;

use superstep_dag::{Dag, depths};
use superstep_machine::Machine;

use superstep_schedule::Schedule;

use self::search::Search;
pub use self::{
    blocks::{Borders, MOST, Shape, Tent},
    search::schedule,
    sequences::Sequences,
    slices::Pace,
};
use crate::{Order, ScheduleError, Scheduler, Serial, serves};

/// The pipeline, with the order of the run that is cut into blocks, and its effort.
///
/// Cost: for each number of owners tried 30 nanoseconds or so for each task and edge; then `effort` steps of a nanosecond or two for each
/// task and edge at the most. 20 bytes per task, 36 where their work differs.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::{Pipeline, Scheduler};
///
/// let graph = generate::grid_substitution(30)?;
/// let machine = Machine { latency: 20.0, ..Machine::new(4) };
/// let schedule = Pipeline::default().schedule(&graph, &machine)?;
/// let costs = Costs::of(&CheckedSchedule::new(&graph, schedule)?, &machine);
/// assert!(costs.bsp_cost < 0.6 * graph.total_work() as f64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The order whose blocks processors own.
    pub order: Order,
    /// Steps for each task and edge.
    pub effort: u32,
    /// Try several blocks for each processor, too, and blocks and slices that are small at both ends: cheaper, but more pieces of code.
    pub tapered: bool,
    /// Give each processor as many blocks as cost hardly more: their slices are the longer, and so are the inner loops of a program. Tapered ones
    /// replace them where they are cheaper.
    pub long_slices: bool,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self {
            order: Order::Ids,
            effort: 400,
            tapered: false,
            long_slices: false,
        }
    }
}

impl Pipeline {
    /// The pipeline for programs whose processors run slices as loops, which take the less for each task the longer they are.
    pub fn for_loops() -> Self {
        Self {
            long_slices: true,
            ..Self::default()
        }
    }
}

impl Scheduler for Pipeline {
    fn name(&self) -> &'static str {
        "pipeline"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let depths = depths(graph);
        let ranks = self.order.ranks(graph);
        let steps = u64::from(self.effort) * (graph.tasks() + graph.edges()) as u64;
        let mut search = Search::new(machine, graph.total_work() as f64, steps);
        let mut sequences = |shape| Sequences::new(graph, &ranks, &depths, shape);
        search.run(&mut sequences);
        if self.long_slices {
            search.run_rounds(&mut sequences);
        }
        if self.tapered && machine.processors > 1 {
            search.run_tents(&mut sequences);
        }
        match search.into_schedule() {
            Some(schedule) => Ok(schedule),
            None => Serial.schedule(graph, machine),
        }
    }
}
