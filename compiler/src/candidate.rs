//! Candidates: schedules that come into question.

use superstep_dag::{Contraction, Dag};
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, PackedSchedule, Schedule, cost::processors_used};
use superstep_scheduler::{Algorithm, ScheduleError, Setting};

use crate::place::columns::Sample;

/// A schedule that comes into question, and how it came about.
pub(crate) struct Candidate {
    /// Nanoseconds that its program takes at least.
    pub(crate) least: f64,
    /// The lists that this bound was found on, for the choice of a layout.
    pub(crate) sample: Option<Sample>,
    pub(crate) schedule: PackedSchedule,
    /// Set if more than one processor has a task.
    pub(crate) is_parallel: bool,
    pub(crate) algorithm: Algorithm,
    pub(crate) machine: Machine,
    /// Time that scheduling took.
    pub(crate) seconds: f64,
}

impl Candidate {
    /// Packs a schedule that an algorithm made for a machine in so many seconds; `bound`: the least
    /// time of its program, with the sample by which that was found.
    pub(crate) fn new(
        schedule: &CheckedSchedule<'_>,
        bound: Option<(f64, Sample)>,
        algorithm: Algorithm,
        machine: &Machine,
        seconds: f64,
    ) -> Self {
        let (least, sample) = bound.unzip();
        Self {
            least: least.unwrap_or(0.0),
            sample,
            is_parallel: processors_used(schedule.schedule()) > 1,
            schedule: PackedSchedule::new(schedule),
            algorithm,
            machine: machine.clone(),
            seconds,
        }
    }
}

/// Schedules the tasks, or their groups; none, if the algorithm is `one_of_several` and not made
/// for such graphs.
pub(crate) fn schedule(
    algorithm: Algorithm,
    (graph, groups): (&Dag, Option<&Contraction>),
    machine: &Machine,
    setting: Setting,
    one_of_several: bool,
) -> Result<Option<Schedule>, ScheduleError> {
    let graph = groups.map_or(graph, Contraction::graph);
    match algorithm.schedule(graph, machine, setting) {
        Err(error) if one_of_several && error.is_about_the_graph() => Ok(None),
        found => Ok(Some(match groups {
            Some(groups) => found?.expand(groups),
            None => found?.in_order(),
        })),
    }
}
