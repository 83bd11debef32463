//! Properties of all graphs: schedules are valid, costs are as their definitions say, BCSH is as
//! its definition says.
//!
//! A property is tried on proptest's 256 random cases, and on 1000 in `.ci/run`, which sets
//! `PROPTEST_CASES`.

mod naive;

use proptest::prelude::*;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{
    CheckedSchedule, Communication, Schedule, Sending,
    bounds::{critical_path, lower_bound},
    check, communication,
    cost::{self, Messages},
};
use superstep_scheduler::{Levels, Scheduler, Serial};
use superstep_search::{Bcsh, Cuts};

/// Returns graphs of up to `tasks` tasks with weights and words, ids in topological order or not.
fn graphs(tasks: usize) -> impl Strategy<Value = Dag> {
    (1..=tasks)
        .prop_flat_map(|tasks| {
            let edge = (0..tasks as u32, 0..tasks as u32);
            (
                prop::collection::vec(edge, 0..3 * tasks),
                prop_oneof![Just(vec![1; tasks]), prop::collection::vec(0..5u32, tasks)],
                prop_oneof![Just(vec![1; tasks]), prop::collection::vec(0..4u32, tasks)],
                prop_oneof![
                    Just((0..tasks as u32).collect::<Vec<_>>()).boxed(),
                    Just((0..tasks as u32).collect::<Vec<_>>())
                        .prop_shuffle()
                        .boxed()
                ],
            )
        })
        .prop_map(|(edges, weights, words, names)| {
            let edges: Vec<_> = edges
                .into_iter()
                .filter(|(a, b)| a != b)
                .map(|(a, b)| (names[a.min(b) as usize], names[a.max(b) as usize]))
                .collect();
            let graph = Dag::from_edges(weights.len(), &edges).unwrap();
            graph
                .with_weights(weights)
                .unwrap()
                .with_words(words)
                .unwrap()
        })
}

/// Returns layered graphs, in which BCSH has something to copy and to merge.
fn layered() -> impl Strategy<Value = Dag> {
    (2..9u32, 2..9u32)
        .prop_flat_map(|(width, depth)| {
            let operand = (0..width, 0..width);
            (
                Just((width, depth)),
                prop::collection::vec(operand, (width * (depth - 1)) as usize),
            )
        })
        .prop_map(|((width, depth), operands)| {
            let tasks = (width * depth) as usize;
            let edges: Vec<_> = (width..width * depth)
                .zip(operands)
                .flat_map(|(task, (a, b))| {
                    let before = (task / width - 1) * width;
                    [(before + a, task), (before + b, task)]
                })
                .collect();
            Dag::from_edges(tasks, &edges).unwrap()
        })
}

/// Returns sweeps over a grid, in which the groups of BCSH swallow one neighbour after the other.
fn stencils() -> impl Strategy<Value = Dag> {
    let offset = (-2..=2i32, -2..=2i32);
    (
        (3..9i32, 3..9i32, 2..4i32),
        prop_oneof![
            Just(vec![(-1, 0), (0, -1), (0, 1), (1, 0)]),
            prop::collection::vec(offset, 1..6)
        ],
        prop::collection::vec(0..4u32, 1..20),
    )
        .prop_map(|((height, width, sweeps), offsets, weights)| {
            let task = |sweep: i32, i: i32, j: i32| ((sweep * height + i) * width + j) as u32;
            let mut edges = Vec::new();
            for sweep in 1..sweeps {
                for (i, j) in (0..height).flat_map(|i| (0..width).map(move |j| (i, j))) {
                    for &(down, right) in &offsets {
                        let (before_i, before_j) = (i + down, j + right);
                        if (0..height).contains(&before_i) && (0..width).contains(&before_j) {
                            edges.push((task(sweep - 1, before_i, before_j), task(sweep, i, j)));
                        }
                    }
                }
            }
            let tasks = (height * width * sweeps) as usize;
            let weights = weights.into_iter().cycle().take(tasks).collect();
            let graph = Dag::from_edges(tasks, &edges).unwrap();
            graph.with_weights(weights).unwrap()
        })
}

