//! Levels and depths: the distance of a task from an output, and from an input, counted in tasks.
//! Others call the level a bottom level.

use crate::Dag;

/// Returns the level of each task as Fujimoto defines it (2000, chapter 2). It is the number of
/// tasks on a longest path from the task to an output, both ends included. An output has level 1;
/// weights do not count.
///
/// Cost: one pass over the edges.
///
/// ```
/// use superstep_dag::{Dag, levels};
///
/// let graph = Dag::from_edges(4, &[(0, 1), (1, 2), (0, 3)])?;
/// assert_eq!(levels(&graph), [3, 2, 1, 1]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
pub fn levels(graph: &Dag) -> Vec<u32> {
    graph.before().levels()
}

/// Returns the depth of each task: the number of tasks on a longest path from an input task to it,
/// both ends included. A task without predecessors has depth 1. It is the earliest step in which
/// the task can run when every task takes one step.
///
/// Cost: one pass over the edges.
pub fn depths(graph: &Dag) -> Vec<u32> {
    graph.before().depths()
}
