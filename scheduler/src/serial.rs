//! Trivial schedule: everything on processor 0, in one superstep.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{ScheduleError, Scheduler, serves};

/// Serial schedule: everything on processor 0, in one superstep. It is optimal for one processor,
/// and the base of the makespan speed-up.
///
/// Cost: a copy of the task ids.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Scheduler for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut schedule = Schedule::new(machine.processors);
        schedule.push(graph.topological());
        for _ in 1..machine.processors {
            schedule.push([]);
        }
        Ok(schedule)
    }
}
