//! Lower bounds on the costs of all schedules.

mod delay;

pub use delay::{delay_bound, earliest_starts};

use std::cmp::Reverse;

use superstep_dag::{Dag, earliest_finishes};
use superstep_machine::Machine;

/// Returns the largest sum of weights along a path.
///
/// Cost: one pass over the edges, 8 bytes per task.
pub fn critical_path(graph: &Dag) -> u64 {
    earliest_finishes(graph).into_iter().max().unwrap_or(0)
}

/// Returns the least work of the busiest of `processors` processors: total work by processors,
/// rounded up.
pub fn work_bound(graph: &Dag, processors: u32) -> u64 {
    graph.total_work().div_ceil(u64::from(processors.max(1)))
}

/// Returns the larger of [`critical_path`] and [`work_bound`]: neither the makespan nor the BSP
/// cost of any schedule on `processors` processors is below it.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_schedule::bounds::lower_bound;
///
/// let fork = Dag::from_edges(4, &[(0, 1), (0, 2), (0, 3)]).unwrap();
/// assert_eq!([1, 2, 3].map(|processors| lower_bound(&fork, processors)), [4, 2, 2]);
/// ```
pub fn lower_bound(graph: &Dag, processors: u32) -> u64 {
    critical_path(graph).max(work_bound(graph, processors))
}

/// Returns a makespan that no schedule on `machine` beats: the best bound known here, for any
/// number of copies.
///
/// * Work and critical path ([`lower_bound`]).
/// * [`delay_bound`] and [`delayed_path`] for a delay of tau: the first considers everything that a
///   task depends on, the second fractions of a task.
///
/// Cost: that of [`earliest_starts`] above all.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_machine::Machine;
/// use superstep_schedule::bounds::makespan_bound;
///
/// // A complete binary tree of three levels: four sums, two of them, and theirs.
/// let tree = Dag::from_edges(7, &[(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6)])?;
/// let machine = |tau| Machine { tau: Some(tau), ..Machine::new(4) };
/// assert_eq!([0.0, 1.0].map(|tau| makespan_bound(&tree, &machine(tau))), [3.0, 5.0]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
pub fn makespan_bound(graph: &Dag, machine: &Machine) -> f64 {
    let delay = Machine {
        gap: 0.0,
        latency: machine.tau(),
        ..machine.clone()
    };
    let whole =
        delay_bound(graph, machine.tau() as u64).max(lower_bound(graph, machine.processors));
    delayed_path(graph, &delay).max(whole as f64)
}

/// Returns a BSP cost that no schedule on `machine` beats: the best bound known here, for any
/// number of copies.
///
/// * Work and critical path ([`lower_bound`]).
/// * [`delayed_path`]: the critical path where values that do not arrive in time are computed anew.
/// * A schedule that sends nothing has, for each output, all that it depends on in one list. Any
///   other pays for a word and a boundary.
///
/// On a machine with levels everything is taken to cost as much as on the innermost one.
///
/// Cost: one sort of each task's predecessors, and walks back from a few outputs. They end when
/// their work exceeds that of the best schedule that sends a word. Memory: 24 bytes per task.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_machine::Machine;
/// use superstep_schedule::bounds::bsp_bound;
///
/// // Six tasks in pairs, joined: to compute a pair elsewhere costs a word and a boundary.
/// let join = Dag::from_edges(7, &[(0, 6), (1, 6), (2, 6), (3, 6), (4, 6), (5, 6)]).unwrap();
/// let machine = |latency| Machine { latency, ..Machine::new(3) };
/// assert_eq!(bsp_bound(&join, &machine(0.0)), 4.0);
/// assert_eq!(bsp_bound(&join, &machine(100.0)), 7.0); // serial
/// ```
pub fn bsp_bound(graph: &Dag, machine: &Machine) -> f64 {
    let machine = &machine.nearest();
    let least_words = (0..graph.tasks() as u32)
        .map(|task| graph.words(task))
        .min();
    let message = least_words.map_or(0.0, |words| message_cost(words, machine));
    let talking = lower_bound(graph, machine.processors) as f64 + message;
    let delayed = delayed_path(graph, machine);
    if delayed >= talking {
        return delayed;
    }
    let work = work_bound(graph, machine.processors) as f64;
    let silent = work.max(largest_closure(graph, talking) as f64);
    delayed.max(silent.min(talking))
}

/// Returns the least cost of sending one value.
fn message_cost(words: u32, machine: &Machine) -> f64 {
    if words == 0 {
        0.0
    } else {
        machine.gap * f64::from(words) + machine.latency
    }
}

/// Returns a bound on the BSP cost of any schedule on any number of processors: the longest delayed
/// path. In it a value costs g words + L unless its task runs on the same processor.
///
/// The bound e(v) on the start of a task, in the order of the graph: consider k of its
/// predecessors. Either one of them comes from elsewhere, so that the task starts a message after
/// it has ended. Or all run on the processor of the task, one after the other, the first not before
/// the earliest of their own bounds. The k are those whose values can arrive last. (In the manner
/// of the bound e' for unit tasks that is used for trees.)
pub fn delayed_path(graph: &Dag, machine: &Machine) -> f64 {
    let mut starts = vec![0.0_f64; graph.tasks()];
    let mut values: Vec<(f64, f64, f64)> = Vec::new();
    let mut longest = 0.0_f64;
    for task in graph.topological() {
        values.clear();
        let mut start = 0.0_f64;
        for &value in graph.predecessors(task) {
            let work = f64::from(graph.weight(value));
            let end = starts[value as usize] + work;
            start = start.max(end);
            let arrival = end + message_cost(graph.words(value), machine);
            values.push((arrival, starts[value as usize], work));
        }
        values.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let (mut first, mut local_work) = (f64::INFINITY, 0.0);
        for &(arrival, value_start, work) in &values {
            first = first.min(value_start);
            local_work += work;
            start = start.max(arrival.min(first + local_work));
        }
        starts[task as usize] = start;
        longest = longest.max(start + f64::from(graph.weight(task)));
    }
    longest
}

/// Number of outputs whose closures are added up.
const OUTPUTS: usize = 16;

/// Finds the largest work that one output depends on, its own included, of the outputs with the
/// longest paths. If one depends on `enough` or more, that is found instead.
fn largest_closure(graph: &Dag, enough: f64) -> u64 {
    let ends = earliest_finishes(graph);
    let mut outputs: Vec<u32> = (0..graph.tasks() as u32)
        .filter(|&task| graph.successors(task).is_empty())
        .collect();
    outputs.sort_by_key(|&task| Reverse(ends[task as usize]));
    drop(ends);
    outputs.truncate(OUTPUTS);
    outputs.shrink_to_fit();
    let mut seen = vec![u32::MAX; graph.tasks()];
    let mut largest = 0;
    for output in outputs {
        let (mut work, mut stack) = (0, vec![output]);
        seen[output as usize] = output;
        while let Some(task) = stack.pop() {
            work += u64::from(graph.weight(task));
            if work as f64 >= enough {
                return work;
            }
            for &value in graph.predecessors(task) {
                if seen[value as usize] != output {
                    seen[value as usize] = output;
                    stack.push(value);
                }
            }
        }
        largest = largest.max(work);
    }
    largest
}
