//! The graph of a trace: predecessors are the operands as recorded, successors follow by counting.

use superstep_dag::{Dag, GraphError, Rows};
use superstep_tracer::{INPUT, Trace};

/// Makes the graph of a trace's flow dependences. It has an edge for each pair of tasks of which
/// the second reads the first's value (once, however many operands it is). Unit weights; ids are
/// the trace's, so ascending ids are a topological order.
///
/// Cost: linear in tasks and operands, a few nanoseconds each; nothing is allocated per task.
///
/// ```
/// use superstep_dag_builder::from_trace;
/// use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
///
/// let mut kernel = Kernel::new("square");
/// let x = kernel.add_array("x", Role::InOut, Some(1));
/// let square = kernel.add_statement("x = x * x", x, &[x, x]);
/// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
///     for _ in 0..3 {
///         recorder.task(square, x, 0, [(x, 0), (x, 0)]);
///     }
/// })?;
/// let graph = from_trace(&trace);
/// assert_eq!(graph.edge_list().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn from_trace(trace: &Trace) -> Dag {
    let mut predecessors = Rows::with_capacity(trace.tasks(), trace.operands().len());
    for task in trace {
        let start = predecessors.items.len();
        for &operand in task.operands {
            if operand & INPUT == 0 {
                insert(&mut predecessors.items, start, operand);
            }
        }
        predecessors.end_row();
    }
    predecessors.items.shrink_to_fit();
    Dag::from_predecessors(predecessors)
}

/// Makes the graph of `trace` with the work of each task by its statement: `work[s]` for every
/// execution of statement `s`.
///
/// # Errors
/// When there is not one number for each statement.
pub fn from_weighted_trace(trace: &Trace, work: &[u32]) -> Result<Dag, GraphError> {
    let statements = trace.kernel().statements.len();
    if work.len() != statements {
        let (what, given) = ("weights", work.len());
        return Err(GraphError::Length {
            what,
            given,
            tasks: statements,
        });
    }
    let weights = trace
        .statements()
        .iter()
        .map(|&s| work[usize::from(s)])
        .collect();
    from_trace(trace).with_weights(weights)
}

/// Inserts `task` into the ascending list that begins at `start`, unless it is there.
#[inline]
fn insert(list: &mut Vec<u32>, start: usize, task: u32) {
    let mut at = list.len();
    while at > start && list[at - 1] > task {
        at -= 1;
    }
    if at == start || list[at - 1] != task {
        list.insert(at, task);
    }
}
