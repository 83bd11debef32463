//! What owner computes promises: valid on any graph, never dearer than serial, one processor for each word, whole rows for dense kernels.

mod random_graphs;

use std::collections::BTreeMap;

use random_graphs::{SplitMix, graph};
use superstep_dag_builder::{Homes, TaskGraph, generate};
use superstep_machine::Machine;
use superstep_scheduler::{
    CheckedSchedule, Communication, Costs, Owners, Placement, Schedule, ScheduleError, Scheduler,
    cost,
};

/// The processors that write each word.
fn writers(homes: &Homes, schedule: &Schedule) -> BTreeMap<u32, Vec<usize>> {
    let mut writers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for superstep in 0..schedule.supersteps() {
        for (processor, tasks) in schedule.superstep(superstep).enumerate() {
            for word in tasks.iter().filter_map(|&task| homes.word(task)) {
                writers.entry(word).or_default().push(processor);
            }
        }
    }
    writers.values_mut().for_each(|owners| {
        owners.sort_unstable();
        owners.dedup();
    });
    writers
}

#[test]
fn schedules_are_valid_with_an_owner_for_each_word_and_never_dearer_than_serial() {
    let mut random = SplitMix::new(11);
    for _ in 0..300 {
        let graph = graph(&mut random, 60);
        let extents = [1 + random.below(9) as u32, 1 + random.below(30) as u32];
        let words: u32 = extents.iter().sum();
        let homes: Vec<Option<u32>> = (0..graph.tasks())
            .map(|_| (random.below(4) > 0).then(|| random.below(words as usize) as u32))
            .collect();
        let homes = Homes::new(homes, &extents);
        let graph = graph.with_homes(homes.clone()).unwrap();
        let machine = Machine {
            gap: random.below(3) as f64,
            latency: random.below(6) as f64,
            ..Machine::new(1 + random.below(6) as u32)
        };
        let schedule = Owners.schedule(&graph, &machine).unwrap();
        assert_eq!(schedule.instances(), graph.tasks());
        assert!(
            writers(&homes, &schedule)
                .values()
                .all(|owners| owners.len() == 1)
        );
        let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
        let eager = Communication::new(&schedule, Placement::Eager);
        let cost = cost::bsp_cost(&schedule, &eager, machine.gap, machine.latency);
        assert!(cost <= graph.total_work() as f64);
    }
}

#[test]
fn factorisation_is_dealt_in_whole_rows_or_columns_whatever_their_length() {
    for n in [64_u32, 100] {
        let trace = generate::lu_trace(n as usize).unwrap();
        let homes = Homes::of(&trace);
        let graph = TaskGraph::from_trace(&trace)
            .with_homes(homes.clone())
            .unwrap();
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(4)
        };
        let schedule = Owners.schedule(&graph, &machine).unwrap();
        let writers = writers(&homes, &schedule);
        let is_dealt = |line: &dyn Fn(u32) -> u32| {
            let mut owners = BTreeMap::new();
            writers
                .iter()
                .all(|(&word, owner)| *owners.entry(line(word)).or_insert(owner) == owner)
        };
        assert!(
            is_dealt(&|word| word / n) || is_dealt(&|word| word % n),
            "{n}"
        );
        let costs = Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine);
        let even = graph.total_work() as f64 / 4.0;
        assert!(
            costs.makespan - machine.tau() * (costs.supersteps - 1) as f64 <= 1.25 * even,
            "{n}: {costs:?}"
        );
        assert!(costs.supersteps <= n as usize / 2, "{n}: {costs:?}");
    }
}

/// Without levelling it costs 476,560.
#[test]
fn loads_of_a_factorisation_are_level() {
    let trace = generate::lu_trace(128).unwrap();
    let graph = TaskGraph::from_trace(&trace)
        .with_homes(Homes::of(&trace))
        .unwrap();
    let machine = Machine {
        gap: 8.0,
        latency: 2000.0,
        ..Machine::new(2)
    };
    let schedule = Owners.schedule(&graph, &machine).unwrap();
    let costs = Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine);
    assert!(costs.bsp_cost <= 440_000.0, "{costs:?}");
}

#[test]
fn graphs_without_homes_are_refused() {
    let graph = generate::lu(8).unwrap();
    let refused = Owners.schedule(&graph, &Machine::new(2));
    let algorithm = "owners";
    assert_eq!(refused, Err(ScheduleError::NoHomes { algorithm }));
}
