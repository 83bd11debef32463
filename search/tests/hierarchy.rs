//! Machines with levels: costs are what their definition says, schedules are valid, and knowing the
//! levels is never dearer.

use std::collections::BTreeMap;

use proptest::prelude::*;
use superstep_dag::{Dag, Homes};
use superstep_machine::{Level, Machine};
use superstep_schedule::{CheckedSchedule, Communication, Costs, Schedule, Sending, bounds, cost};
use superstep_scheduler::{Algorithm, Effort, Needs, Scheduler, Setting, hierarchy};
use superstep_search::{ALL, Cuts, Portfolio};

/// Returns graphs with weights, words and homes.
fn graphs() -> impl Strategy<Value = Dag> {
    (2..40_usize)
        .prop_flat_map(|tasks| {
            let edge = (0..tasks as u32, 0..tasks as u32);
            (
                prop::collection::vec(edge, 0..3 * tasks),
                prop::collection::vec(0..50_u32, tasks),
                prop::collection::vec(0..4_u32, tasks),
                prop::collection::vec(0..12_u32, tasks),
            )
        })
        .prop_map(|(edges, weights, words, homes)| {
            let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a < b).collect();
            let graph = Dag::from_edges(weights.len(), &edges)
                .and_then(|graph| graph.with_weights(weights))
                .and_then(|graph| graph.with_words(words));
            let homes = Homes::new(homes.into_iter().map(Some), &[12]);
            graph.and_then(|graph| graph.with_homes(homes)).unwrap()
        })
}

/// Returns machines of one or two levels, whose groups differ in size.
fn machines() -> impl Strategy<Value = Machine> {
    let hosts = prop::collection::vec(0..3_u32, 2..7);
    let part = || prop_oneof![Just(0.0), Just(0.25), Just(0.5), Just(1.0)];
    let cost = || (0..40_u32).prop_map(f64::from);
    (
        hosts,
        cost(),
        cost(),
        [part(), part(), part(), part()],
        any::<bool>(),
    )
        .prop_map(|(hosts, gap, latency, parts, two)| {
            let inner = Level {
                groups: hosts.iter().map(|host| 7 * host + 1).collect(),
                latency: parts[0] * parts[1],
                gap: parts[2] * parts[3],
            };
            let outer = Level {
                groups: hosts.iter().map(|&host| u32::from(host > 0)).collect(),
                latency: parts[0],
                gap: parts[2],
            };
            let levels = if two { vec![inner, outer] } else { vec![outer] };
            let machine = Machine {
                gap,
                latency,
                levels,
                ..Machine::new(hosts.len() as u32)
            };
            machine.validate().unwrap();
            machine
        })
}

/// Returns the algorithms that serve any graph with homes; but the portfolio, which anneals for
/// long.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    let serves = |each: &Algorithm| {
        matches!(each.needs(), Needs::Nothing | Needs::Homes)
            && ![Algorithm::Auto, Algorithm::Portfolio].contains(each)
    };
    ALL.iter().copied().filter(serves)
}

fn checked<'g>(graph: &'g Dag, algorithm: Algorithm, machine: &Machine) -> CheckedSchedule<'g> {
    let schedule = algorithm
        .of(ALL)
        .schedule(graph, machine, Setting::default())
        .unwrap();
    CheckedSchedule::new(graph, schedule).unwrap()
}

/// Returns the cost by its definition.
fn defined(schedule: &CheckedSchedule<'_>, sent: &Communication, machine: &Machine) -> f64 {
    let loads = cost::superstep_loads(schedule.graph(), schedule.schedule());
    let mut total = loads.iter().sum::<u64>() as f64;
    for superstep in 0..loads.len() as u32 {
        let (mut words, mut latency) = (BTreeMap::new(), 0.0_f64);
        for transfer in sent.transfers().iter().filter(|t| t.superstep == superstep) {
            let level = machine.level(transfer.from, transfer.to);
            let count = schedule.graph().words(transfer.task);
            for end in [(0, transfer.from), (1, transfer.to)] {
                *words.entry(end).or_insert(0.0) += f64::from(count) * machine.gap_of(level);
            }
            if count > 0 {
                latency = latency.max(machine.latency_of(level));
            }
        }
        total += latency + words.into_values().fold(0.0, f64::max);
    }
    total
}

