//! Lists of the tasks of a schedule.

use superstep_dag::Dag;
use superstep_order::Rows;
use superstep_schedule::Schedule;
use superstep_scheduler::ScheduleError;

use crate::sets::bits;

/// Returns so many lists of tasks, those of each in topological order. `lists_of` gives the lists
/// that a task is in.
pub(crate) fn topological_lists<I: Iterator<Item = usize> + Clone>(
    graph: &Dag,
    lists: usize,
    lists_of: impl Fn(u32) -> I + Clone,
) -> Rows<u32> {
    let instances = graph
        .topological()
        .flat_map(|task| lists_of(task).map(move |list| (list, task)));
    Rows::sorted(lists, instances)
}

/// Schedules each task in one superstep, on all processors of a set. `place_of` gives the superstep
/// and the set.
///
/// # Errors
/// When there are too many task instances for the schedule of an `algorithm`.
pub(crate) fn schedule_copies(
    algorithm: &'static str,
    graph: &Dag,
    processors: u32,
    supersteps: usize,
    place_of: impl Fn(u32) -> (usize, u64) + Clone,
) -> Result<Schedule, ScheduleError> {
    let copies = |task| u64::from(place_of(task).1.count_ones());
    let instances: u64 = (0..graph.tasks() as u32).map(copies).sum();
    if instances > u64::from(u32::MAX) {
        return Err(ScheduleError::Instances {
            algorithm,
            instances,
        });
    }
    let width = processors as usize;
    let lists = topological_lists(graph, supersteps * width, |task| {
        let (superstep, set) = place_of(task);
        bits(set).map(move |processor| superstep * width + processor)
    });
    Ok(Schedule::from_compressed(
        processors,
        lists.offsets,
        lists.items,
    ))
}
