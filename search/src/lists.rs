//! Lists of the tasks of a schedule.

use superstep_dag::Dag;
use superstep_order::Rows;

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
