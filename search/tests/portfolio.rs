//! Promises of the portfolio: never dearer than serial or than less effort, and equal on every run.

#[path = "../../scheduler/tests/random_graphs/mod.rs"]
mod random_graphs;

use random_graphs::{SplitMix, graph};
use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, Schedule};
use superstep_scheduler::{BspGreedy, Effort, GrowLocal, Order, Scheduler};
use superstep_search::Portfolio;

fn cost(graph: &Dag, schedule: Schedule, machine: &Machine) -> f64 {
    let checked = CheckedSchedule::new(graph, schedule).expect("every schedule passes the checker");
    Costs::of(&checked, machine).bsp_cost
}

#[test]
fn more_effort_is_never_worse_and_none_is_worse_than_serial() {
    let mut random = SplitMix::new(3);
    for _ in 0..8 {
        let graph = graph(&mut random, 8);
        let machine = Machine {
            gap: random.below(4) as f64,
            latency: random.below(12) as f64,
            ..Machine::new(1 + random.below(4) as u32)
        };
        let mut last = graph.total_work() as f64;
        for effort in Effort::ALL {
            let schedule = Portfolio { effort }.schedule(&graph, &machine).unwrap();
            assert_eq!(schedule.processors(), machine.processors as usize);
            let cost = cost(&graph, schedule, &machine);
            assert!(cost <= last, "{effort:?}: {cost} after {last}");
            last = cost;
        }
    }
}

/// The tree is too large to be annealed, and only fast has a scheduler for trees on so many
/// processors.
#[test]
fn more_effort_keeps_what_less_has_where_nothing_is_searched_between() {
    let edges = |parent| [(2 * parent + 1, parent), (2 * parent + 2, parent)];
    let edges: Vec<(u32, u32)> = (0..(1 << 15) - 1).flat_map(edges).collect();
    let graph = Dag::from_edges((1 << 16) - 1, &edges).unwrap();
    let machine = Machine {
        latency: 100.0,
        ..Machine::new(128)
    };
    let [fast, balanced] = [Effort::Fast, Effort::Balanced].map(|effort| {
        let schedule = Portfolio { effort }.schedule(&graph, &machine).unwrap();
        cost(&graph, schedule, &machine)
    });
    assert!(balanced <= fast, "{balanced}, {fast}");
}

#[test]
fn the_same_input_gives_the_same_schedule() {
    let machine = Machine {
        latency: 50.0,
        ..Machine::new(4)
    };
    let graph = generate::lu(4).unwrap();
    let [once, again] = [0, 1].map(|_| Portfolio::default().schedule(&graph, &machine).unwrap());
    assert_eq!(once, again);
}

#[test]
fn greedy_schedules_are_valid_and_without_copies() {
    let mut random = SplitMix::new(4);
    for _ in 0..300 {
        let graph = graph(&mut random, 40);
        let machine = Machine {
            latency: random.below(30) as f64,
            ..Machine::new(1 + random.below(6) as u32)
        };
        for order in [Order::Ids, Order::DepthFirst, Order::Levels] {
            for scheduler in [&GrowLocal { order } as &dyn Scheduler, &BspGreedy { order }] {
                let schedule = scheduler.schedule(&graph, &machine).unwrap();
                assert_eq!(
                    schedule.task_instances(),
                    graph.tasks(),
                    "{}",
                    scheduler.name()
                );
                cost(&graph, schedule, &machine);
            }
        }
    }
}

#[test]
fn greedy_growth_spreads_independent_tasks_over_all_processors() {
    let graph = Dag::from_edges(400, &[]).unwrap();
    let machine = Machine {
        latency: 10.0,
        ..Machine::new(4)
    };
    for scheduler in [
        &GrowLocal::default() as &dyn Scheduler,
        &BspGreedy::default(),
    ] {
        let schedule = scheduler.schedule(&graph, &machine).unwrap();
        // At most a task away from equal shares, as the size of a superstep grows in leaps.
        assert!(
            cost(&graph, schedule, &machine) <= 101.0,
            "{}",
            scheduler.name()
        );
    }
}

/// Returns the graph with its tasks in a random order.
fn renumbered(graph: &Dag, random: &mut SplitMix) -> Dag {
    let tasks = graph.tasks();
    let mut names: Vec<u32> = (0..tasks as u32).collect();
    for at in (1..tasks).rev() {
        names.swap(at, random.below(at + 1));
    }
    graph.renumbered(&names).unwrap()
}

#[test]
fn a_random_numbering_changes_costs_by_a_tenth_at_most() {
    let mut random = SplitMix::new(9);
    let graphs = [
        generate::lu(16).unwrap(),
        generate::fft(128).unwrap(),
        generate::grid_substitution(40).unwrap(),
        generate::grid_substitution_by_row(40).unwrap(),
    ];
    for graph in graphs {
        let other = renumbered(&graph, &mut random);
        for (processors, latency) in [(4, 20.0), (8, 200.0)] {
            let machine = Machine {
                latency,
                ..Machine::new(processors)
            };
            let [before, after] = [&graph, &other].map(|graph| {
                let schedule = Portfolio::default().schedule(graph, &machine).unwrap();
                cost(graph, schedule, &machine)
            });
            assert!(
                (0.9..=1.1).contains(&(after / before)),
                "{before}, then {after}"
            );
        }
    }
}