/// Returns programs on a few cells, with many levels and many results that nothing reads, at which
/// BCSH looks back only now and then.
fn programs() -> impl Strategy<Value = Dag> {
    (1..8usize, 20..160usize)
        .prop_flat_map(|(cells, tasks)| {
            let step = (0..2 * cells, 0..cells, 0..cells);
            (
                Just(cells),
                prop::collection::vec(step, tasks),
                prop_oneof![Just(vec![1; tasks]), prop::collection::vec(0..4u32, tasks)],
            )
        })
        .prop_map(|(cells, steps, weights)| {
            let mut writers = vec![None; cells];
            let mut edges = Vec::new();
            for ((target, a, b), task) in steps.into_iter().zip(0..) {
                let mut read: Vec<u32> = [a, b]
                    .into_iter()
                    .filter_map(|cell| writers[cell])
                    .collect();
                read.dedup();
                edges.extend(read.into_iter().map(|writer| (writer, task)));
                if target < cells {
                    writers[target] = Some(task);
                }
            }
            let graph = Dag::from_edges(weights.len(), &edges).unwrap();
            graph.with_weights(weights).unwrap()
        })
}

fn machines() -> impl Strategy<Value = Machine> {
    let processors = prop_oneof![1..6u32, Just(64u32)];
    let cost = || (0..40u32).prop_map(|quarters| f64::from(quarters) / 4.0);
    (processors, cost(), cost(), cost()).prop_map(|(processors, gap, latency, tau)| Machine {
        processors,
        gap,
        latency,
        tau: Some(tau),
        levels: Vec::new(),
    })
}

fn algorithms() -> [Box<dyn Scheduler>; 8] {
    let without_saving = Bcsh {
        processor_saving: false,
    };
    [
        Box::new(Serial),
        Box::new(Levels),
        Box::new(Bcsh::default()),
        Box::new(without_saving),
        Box::new(Cuts {
            effort: 0,
            annealing: 50,
        }),
        Box::new(Cuts {
            effort: 1,
            annealing: 10,
        }),
        Box::new(Cuts::BALANCED),
        Box::new(Cuts {
            effort: 10_000,
            annealing: 0,
        }),
    ]
}

/// Returns a valid schedule that no algorithm would make: each task on random processors, as early
/// as that goes.
fn scattered(graph: &Dag, processors: u32, sets: &[u8]) -> Schedule {
    let mut rows: Vec<Vec<Vec<u32>>> = Vec::new();
    let mut places: Vec<Vec<(usize, usize)>> = vec![Vec::new(); graph.tasks()];
    for task in graph.topological() {
        let set = sets[task as usize % sets.len()];
        for copy in 0..1 + usize::from(set >> 6) {
            let processor = (usize::from(set) >> copy) % processors as usize;
            let ready = graph.predecessors(task).iter().map(|&before| {
                let serves =
                    |&(superstep, on): &(usize, usize)| superstep + usize::from(on != processor);
                places[before as usize].iter().map(serves).min().unwrap()
            });
            let superstep = ready.max().unwrap_or(usize::from(set >> 4) % 3);
            if !places[task as usize].contains(&(superstep, processor)) {
                places[task as usize].push((superstep, processor));
                rows.resize_with(rows.len().max(superstep + 1), || {
                    vec![Vec::new(); processors as usize]
                });
                rows[superstep][processor].push(task);
            }
        }
    }
    Schedule::from_lists(processors, rows)
}

