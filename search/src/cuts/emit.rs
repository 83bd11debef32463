//! Emission of a schedule from layers.

use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::{
    dealing::{bits, sets},
    growth::Growth,
    levelled::Levelled,
    search::{Layer, regrow},
};

/// Returns the schedule of these layers, the last superstep first; or the number of task instances,
/// if they are too many.
pub(super) fn emit(
    graph: &Levelled<'_>,
    machine: &Machine,
    layers: &[Layer],
) -> Result<Schedule, u64> {
    let processors = machine.processors as usize;
    let mut growth = Growth::default();
    let mut sets_of_classes = Vec::new();
    // By rank: the set of processors of each task, and its superstep.
    let mut set_of = vec![0u64; graph.tasks()];
    let mut start_of = vec![0u32; graph.tasks()];
    for (layer, superstep) in layers.iter().zip((0..layers.len()).rev()) {
        regrow(graph, machine, layer, &mut growth);
        sets(&growth, &layer.owners, &mut sets_of_classes);
        for rank in growth.ranks() {
            let set = sets_of_classes[growth.class_of(rank) as usize];
            set_of[rank as usize] = set;
            start_of[rank as usize] = (superstep * processors) as u32;
        }
    }
    let instances: u64 = set_of.iter().map(|set| u64::from(set.count_ones())).sum();
    if instances > u64::from(u32::MAX) {
        return Err(instances);
    }
    // Counts stand two places on, so that starts stand one place on, where they turn into ends as
    // the lists fill.
    let mut offsets = vec![0u32; layers.len() * processors + 2];
    for (&set, &start) in set_of.iter().zip(&start_of) {
        for processor in bits(set) {
            offsets[start as usize + processor + 2] += 1;
        }
    }
    for at in 2..offsets.len() {
        offsets[at] += offsets[at - 1];
    }
    let mut tasks = vec![0; instances as usize];
    for task in graph.graph.topological() {
        let rank = graph.rank(task) as usize;
        for processor in bits(set_of[rank]) {
            let end = &mut offsets[start_of[rank] as usize + processor + 1];
            tasks[*end as usize] = task;
            *end += 1;
        }
    }
    offsets.pop();
    Ok(Schedule::from_compressed(
        machine.processors,
        offsets,
        tasks,
    ))
}
