//! Order and places of tasks that the thesis leaves open.

use superstep_dag::{Dag, GraphError, levels};
use superstep_random::SplitMix64;
use superstep_schedule::Schedule;

/// Renumbers the tasks so that those of one level stand in a random order: BCSH takes groups of
/// equal size in the order of their tasks.
pub(super) fn shuffled(graph: &Dag, seed: u64) -> Result<Dag, GraphError> {
    let levels = levels(graph);
    let mut order: Vec<u32> = (0..graph.tasks() as u32).collect();
    SplitMix64::new(seed).shuffle(&mut order);
    order.sort_by_key(|&task| std::cmp::Reverse(levels[task as usize]));
    let mut numbers = vec![0; order.len()];
    for (number, &task) in (0..).zip(&order) {
        numbers[task as usize] = number;
    }
    graph.renumbered(&numbers)
}

/// Gives the lists of each superstep to its busy processors in a random order. All finish at the
/// same time as before, and other messages are sent.
pub(super) fn exchanged(schedule: &Schedule, seed: u64) -> Schedule {
    let mut random = SplitMix64::new(seed);
    let processors = schedule.processors();
    let supersteps = (0..schedule.supersteps()).map(|superstep| {
        let lists = schedule.superstep(superstep);
        let mut busy: Vec<&[u32]> = lists.filter(|list| !list.is_empty()).collect();
        random.shuffle(&mut busy);
        busy.resize(processors, &[]);
        busy.into_iter().map(|list| list.iter().copied())
    });
    Schedule::from_lists(processors as u32, supersteps)
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;
    use superstep_machine::Machine;
    use superstep_schedule::{CheckedSchedule, Costs};
    use superstep_scheduler::Scheduler;
    use superstep_search::Bcsh;

    use super::*;

    #[test]
    fn exchanged_schedules_are_valid_and_as_long() {
        let graph =
            shuffled(&generate::lu(16).expect("it is small"), 1).expect("each has a number");
        assert_eq!((graph.tasks(), graph.ids_are_topological()), (1360, true));
        let machine = Machine {
            tau: Some(60.0),
            ..Machine::new(4)
        };
        let schedule = Bcsh::default()
            .schedule(&graph, &machine)
            .expect("it has tasks");
        let other = exchanged(&schedule, 3);
        assert_ne!(other, schedule);
        let length = |schedule| {
            let checked = CheckedSchedule::new(&graph, schedule).expect("it is valid");
            Costs::of(&checked, &machine).makespan
        };
        assert_eq!(length(other), length(schedule));
    }
}