fn check_costs(graph: &Dag, machine: &Machine, schedule: Schedule) -> Result<(), TestCaseError> {
    let checked = CheckedSchedule::new(graph, schedule)
        .map_err(|error| TestCaseError::fail(error.to_string()))?;
    let schedule = checked.schedule();
    let load = |tasks: &[u32]| {
        tasks
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .sum::<u64>()
    };
    let work: u64 = (0..schedule.supersteps())
        .map(|s| schedule.superstep(s).map(load).max().unwrap())
        .sum();
    let boundaries = (schedule.supersteps() as f64 - 1.0).max(0.0);
    let makespan = cost::makespan(graph, schedule, machine.tau());
    prop_assert_eq!(makespan, work as f64 + boundaries * machine.tau());
    prop_assert!(work >= lower_bound(graph, machine.processors));
    let mut costs = Vec::new();
    let mut eager = Messages::default();
    for sending in [Sending::Eager, Sending::Lazy, Sending::ImprovedLazy] {
        let communication = Communication::new(&checked, sending);
        let naive = naive::sends(graph, schedule, sending);
        let found: naive::Sends = communication
            .transfers()
            .iter()
            .map(|t| {
                (
                    (t.task, t.to as usize),
                    (t.from as usize, t.superstep as usize),
                )
            })
            .collect();
        prop_assert_eq!(communication.transfers().len(), naive.len());
        prop_assert_eq!(&found, &naive);
        prop_assert!(communication.transfers().is_sorted());
        let relations: Vec<u64> = (0..schedule.supersteps())
            .map(|superstep| naive::relation(graph, &naive, superstep))
            .collect();
        let words = Machine {
            gap: 1.0,
            latency: 0.0,
            ..machine.clone()
        };
        let mut found = vec![0; relations.len()];
        for exchange in cost::exchanges(&checked, &communication, &words) {
            found[exchange.superstep] = exchange.cost as u64;
        }
        prop_assert_eq!(&found, &relations);
        let sent: f64 = relations
            .iter()
            .filter(|&&h| h > 0)
            .map(|&h| machine.gap * h as f64 + machine.latency)
            .sum();
        let cost = cost::bsp_cost(&checked, &communication, machine);
        prop_assert_eq!(cost, work as f64 + sent);
        costs.push(cost);
        let boundaries: std::collections::BTreeSet<_> = naive
            .iter()
            .map(|(&(_, to), &(from, superstep))| (superstep, from, to))
            .collect();
        let words: u64 = naive
            .keys()
            .map(|&(task, _)| u64::from(graph.words(task)))
            .sum();
        let messages = Messages::of(graph, &communication);
        if sending == Sending::Eager {
            eager = messages;
        }
        prop_assert_eq!(Messages::eager(graph, &communication), eager);
        prop_assert_eq!(
            (messages.messages, messages.words),
            (boundaries.len() as u64, words)
        );
    }
    prop_assert!(
        costs[2] <= costs[1],
        "improved lazy sending costs no more than lazy sending"
    );
    Ok(())
}

fn check_bcsh(graph: &Dag, machine: &Machine, processor_saving: bool) -> Result<(), TestCaseError> {
    let (schedule, layers) = Bcsh { processor_saving }.layers(graph, machine).unwrap();
    let (expected, expected_layers) = naive::bcsh(
        graph,
        machine.processors as usize,
        machine.tau(),
        processor_saving,
    );
    prop_assert_eq!(layers, expected_layers);
    prop_assert_eq!(schedule.supersteps(), expected.supersteps());
    for superstep in 0..schedule.supersteps() {
        for processor in 0..schedule.processors() {
            let mut tasks = schedule.tasks(superstep, processor).to_vec();
            tasks.sort_unstable();
            prop_assert_eq!(&tasks[..], expected.tasks(superstep, processor));
        }
    }
    Ok(())
}

proptest! {
    // A quarter of the cases: the definition, followed word by word, is slow.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn bcsh_is_what_its_definition_says_of_stencils(
        graph in stencils(),
        machine in machines(),
        processor_saving in any::<bool>(),
    ) {
        check_bcsh(&graph, &machine, processor_saving)?;
    }

    #[test]
    fn bcsh_is_what_its_definition_says_of_many_levels(
        graph in programs(),
        machine in machines(),
        processor_saving in any::<bool>(),
    ) {
        check_bcsh(&graph, &machine, processor_saving)?;
    }
}

