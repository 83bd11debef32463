//! The graph of a list of edges.

use superstep_order::Rows;

use crate::{Dag, GraphError};

impl Dag {
    /// Makes the graph of `tasks` tasks with these edges `(from, to)`, in any order; an edge given
    /// twice counts once. Unit weights.
    ///
    /// Cost: linear (two counting sorts), 8 bytes per edge besides the graph itself.
    ///
    /// # Errors
    /// When an edge names a task that is not there, a task has an edge to itself, or the edges form
    /// a cycle.
    ///
    /// ```
    /// use superstep_dag::{GraphError, Dag};
    ///
    /// let graph = Dag::from_edges(3, &[(2, 0), (0, 1), (2, 0)])?;
    /// assert_eq!(graph.edges(), 2);
    /// assert_eq!(graph.topological().collect::<Vec<_>>(), [2, 0, 1]);
    ///
    /// let cycle = Dag::from_edges(3, &[(0, 1), (1, 0), (0, 2)]);
    /// assert_eq!(cycle.unwrap_err().to_string(), "the edges form a cycle: 0 -> 1 -> 0");
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn from_edges(tasks: usize, edges: &[(u32, u32)]) -> Result<Self, GraphError> {
        check(tasks, edges)?;
        // Turning the lists of successors around sorts the lists of predecessors. The scope frees
        // the former, at the peak of memory.
        let mut predecessors = {
            let edges = edges.iter().map(|&(from, to)| (from as usize, to));
            Rows::sorted(tasks, edges).turned()
        };
        predecessors.dedup();
        let mut graph = Self {
            successors: predecessors.turned(),
            predecessors,
            ..Self::default()
        };
        if edges.iter().any(|&(u, v)| u > v) {
            graph.order = Some(sort_topologically(&graph)?);
        }
        Ok(graph)
    }
}

fn check(tasks: usize, edges: &[(u32, u32)]) -> Result<(), GraphError> {
    let count = match u32::try_from(tasks) {
        Ok(count) if count < 1 << 31 => count,
        _ => {
            return Err(GraphError::Tasks {
                tasks: tasks as u64,
            });
        }
    };
    if u32::try_from(edges.len()).is_err() {
        return Err(GraphError::Edges {
            edges: edges.len() as u64,
        });
    }
    for &(from, to) in edges {
        if from >= count || to >= count {
            return Err(GraphError::Missing {
                from,
                to,
                tasks: count,
            });
        }
        if from == to {
            return Err(GraphError::SelfLoop { task: from });
        }
    }
    Ok(())
}

/// Finds a topological order by Kahn's algorithm: breadth first, by ids within what becomes ready
/// at once.
fn sort_topologically(graph: &Dag) -> Result<Vec<u32>, GraphError> {
    let tasks = graph.tasks() as u32;
    let mut waiting: Vec<u32> = (0..tasks)
        .map(|t| graph.predecessors(t).len() as u32)
        .collect();
    let mut order: Vec<u32> = (0..tasks).filter(|&t| waiting[t as usize] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &v in graph.successors(order[done]) {
            waiting[v as usize] -= 1;
            if waiting[v as usize] == 0 {
                order.push(v);
            }
        }
        done += 1;
    }
    match (0..tasks).find(|&t| waiting[t as usize] > 0) {
        Some(stuck) => Err(GraphError::Cycle {
            tasks: cycle(graph, &waiting, stuck),
        }),
        None => Ok(order),
    }
}

/// Returns the tasks of a cycle in the order of its edges, the smallest first.
///
/// Every stuck task waits for a stuck predecessor, so walking backwards must come round.
fn cycle(graph: &Dag, waiting: &[u32], stuck: u32) -> Vec<u32> {
    let mut seen = vec![false; waiting.len()];
    let mut tasks = Vec::new();
    let mut task = stuck;
    while !seen[task as usize] {
        seen[task as usize] = true;
        tasks.push(task);
        let before = graph
            .predecessors(task)
            .iter()
            .find(|&&u| waiting[u as usize] > 0);
        task = *before.expect("a task that waits has a predecessor that waits");
    }
    // What came before the cycle was reached is none of it.
    let start = tasks.iter().position(|&t| t == task);
    tasks.drain(..start.unwrap_or(0));
    tasks.reverse();
    let smallest = (0..tasks.len()).min_by_key(|&at| tasks[at]);
    tasks.rotate_left(smallest.unwrap_or(0));
    tasks
}
