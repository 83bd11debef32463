//! GrowLocal for the tasks of a build: [`superstep_lists::grow_local`] in an order of theirs.

use superstep_dag::Dag;
use superstep_lists::{Growth, Ranking, grow_local};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{
    ScheduleError, Scheduler,
    order::{Order, Ranks},
    scheduler::serves,
};

/// GrowLocal: greedy growth of supersteps, without copies.
///
/// A superstep is grown from the tasks that are ready at its start. The first processor takes a
/// number of tasks, then each other one as much work as the first got. A processor prefers tasks
/// that only it can run, because their predecessors are its own of this superstep. Then it takes
/// those that come first in [`order`](Self::order). Larger and larger numbers are tried. The
/// superstep is the one with the most work per cost: all work over (the largest load + L).
///
/// Cost: n log n; each task is tried about three times.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_scheduler::{GrowLocal, Scheduler};
///
/// let machine = Machine { latency: 100.0, ..Machine::new(4) };
/// let schedule = GrowLocal::default().schedule(&generate::lu(32)?, &machine)?;
/// assert!(schedule.supersteps() < 62); // fewer than levels
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GrowLocal {
    /// Order in which a processor takes tasks.
    pub order: Order,
}

impl Scheduler for GrowLocal {
    fn name(&self) -> &'static str {
        "grow-local"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut schedule = Schedule::new(machine.processors);
        let growth = Growth::new(machine.processors, machine.latency);
        let ranks = self.order.ranks(graph);
        grow_local(graph.before(), &ranks, growth, &mut schedule);
        Ok(schedule)
    }
}

impl Ranking for Ranks {
    fn rank(&self, task: u32) -> u32 {
        Self::rank(self, task)
    }

    fn task(&self, rank: u32) -> u32 {
        Self::task(self, rank)
    }
}
