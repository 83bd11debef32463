//! Pipelines for the tasks of a build: [`superstep_lists::pipeline`](mod@superstep_lists::pipeline)
//! in an order of theirs.

use superstep_dag::Dag;
use superstep_lists::pipeline::{Effort, Prices, pipeline};
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_tuning::tuned;

use crate::{Order, ScheduleError, Scheduler, Serial, serves};

tuned! {
    /// Steps of the search for each task and edge. With half as many matrices cost 5 % more.
    const EFFORT: u32 = 400;
}

/// Pipeline, with the order of the sequential run that is cut into blocks, and its effort.
///
/// Cost: for each number of owners tried 30 nanoseconds or so for each task and edge. Then `effort`
/// steps of a nanosecond or two for each task and edge at the most. Memory: 20 bytes per task, 36
/// where their work differs.
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
    /// Order whose blocks processors own.
    pub order: Order,
    /// Steps for each task and edge.
    pub effort: u32,
    /// Set if several blocks for each processor are tried, too, and blocks and slices that are
    /// small at both ends. They are cheaper, but more pieces of code.
    pub tapered: bool,
    /// Set if each processor gets as many blocks as cost hardly more: their slices are longer, and
    /// so are the inner loops of a program. Tapered ones replace them where they are cheaper.
    pub long_slices: bool,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self {
            order: Order::Ids,
            effort: EFFORT.get(),
            tapered: false,
            long_slices: false,
        }
    }
}

impl Pipeline {
    /// Returns the pipeline for programs whose processors run slices as loops, which take the less
    /// for each task the longer they are.
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
        let prices = Prices {
            processors: machine.processors,
            gap: machine.gap,
            latency: machine.latency,
        };
        let effort = Effort {
            steps: u64::from(self.effort) * (graph.tasks() + graph.edges()) as u64,
            tapered: self.tapered,
            long_slices: self.long_slices,
        };
        let mut schedule = Schedule::new(machine.processors);
        let ranks = self.order.ranks(graph);
        match pipeline(graph.before(), &ranks, prices, effort, &mut schedule) {
            true => Ok(schedule),
            false => Serial.schedule(graph, machine),
        }
    }
}
