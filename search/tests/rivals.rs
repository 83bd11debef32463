//! Promises of the classic schedulers.

#[path = "../../scheduler/tests/random_graphs/mod.rs"]
mod random_graphs;

use random_graphs::{SplitMix, graph};
use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs};
use superstep_scheduler::{GrowLocal, Scheduler};
use superstep_search::rivals::{CopyInsertion, Dsh, Etf, HillClimb};

fn costs(scheduler: &dyn Scheduler, graph: &Dag, machine: &Machine) -> Costs {
    let schedule = scheduler.schedule(graph, machine).unwrap();
    let checked = CheckedSchedule::new(graph, schedule).expect("every schedule passes the checker");
    Costs::of(&checked, machine)
}

#[test]
fn schedules_are_valid_and_the_same_on_every_run() {
    let mut random = SplitMix::new(11);
    for _ in 0..60 {
        let graph = graph(&mut random, 30);
        let machine = Machine {
            gap: random.below(3) as f64,
            latency: random.below(20) as f64,
            ..Machine::new(1 + random.below(5) as u32)
        };
        for scheduler in [&Etf as &dyn Scheduler, &Dsh, &HillClimb, &CopyInsertion] {
            costs(scheduler, &graph, &machine);
            let [once, again] = [0, 1].map(|_| scheduler.schedule(&graph, &machine).unwrap());
            assert_eq!(once, again, "{}", scheduler.name());
        }
    }
}

#[test]
fn earliest_task_first_balances_independent_tasks_and_keeps_a_chain_together() {
    let machine = Machine {
        latency: 10.0,
        ..Machine::new(4)
    };
    let free = Dag::from_edges(40, &[]).unwrap();
    assert_eq!(costs(&Etf, &free, &machine).bsp_cost, 10.0);
    let chain: Vec<_> = (1..40).map(|task| (task - 1, task)).collect();
    let chain = Dag::from_edges(40, &chain).unwrap();
    assert_eq!(costs(&Etf, &chain, &machine).processors_used, 1);
}

#[test]
fn duplication_computes_again_what_a_message_would_bring_later() {
    // A root that all others read: three copies, so that nobody waits.
    let fan: Vec<_> = (1..=4).map(|leaf| (0, leaf)).collect();
    let weights = vec![2, 9, 9, 9, 9];
    let fan = Dag::from_edges(5, &fan)
        .unwrap()
        .with_weights(weights)
        .unwrap();
    let machine = Machine {
        latency: 10.0,
        ..Machine::new(4)
    };
    let dsh = costs(&Dsh, &fan, &machine);
    assert_eq!((dsh.supersteps, dsh.bsp_cost), (1, 11.0));
    assert!(costs(&Etf, &fan, &machine).bsp_cost > 11.0);
}

#[test]
fn copies_that_come_later_than_the_message_are_not_kept() {
    // A copy of task 1 waits for the value of task 0 as long as task 3 would for its own.
    let graph = Dag::from_edges(4, &[(0, 1), (1, 3), (2, 3)])
        .and_then(|graph| graph.with_weights(vec![20, 6, 15, 1]))
        .and_then(|graph| graph.with_words(vec![10, 1, 100, 1]))
        .unwrap();
    let machine = Machine {
        latency: 1.0,
        ..Machine::new(2)
    };
    let schedule = Dsh.schedule(&graph, &machine).unwrap();
    assert_eq!(schedule.task_instances(), 4);
    CheckedSchedule::new(&graph, schedule).unwrap();
}

#[test]
fn duplication_takes_long_chains() {
    let chain: Vec<_> = (1..20_000).map(|task| (task - 1, task)).collect();
    let chain = Dag::from_edges(20_000, &chain).unwrap();
    assert_eq!(costs(&Dsh, &chain, &Machine::new(2)).processors_used, 1);
}

#[test]
fn improvement_only_improves() {
    let machine = Machine {
        latency: 6.0,
        ..Machine::new(4)
    };
    let (mut climbed, mut copied) = (0, 0);
    for graph in [
        generate::lu(16).unwrap(),
        generate::fft(64).unwrap(),
        generate::grid_substitution(30).unwrap(),
    ] {
        let greedy = costs(&GrowLocal::default(), &graph, &machine).bsp_cost;
        let climb = costs(&HillClimb, &graph, &machine).bsp_cost;
        let copies = costs(&CopyInsertion, &graph, &machine).bsp_cost;
        assert!(climb <= greedy && copies <= greedy);
        climbed += u32::from(climb < 0.98 * greedy);
        copied += u32::from(copies < 0.98 * greedy);
    }
    assert!(climbed >= 2 && copied >= 1, "{climbed} and {copied}");
}
