//! Intervals of ids that make good groups.

use std::ops::{Range, RangeInclusive};

use crate::Dag;

/// The most tasks of an interval, in units of the least.
const WIDEST: u32 = 64;

/// Cuts the ids of `graph` into intervals of `least` to `64 least` tasks (the last may be shorter).
/// A cut is where something ends of which nothing near by is read behind it, or as little as can
/// be.
///
/// In the trace of a loop nest these are rows, or blocks of short ones. What follows the same
/// pivot, or hands a value on, stays together. As [groups](crate::Contraction::of_intervals) they
/// make a smaller graph that hardly has dependences that the larger one has not.
///
/// Cost: one pass over the edges, and up to 64 looks at each task.
///
/// # Panics
/// When ascending ids are no topological order of `graph`, and when `least` is 0 or more than 2^25.
///
/// ```
/// use superstep_dag::{Dag, intervals};
///
/// // Two rows of three tasks, in each of which all read the first.
/// let graph = Dag::from_edges(6, &[(0, 1), (0, 2), (3, 4), (3, 5)])?;
/// assert_eq!(intervals(&graph, 1), [0..3, 3..6]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
pub fn intervals(graph: &Dag, least: u32) -> Vec<Range<u32>> {
    assert!(graph.ids_are_topological() && (1..=1 << 25).contains(&least));
    let tasks = graph.tasks() as u32;
    let crossing = crossing(graph, WIDEST * least);
    let mut intervals = Vec::new();
    let mut start = 0;
    while start < tasks {
        let most = tasks.min(start + WIDEST * least);
        let end = cut(&crossing, (start + least).min(tasks)..=most);
        intervals.push(start..end);
        start = end;
    }
    intervals
}

/// Returns the first of the positions which the fewest edges cross where some edge ends; where none
/// does, the last.
fn cut(crossing: &[u32], positions: RangeInclusive<u32>) -> u32 {
    let (first, last) = (*positions.start(), *positions.end());
    let mut best = (u32::MAX, false, first);
    for at in first..=last {
        let edges = crossing[at as usize];
        let ends = edges < crossing[at as usize - 1];
        if edges < best.0 || edges == best.0 && !best.1 {
            best = (edges, ends, at);
        }
        if best.0 == 0 && best.1 {
            break;
        }
    }
    best.2
}

/// Counts, per task, the edges over less than `most` ids from before it to it or beyond.
fn crossing(graph: &Dag, most: u32) -> Vec<u32> {
    let mut changes = vec![0_i32; graph.tasks() + 1];
    for v in 0..graph.tasks() as u32 {
        let near = graph.predecessors(v).iter().rev();
        for &u in near.take_while(|&&u| v - u < most) {
            changes[u as usize + 1] += 1;
            changes[v as usize + 1] -= 1;
        }
    }
    let mut open = 0;
    let sum = |change: i32| {
        open += change;
        open as u32
    };
    changes.into_iter().map(sum).collect()
}
