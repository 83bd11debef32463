//! What no schedule beats.

use superstep_dag_builder::{TaskGraph, earliest_finishes};

/// The largest sum of weights along a path.
///
/// Cost: one pass over the edges, 8 bytes per task.
pub fn critical_path(graph: &TaskGraph) -> u64 {
    earliest_finishes(graph).into_iter().max().unwrap_or(0)
}

/// Least work of the busiest of `processors` processors: total work by processors, rounded up.
pub fn work_bound(graph: &TaskGraph, processors: u32) -> u64 {
    graph.total_work().div_ceil(u64::from(processors.max(1)))
}

/// The larger of the two: neither the makespan nor the BSP cost of any schedule on `processors` processors is below it.
///
/// ```
/// use superstep_dag_builder::TaskGraph;
/// use superstep_scheduler::bounds::lower_bound;
///
/// let fork = TaskGraph::from_edges(4, &[(0, 1), (0, 2), (0, 3)]).unwrap();
/// assert_eq!([1, 2, 3].map(|processors| lower_bound(&fork, processors)), [4, 2, 2]);
/// ```
pub fn lower_bound(graph: &TaskGraph, processors: u32) -> u64 {
    critical_path(graph).max(work_bound(graph, processors))
}
