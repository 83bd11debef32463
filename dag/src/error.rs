//! Errors of a graph that somebody hands in.

/// Reason why edges, weights, words, homes or new numbers make no task graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// More tasks than ids.
    #[error("{tasks} tasks: a task graph has at most 2^31 - 1")]
    Tasks {
        /// Number of tasks that were asked for.
        tasks: u64,
    },
    /// More edges than offsets can count.
    #[error("{edges} edges: a task graph has at most 2^32 - 1")]
    Edges {
        /// Number of edges that were asked for.
        edges: u64,
    },
    /// An edge of a task that is not there.
    #[error("edge {from} -> {to}: there are only {tasks} tasks (ids start at 0)")]
    Missing {
        /// Source of the edge.
        from: u32,
        /// Sink of the edge.
        to: u32,
        /// Number of tasks.
        tasks: u32,
    },
    /// A task that would need its own value.
    #[error("task {task} has an edge to itself")]
    SelfLoop {
        /// The task.
        task: u32,
    },
    /// Tasks that wait for each other.
    #[error("the edges form a cycle: {}", arrows(tasks))]
    Cycle {
        /// The tasks of one cycle: each has an edge to the next, and the last one to the first.
        tasks: Vec<u32>,
    },
    /// List that has not one value for each task.
    #[error("{given} {what} for {tasks} tasks")]
    Length {
        /// Name of the list: `weights`, `words`, `homes` or `numbers`.
        what: &'static str,
        /// Number of values that were given.
        given: usize,
        /// Number of tasks, and of values that there should be.
        tasks: usize,
    },
}

/// Tasks of a cycle that a message names.
const NAMED: usize = 8;

/// Returns the way around a cycle: `0 -> 2 -> 0`; of a long one the first tasks.
fn arrows(tasks: &[u32]) -> String {
    let mut text = String::new();
    for task in &tasks[..tasks.len().min(NAMED)] {
        text += &format!("{task} -> ");
    }
    let first = tasks.first().copied().unwrap_or_default();
    match tasks.len() {
        0..=NAMED => format!("{text}{first}"),
        count => format!("{text}... -> {first} ({count} tasks)"),
    }
}
