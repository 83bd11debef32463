//! One superstep for each level of the graph: the textbook schedule of wavefronts.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{ScheduleError, Scheduler, serves};

/// Levels: one superstep for each level (longest path to an output), the deepest first. The tasks
/// of a level are dealt in contiguous blocks of equal work.
///
/// No task is copied, and none is put off to a later superstep than that of its level. There are as
/// many supersteps as the longest path has tasks. Cost: linear.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels;

impl Scheduler for Levels {
    fn name(&self) -> &'static str {
        "levels"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut schedule = Schedule::new(machine.processors);
        schedule.reserve(graph.tasks());
        superstep_lists::levels(graph.before(), machine.processors, &mut schedule);
        Ok(schedule)
    }
}
