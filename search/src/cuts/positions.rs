//! Positions of tasks beside each other.

use superstep_dag::{Dag, depths};

use superstep_scheduler::Order;

/// Returns the position of each task: neighbours share inputs. `None` where ids are positions.
///
/// Ids that are a topological order are taken for those of a sequential run, whose neighbours are
/// neighbours in memory. Others say nothing. Then the tasks of each depth are put in order, from
/// the inputs on. They go by the mean relative position of their predecessors among the tasks of
/// their depth. The inputs stand as a depth-first walk from the outputs meets them.
pub(super) fn positions(graph: &Dag) -> Option<Vec<u32>> {
    if graph.ids_are_topological() {
        return None;
    }
    let walk = Order::DepthFirst.ranks(graph);
    let depths = depths(graph);
    let mut tasks: Vec<u32> = (0..graph.tasks() as u32)
        .map(|rank| walk.task(rank))
        .collect();
    tasks.sort_by_key(|&task| depths[task as usize]);
    // The relative position of each task among those of its depth, from 0 to 1.
    let mut relative = vec![0.0; graph.tasks()];
    for level in tasks.chunk_by_mut(|&a, &b| depths[a as usize] == depths[b as usize]) {
        for &task in &*level {
            let values = graph.predecessors(task);
            let sum: f64 = values.iter().map(|&value| relative[value as usize]).sum();
            relative[task as usize] = sum / values.len().max(1) as f64;
        }
        level.sort_by(|&a, &b| relative[a as usize].total_cmp(&relative[b as usize]));
        for (&task, at) in level.iter().zip(0u32..) {
            relative[task as usize] = f64::from(at) / level.len() as f64;
        }
    }
    // Across depths tasks of the same relative position stand together.
    let mut positions = vec![0; graph.tasks()];
    tasks.sort_by(|&a, &b| relative[a as usize].total_cmp(&relative[b as usize]));
    for (&task, at) in tasks.iter().zip(0..) {
        positions[task as usize] = at;
    }
    Some(positions)
}