/// Returns the fewest boundaries of the outermost level at which all that goes so far can be sent.
fn fewest(sent: &Communication, machine: &Machine, supersteps: usize) -> u32 {
    let far: Vec<_> = sent
        .transfers()
        .iter()
        .filter(|t| machine.level(t.from, t.to) == machine.levels.len())
        .collect();
    let serves = |set: &u32| {
        far.iter()
            .all(|t| (t.computed..t.first_use).any(|s| set >> s & 1 == 1))
    };
    let sets = 0..1_u32 << (supersteps - 1).min(16);
    sets.filter(serves)
        .map(u32::count_ones)
        .min()
        .expect("all of them serve")
}

proptest! {
    #[test]
    fn costs_are_what_their_definition_says(graph in graphs(), machine in machines()) {
        for algorithm in algorithms() {
            let schedule = checked(&graph, algorithm, &machine);
            let bound = bounds::bsp_bound(&graph, &machine);
            for sending in [Sending::Eager, Sending::Lazy, Sending::ImprovedLazy] {
                let sent = Communication::on(&schedule, sending, &machine);
                let cost = cost::bsp_cost(&schedule, &sent, &machine);
                prop_assert!((cost - defined(&schedule, &sent, &machine)).abs() < 1e-9 * (1.0 + cost));
                prop_assert!(cost >= bound - 1e-9, "{} by {}: {} < {}", sending as u8, algorithm, cost, bound);
            }
        }
    }

    #[test]
    fn few_boundaries_reach_across(graph in graphs(), machine in machines()) {
        for algorithm in [Algorithm::Levels, Algorithm::GrowLocal, Algorithm::Bcsh] {
            let schedule = checked(&graph, algorithm, &machine.flat());
            let supersteps = schedule.schedule().supersteps();
            if !(2..=12).contains(&supersteps) {
                continue;
            }
            let sent = Communication::on(&schedule, Sending::ImprovedLazy, &machine);
            let mut across = std::collections::BTreeSet::new();
            for transfer in sent.transfers() {
                prop_assert!((transfer.computed..transfer.first_use).contains(&transfer.superstep));
                let level = machine.level(transfer.from, transfer.to);
                if level == machine.levels.len() {
                    across.insert(transfer.superstep);
                }
                let computes = |p: u32| (0..transfer.first_use as usize)
                    .any(|s| schedule.schedule().tasks(s, p as usize).contains(&transfer.task));
                let nearer = (0..machine.processors)
                    .filter(|&p| machine.level(p, transfer.to) < level && computes(p));
                prop_assert_eq!(nearer.count(), 0);
            }
            prop_assert_eq!(across.len() as u32, fewest(&sent, &machine, supersteps));
        }
    }

    #[test]
    fn knowing_the_levels_is_never_dearer(graph in graphs(), machine in machines()) {
        let mut order: Vec<u32> = (0..machine.processors).collect();
        order.sort_by_key(|&p| machine.levels.iter().rev().map(|l| l.groups[p as usize]).collect::<Vec<_>>());
        let machine = machine.part(&order);
        for algorithm in algorithms() {
            knows(&graph, &machine, &*algorithm.scheduler(Setting::default()).unwrap());
        }
    }
}

/// Asserts that a schedule that knows the levels costs no more than the algorithm's own for the
/// machine.
fn knows(graph: &Dag, machine: &Machine, scheduler: &dyn Scheduler) {
    let cost = |schedule: Schedule| {
        let schedule = CheckedSchedule::new(graph, schedule).unwrap();
        Costs::of(&schedule, machine).bsp_cost
    };
    let knowing = hierarchy::schedule(scheduler, graph, machine).unwrap();
    assert_eq!(knowing.processors(), machine.processors as usize);
    let again = hierarchy::schedule(scheduler, graph, machine).unwrap();
    assert_eq!(again, knowing);
    let alone = scheduler.schedule(graph, machine).unwrap();
    assert!(cost(knowing) <= cost(alone), "{}", scheduler.name());
}

#[test]
fn the_portfolio_knows_the_levels() {
    let graph = superstep_graphs::generate::lu(12).unwrap();
    let level = |groups: [u32; 6], latency| Level {
        groups: groups.into(),
        latency,
        gap: 0.25,
    };
    let machine = Machine {
        latency: 80.0,
        levels: vec![
            level([0, 0, 1, 1, 2, 2], 0.125),
            level([0, 0, 0, 0, 1, 1], 0.5),
        ],
        ..Machine::new(6)
    };
    knows(
        &graph,
        &machine,
        &Portfolio {
            effort: Effort::Fast,
        },
    );
}

