//! Schedules of groups: valid for the tasks behind them, at the same cost.

use std::ops::Range;

use proptest::prelude::*;
use superstep_dag::{Contraction, Dag, Homes, tiles};
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Schedule, Sending, cost};
use superstep_scheduler::{
    BspGreedy, Effort, GrowLocal, Levels, Owners, Pipeline, Scheduler, Serial,
};
use superstep_search::{Bcsh, Cuts, Portfolio};

/// Returns random runs over a few cells, cut into random intervals.
fn runs() -> impl Strategy<Value = (Dag, Vec<Range<u32>>)> {
    const CELLS: usize = 24;
    let task = (0..CELLS, 0..CELLS, 0..CELLS, 0..4_u32, 0..9_u8);
    prop::collection::vec(task, 1..200).prop_map(|tasks| {
        let mut writers = [None; CELLS];
        let mut edges = Vec::new();
        let mut intervals: Vec<Range<u32>> = Vec::new();
        let mut start = None;
        for (&(target, a, b, _, mark), id) in tasks.iter().zip(0..) {
            edges.extend(
                [writers[a], writers[b]]
                    .into_iter()
                    .flatten()
                    .map(|u| (u, id)),
            );
            writers[target] = Some(id);
            if mark < 3 {
                intervals.extend(start.map(|start| start..id));
                start = (mark < 2).then_some(id);
            }
        }
        let homes = tasks.iter().map(|&(target, ..)| Some(target as u32));
        let weights = tasks.iter().map(|&(_, _, _, weight, _)| weight).collect();
        let words = tasks
            .iter()
            .map(|&(.., mark)| u32::from(mark % 4))
            .collect();
        let graph = Dag::from_edges(tasks.len(), &edges)
            .and_then(|graph| graph.with_weights(weights))
            .and_then(|graph| graph.with_words(words))
            .and_then(|graph| graph.with_homes(Homes::new(homes, &[CELLS as u32])));
        (graph.unwrap(), intervals)
    })
}

fn machines() -> impl Strategy<Value = Machine> {
    let cost = || (0..40u32).prop_map(|quarters| f64::from(quarters) / 4.0);
    (2..6_u32, cost(), cost()).prop_map(|(processors, gap, latency)| Machine {
        processors,
        gap,
        latency,
        tau: None,
        levels: Vec::new(),
    })
}

fn schedulers() -> Vec<Box<dyn Scheduler>> {
    vec![
        Box::new(Serial),
        Box::new(Levels),
        Box::new(Bcsh::default()),
        Box::new(Cuts::BALANCED),
        Box::new(GrowLocal::default()),
        Box::new(BspGreedy::default()),
        Box::new(Owners::default()),
        Box::new(Pipeline::default()),
    ]
}

/// Returns the schedule with parcels where their groups run, and nowhere else.
fn with_parcels_at_home(schedule: &Schedule, groups: &Contraction) -> Schedule {
    let is_group = |&group: &u32| !groups.members(group).is_empty();
    let mut together = Schedule::new(schedule.processors() as u32);
    for superstep in 0..schedule.supersteps() {
        if !schedule
            .superstep(superstep)
            .any(|list| list.iter().any(is_group))
        {
            continue;
        }
        for list in schedule.superstep(superstep) {
            together.push(list.iter().copied().filter(is_group).flat_map(|group| {
                let tasks = groups.graph().tasks() as u32;
                let parcels = (group + 1..tasks).take_while(|next| !is_group(next));
                std::iter::once(group).chain(parcels)
            }));
        }
    }
    together
}

fn costs(graph: &Dag, schedule: Schedule, machine: &Machine) -> [f64; 3] {
    let makespan = cost::makespan(graph, &schedule, machine.tau());
    let checked = CheckedSchedule::new(graph, schedule).expect("it is valid");
    let bsp = |sending| {
        let communication = Communication::new(&checked, sending);
        cost::bsp_cost(&checked, &communication, machine)
    };
    [makespan, bsp(Sending::Lazy), bsp(Sending::Eager)]
}

fn assert_same_cost(graph: &Dag, groups: &Contraction, machine: &Machine) {
    for scheduler in schedulers() {
        let schedule = scheduler.schedule(groups.graph(), machine).unwrap();
        let name = scheduler.name();
        CheckedSchedule::new(groups.graph(), schedule.clone()).expect(name);
        let expanded = schedule.expand(groups);
        let together = with_parcels_at_home(&schedule, groups);
        assert_eq!(together.expand(groups), expanded, "{name}");
        assert_eq!(
            costs(groups.graph(), together, machine),
            costs(graph, expanded, machine),
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn schedules_of_groups_cost_what_those_of_their_tasks_cost(
        (graph, intervals) in runs(),
        machine in machines(),
    ) {
        assert_same_cost(&graph, &Contraction::of_intervals(&graph, &intervals), &machine);
    }
}

#[test]
fn rows_of_lu_cost_what_their_tasks_cost() {
    let trace = generate::lu_trace(48).unwrap();
    let graph = superstep_dag_builder::from_trace(&trace);
    let graph = graph
        .with_homes(superstep_dag_builder::homes(&trace))
        .unwrap();
    let groups = Contraction::of_intervals(&graph, &generate::lu_rows(48));
    for processors in 2..=8 {
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(processors)
        };
        assert_same_cost(&graph, &groups, &machine);
        let schedule = Portfolio {
            effort: Effort::Fast,
        }
        .schedule(groups.graph(), &machine);
        let [_, lazy, _] = costs(&graph, schedule.unwrap().expand(&groups), &machine);
        assert!(lazy < graph.total_work() as f64, "P = {processors}: {lazy}");
    }
}

#[test]
fn contracted_and_expanded_a_schedule_is_what_it_was() {
    let graph = generate::lu(16).expect("it is small");
    let machine = Machine {
        tau: Some(50.0),
        ..Machine::new(4)
    };
    let schedule = Bcsh::default()
        .schedule(&graph, &machine)
        .expect("it serves all");
    assert!(schedule.task_instances() > graph.tasks(), "it has copies");
    let parts = tiles(&graph, 2, 4);
    let (groups, contracted) = schedule.contract(&graph, parts.groups());
    assert!(2 * groups.graph().tasks() < graph.tasks());
    let together = |task: usize| parts.groups()[task];
    for group in 0..groups.graph().tasks() as u32 {
        let members = groups.members(group).iter();
        let mut parts = members.map(|&task| together(task as usize));
        if let Some(first) = parts.next() {
            assert!(parts.all(|part| part == first));
        }
    }
    let checked = CheckedSchedule::new(groups.graph(), contracted).expect("it is valid");
    let expanded = checked.schedule().expand(&groups);
    for (before, after) in schedule.lists().zip(expanded.lists()) {
        let mut before = before.to_vec();
        before.sort_unstable();
        assert_eq!(before, after);
    }
    assert_eq!(schedule.supersteps(), expanded.supersteps());
}