proptest! {
    #[test]
    fn every_algorithm_gives_valid_schedules(graph in graphs(60), machine in machines()) {
        for algorithm in algorithms() {
            let schedule = algorithm.schedule(&graph, &machine).unwrap();
            prop_assert_eq!(schedule.processors(), machine.processors as usize);
            prop_assert_eq!(check(&graph, &schedule), Ok(()), "{}", algorithm.name());
            prop_assert_eq!(&algorithm.schedule(&graph, &machine).unwrap(), &schedule);
        }
    }

    #[test]
    fn costs_are_what_their_definitions_say(graph in graphs(14), machine in machines()) {
        for algorithm in algorithms() {
            check_costs(&graph, &machine, algorithm.schedule(&graph, &machine).unwrap())?;
        }
    }

    #[test]
    fn costs_of_scattered_copies_too(
        graph in graphs(14),
        machine in machines(),
        sets in prop::collection::vec(any::<u8>(), 14),
    ) {
        let schedule = scattered(&graph, machine.processors.min(6), &sets);
        let machine = Machine { processors: machine.processors.min(6), ..machine };
        check_costs(&graph, &machine, schedule)?;
    }

    #[test]
    fn bcsh_is_what_its_definition_says(
        graph in prop_oneof![layered(), graphs(30)],
        machine in machines(),
        processor_saving in any::<bool>(),
    ) {
        check_bcsh(&graph, &machine, processor_saving)?;
    }

    #[test]
    fn transfers_bring_each_value_in_time(graph in graphs(40), machine in machines()) {
        for algorithm in algorithms() {
            let schedule = algorithm.schedule(&graph, &machine).unwrap();
            let checked = CheckedSchedule::new(&graph, schedule).unwrap();
            for transfer in communication(&checked).transfers() {
                let lists = checked.schedule();
                prop_assert!(transfer.computed <= transfer.superstep && transfer.superstep < transfer.first_use);
                prop_assert_ne!(transfer.from, transfer.to);
                let source = lists.tasks(transfer.computed as usize, transfer.from as usize);
                prop_assert!(source.contains(&transfer.task));
                let uses = lists.tasks(transfer.first_use as usize, transfer.to as usize);
                prop_assert!(uses.iter().any(|&task| graph.predecessors(task).contains(&transfer.task)));
            }
        }
    }

    #[test]
    fn the_critical_path_is_the_longest(graph in graphs(12)) {
        fn longest(graph: &Dag, task: u32) -> u64 {
            let after = graph.successors(task).iter().map(|&successor| longest(graph, successor)).max();
            u64::from(graph.weight(task)) + after.unwrap_or(0)
        }
        let expected = (0..graph.tasks() as u32).map(|task| longest(&graph, task)).max().unwrap();
        prop_assert_eq!(critical_path(&graph), expected);
    }
}

#[test]
fn a_graph_without_tasks_has_schedules_and_costs() {
    let graph = Dag::default();
    for algorithm in algorithms() {
        let schedule = algorithm.schedule(&graph, &Machine::new(4)).unwrap();
        let checked = CheckedSchedule::new(&graph, schedule).unwrap();
        let costs = cost::Costs::of(&checked, &Machine::new(4));
        assert_eq!(
            (costs.makespan, costs.bsp_cost, costs.duplication_rate),
            (0.0, 0.0, 1.0)
        );
    }
}

#[test]
fn bcsh_serves_1_to_64_processors() {
    let graph = Dag::from_edges(100, &[]).unwrap();
    for processors in 1..=64 {
        let schedule = Bcsh::default()
            .schedule(&graph, &Machine::new(processors))
            .unwrap();
        assert_eq!(
            schedule.superstep(0).map(<[_]>::len).max(),
            Some(100usize.div_ceil(processors as usize))
        );
    }
    for processors in [0, 65] {
        let error = Bcsh::default()
            .schedule(&graph, &Machine::new(processors))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("bcsh schedules for 1 to 64 processors, not for {processors}")
        );
    }
}

#[test]
fn levels_deals_work_evenly() {
    let graph = Dag::from_edges(7, &[])
        .unwrap()
        .with_weights(vec![1, 1, 1, 1, 4, 2, 2])
        .unwrap();
    let schedule = Levels.schedule(&graph, &Machine::new(3)).unwrap();
    assert_eq!(
        schedule.superstep(0).collect::<Vec<_>>(),
        [&[0, 1, 2, 3][..], &[4], &[5, 6]]
    );
}

#[test]
fn serial_and_levels_serve_1_to_1024_processors() {
    let graph = Dag::from_edges(3, &[(0, 1)]).unwrap();
    for algorithm in [&Serial as &dyn Scheduler, &Levels] {
        for processors in [1, 1024] {
            let schedule = algorithm
                .schedule(&graph, &Machine::new(processors))
                .unwrap();
            assert_eq!(check(&graph, &schedule), Ok(()));
        }
        for processors in [0, 1025, u32::MAX] {
            assert!(
                algorithm
                    .schedule(&graph, &Machine::new(processors))
                    .is_err()
            );
        }
    }
}