/// Returns two sites of four processors, inside of which everything costs a tenth.
fn two_sites(latency: f64) -> Machine {
    let site = Level {
        groups: vec![0, 0, 0, 0, 1, 1, 1, 1],
        latency: 0.1,
        gap: 0.1,
    };
    Machine {
        latency,
        levels: vec![site],
        ..Machine::new(8)
    }
}

#[test]
fn sites_do_much_between_boundaries_that_cross() {
    let graph = superstep_graphs::generate::lu(64).unwrap();
    let machine = two_sites(1250.0);
    let cost = |schedule: Schedule| {
        let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
        Costs::of(&schedule, &machine).bsp_cost
    };
    let scheduler = Cuts::default();
    let site = scheduler
        .schedule(&graph, &machine.part(&[0, 1, 2, 3]))
        .unwrap();
    let others = [
        cost(scheduler.schedule(&graph, &machine).unwrap()),
        cost(site.widened(8)),
    ];
    let nested = cost(hierarchy::schedule(&scheduler, &graph, &machine).unwrap());
    assert!(
        others.iter().all(|&other| nested < 0.95 * other),
        "{nested} {others:?}"
    );
}

#[test]
fn one_site_works_alone_where_the_other_costs_more_than_it_gains() {
    let graph = superstep_graphs::generate::lu(64).unwrap();
    let machine = two_sites(16_000.0);
    let schedule = checked(&graph, Algorithm::GrowLocal, &machine);
    let costs = Costs::of(&schedule, &machine);
    assert_eq!(costs.processors_used, 4);
    assert!(
        costs.bsp_cost < 0.8 * graph.total_work() as f64,
        "{costs:?}"
    );
}

#[test]
fn neighbours_in_a_schedule_are_neighbours_in_the_machine() {
    // Four chains; the first two read from each other, and the last two.
    let (chains, stages) = (4_u32, 6_u32);
    let edges: Vec<(u32, u32)> = (1..stages)
        .flat_map(|stage| (0..chains).map(move |chain| (stage, chain)))
        .flat_map(|(stage, chain)| {
            let task = |stage: u32, chain: u32| stage * chains + chain;
            [chain, chain ^ 1].map(|other| (task(stage - 1, other), task(stage, chain)))
        })
        .collect();
    let graph = Dag::from_edges((chains * stages) as usize, &edges)
        .and_then(|graph| graph.with_weights(vec![1000; (chains * stages) as usize]))
        .unwrap();
    // Processors of the two sites take turns.
    let site = Level {
        groups: vec![0, 1, 0, 1],
        latency: 0.125,
        gap: 0.125,
    };
    let machine = Machine {
        latency: 400.0,
        levels: vec![site],
        ..Machine::new(4)
    };
    let schedule = checked(&graph, Algorithm::Levels, &machine);
    let sent = Communication::on(&schedule, Sending::ImprovedLazy, &machine);
    for transfer in sent.transfers() {
        assert_eq!(machine.level(transfer.from, transfer.to), 0, "{transfer:?}");
    }
    let costs = Costs::of(&schedule, &machine);
    assert_eq!(costs.bsp_cost, 6.0 * 1000.0 + 5.0 * (50.0 + 0.125));
}

#[test]
fn tasks_without_work_and_boundaries_without_cost_are_scheduled() {
    let graph = Dag::from_edges(3, &[(0, 1), (0, 2)])
        .and_then(|graph| graph.with_weights(vec![0; 3]))
        .and_then(|graph| graph.with_homes(Homes::new([Some(0), Some(1), Some(2)], &[3])))
        .unwrap();
    let machine = Machine {
        gap: 0.0,
        latency: 0.0,
        ..Machine::new(2)
    };
    for algorithm in algorithms() {
        assert_eq!(
            Costs::of(&checked(&graph, algorithm, &machine), &machine).bsp_cost,
            0.0
        );
    }
}

#[test]
fn a_machine_without_levels_is_scheduled_as_ever() {
    let graph = superstep_graphs::generate::lu(16).unwrap();
    let machine = Machine {
        latency: 50.0,
        ..Machine::new(4)
    };
    for algorithm in [Algorithm::GrowLocal, Algorithm::Cuts, Algorithm::Portfolio] {
        let scheduler = algorithm.of(ALL).scheduler(Setting::default()).unwrap();
        let flat: Schedule = scheduler.schedule(&graph, &machine).unwrap();
        assert_eq!(hierarchy::schedule(&*scheduler, &graph, &machine), Ok(flat));
    }
}
