//! Promises of the tree algorithms: valid schedules with the figures that their formulas say, and
//! an order among them.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_reduction::{Costs as Delays, Order, Tree};
use superstep_schedule::{CheckedSchedule, Costs, cost};
use superstep_scheduler::tree::{
    Alg3Star, CompleteTree, TreeSchedule, TreeScheduler, complete_tree,
};
use superstep_scheduler::{Effort, ScheduleError, Scheduler};
use superstep_search::Portfolio;
use superstep_search::tree::bounds::{e, e_strong, e_with_all_delays};
use superstep_search::tree::{
    Alg1, Alg2, Alg3, Entry, FreeTree, Optimum, Py, Ties, Timetable, TimetableError, TreeAlgorithm,
};

/// Checks both explicit forms; the timetable ends at `makespan` and takes that many processors.
fn check(schedule: &TreeSchedule, tree: &CompleteTree, graph: &Dag, figures: (u64, u64)) {
    let tau = schedule.tau();
    let timetable = Timetable::of(schedule);
    assert_eq!(timetable.check(graph, tau), Ok(()));
    assert_eq!(timetable.entries().len(), graph.tasks());
    assert_eq!(timetable.makespan(graph), figures.0);
    assert_eq!(timetable.processors() as u64, figures.1);
    assert_eq!(u64::from(schedule.processors()), figures.1);
    if figures.1 <= 64 {
        let lists = schedule.supersteps(tree, figures.1 as u32);
        CheckedSchedule::new(graph, lists).expect("the supersteps are valid");
    }
}

/// Asserts that the bulk-synchronous form takes as long as the timetable.
fn assert_bulk_synchronous(schedule: &TreeSchedule, tree: &CompleteTree, graph: &Dag) {
    let lists = schedule.supersteps(tree, schedule.processors());
    let makespan = cost::makespan(graph, &lists, schedule.tau() as f64);
    assert_eq!(makespan, schedule.makespan() as f64);
}

#[test]
fn schedules_without_limit_are_valid_and_as_long_as_their_formulas_say() {
    for height in 1..=8 {
        let graph = complete_tree(height);
        let tree = CompleteTree::of(&graph).unwrap();
        for tau in (0..20).chain([30, 31, 62, 63, 100, 300]) {
            let py = Py::new(height, tau);
            check(
                &py.schedule(),
                &tree,
                &graph,
                (py.start() + 1, py.processors()),
            );
            assert_bulk_synchronous(&py.schedule(), &tree, &graph);
            let alg2 = Alg2::new(height, tau);
            check(
                &alg2.schedule(),
                &tree,
                &graph,
                (alg2.makespan(), alg2.processors()),
            );
            assert_bulk_synchronous(&alg2.schedule(), &tree, &graph);
            // The theorems are for a delay of at least one task.
            assert!(tau == 0 || alg2.makespan() <= py.start() + 1);
            for ties in [Ties::FewestProcessors, Ties::Smallest] {
                let alg1 = Alg1::new(height, tau, ties);
                let figures = (alg1.start(height) + 1, alg1.processors(height));
                check(&alg1.schedule(height), &tree, &graph, figures);
            }
            let optimum = Optimum::new(height, tau);
            let figures = (optimum.start(height) + 1, optimum.processors(height));
            check(&optimum.schedule(height), &tree, &graph, figures);
            if height <= 6 {
                let literal = py.as_published();
                assert_eq!(literal.check(&graph, tau), Ok(()));
                assert_eq!(literal.makespan(&graph), 2 * e(height, tau) + 1);
            }
        }
    }
}

#[test]
fn schedules_with_limit_are_valid_and_as_long_as_their_formulas_say() {
    for height in 1..=8 {
        let graph = complete_tree(height);
        let tree = CompleteTree::of(&graph).unwrap();
        for tau in [0, 1, 2, 3, 5, 7, 10, 14, 20, 30, 50] {
            for p in 1..40 {
                let alg3 = Alg3::new(height, tau, p);
                let figures = (alg3.makespan(height), alg3.processors(height));
                check(&alg3.schedule(height), &tree, &graph, figures);
                assert_bulk_synchronous(&alg3.schedule(height), &tree, &graph);
                let star = Alg3Star::new(height, tau, p);
                let figures = (star.makespan(height), star.processors(height));
                check(&star.schedule(height), &tree, &graph, figures);
                assert_bulk_synchronous(&star.schedule(height), &tree, &graph);
                assert!(figures.1 <= p && alg3.processors(height) <= p);
            }
        }
    }
}

#[test]
fn free_trees_are_valid_and_as_long_as_their_formulas_say() {
    for operands in [1, 2, 3, 5, 16, 33, 64, 200, 513] {
        for tau in [0, 1, 2, 5, 17, 60] {
            for p in [1, 2, 3, 7, 16, 100, 1000] {
                let trees = [
                    FreeTree::placed_freely(operands, tau, p),
                    FreeTree::equal_blocks(operands, tau, p),
                    FreeTree::best_equal_blocks(operands, tau, p),
                ];
                for tree in trees {
                    let (graph, timetable) = tree.schedule();
                    let at = format!("{tree:?}");
                    assert_eq!(graph.tasks() as u64, operands - 1, "{at}");
                    assert_eq!(timetable.check(&graph, tau), Ok(()), "{at}");
                    assert_eq!(timetable.makespan(&graph), tree.makespan(), "{at}");
                    assert!(timetable.processors() as u64 <= tree.processors(), "{at}");
                    assert!(tree.processors() <= p, "{at}");
                }
            }
        }
    }
}

/// Tries all ways to give the tasks of a small tree to processors, and the best order on each: the
/// optimum by its definition.
fn brute_force(height: u32, tau: u64) -> u64 {
    fn place(graph: &Dag, tau: u64, entries: &mut Vec<Entry>, best: &mut u64) {
        let done = |task: u32| entries.iter().any(|entry| entry.task == task);
        let ready: Vec<u32> = (0..graph.tasks() as u32)
            .filter(|&task| !done(task) && graph.predecessors(task).iter().all(|&p| done(p)))
            .collect();
        let end = entries.iter().map(|entry| entry.start + 1).max();
        if end.unwrap_or(0) >= *best {
            return;
        }
        if ready.is_empty() {
            *best = end.unwrap_or(0);
        }
        let used = entries.iter().map(|entry| entry.processor + 1).max();
        for task in ready {
            for processor in 0..=used.unwrap_or(0) {
                let mine = entries.iter().filter(|entry| entry.processor == processor);
                let free = mine.map(|entry| entry.start + 1).max().unwrap_or(0);
                let reads = entries
                    .iter()
                    .filter(|e| graph.predecessors(task).contains(&e.task));
                let arrives = reads
                    .map(|e| e.start + 1 + if e.processor == processor { 0 } else { tau })
                    .max();
                let start = free.max(arrives.unwrap_or(0));
                entries.push(Entry {
                    task,
                    processor,
                    start,
                });
                place(graph, tau, entries, best);
                entries.pop();
            }
        }
    }
    let mut best = u64::MAX;
    place(&complete_tree(height), tau, &mut Vec::new(), &mut best);
    best
}

#[test]
fn the_optimum_is_what_trying_everything_finds() {
    for height in 1..=3 {
        for tau in 0..8 {
            let start = Optimum::new(height, tau).start(height);
            assert_eq!(
                start + 1,
                brute_force(height, tau),
                "h = {height}, tau = {tau}"
            );
        }
    }
}

#[test]
fn algorithms_keep_their_order() {
    for tau in 1..400 {
        let alg1 = Alg1::new(20, tau, Ties::default());
        let optimum = Optimum::new(20, tau);
        let levels = (tau + 2).ilog2();
        for height in 1..=20 {
            let bounds = [
                e(height, tau),
                e_with_all_delays(height, tau),
                e_strong(height, tau),
                optimum.start(height),
                alg1.start(height),
                Py::new(height, tau).start(),
            ];
            assert!(bounds.is_sorted(), "h = {height}, tau = {tau}: {bounds:?}");
            if tau <= 8 {
                assert_eq!(alg1.start(height), optimum.start(height));
            }
            assert!(alg1.processors(height) <= 1 << (height - 1));
            if tau >= 2 {
                // Theorem 4.8.1.
                let faster = alg1.start(height) < Py::new(height, tau).start();
                assert_eq!(faster, height > levels, "h = {height}, tau = {tau}");
            }
        }
    }
}

#[test]
fn the_outlier_of_the_thesis_is_where_it_says() {
    let alg1 = Alg1::new(13, 8060, Ties::default());
    assert_eq!(
        (alg1.cut(13), alg1.processors(13), alg1.start(13)),
        (Some(6), 65, 8186)
    );
    let alg2 = Alg2::new(13, 8060);
    assert_eq!((alg2.processors(), alg2.makespan()), (1, 8191));
    assert_eq!(Alg2::new(17, 254).layers().collect::<Vec<_>>(), [5, 6, 6]);
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn trees_of_a_million_leaves_are_scheduled_task_by_task() {
    let height = 21;
    let graph = complete_tree(height);
    let tree = CompleteTree::of(&graph).expect("it is one");
    let unlimited = [
        TreeAlgorithm::Py,
        TreeAlgorithm::Alg1,
        TreeAlgorithm::Alg2,
        TreeAlgorithm::Optimal,
    ];
    let limited = [TreeAlgorithm::Alg3, TreeAlgorithm::Alg3Star];
    for tau in [1, 100, 5000] {
        let wanted = unlimited.map(|algorithm| (algorithm, 1 << height));
        let limited = limited.map(|algorithm| (algorithm, 50));
        for (algorithm, processors) in wanted.into_iter().chain(limited) {
            let timing = algorithm.timing(height, tau, processors);
            let schedule = algorithm
                .schedule_tree(height, tau, processors)
                .expect("it does not re-associate");
            check(
                &schedule,
                &tree,
                &graph,
                (timing.makespan, timing.processors),
            );
        }
    }
}

#[test]
fn wrong_timetables_are_refused() {
    let graph = complete_tree(2);
    let at = |places: [(u32, u64); 3]| {
        let entry = |(task, (processor, start))| Entry {
            task,
            processor,
            start,
        };
        Timetable::new((0..).zip(places).map(entry).collect())
    };
    assert_eq!(at([(0, 2), (0, 0), (0, 1)]).check(&graph, 3), Ok(()));
    assert_eq!(at([(0, 4), (0, 0), (1, 0)]).check(&graph, 3), Ok(()));
    let early = |task, predecessor, start| {
        Err(TimetableError::TooEarly {
            task,
            predecessor,
            processor: 0,
            start,
        })
    };
    assert_eq!(
        at([(0, 3), (0, 0), (1, 0)]).check(&graph, 3),
        early(0, 2, 3)
    );
    assert_eq!(
        at([(0, 1), (0, 0), (1, 0)]).check(&graph, 3),
        early(0, 2, 1)
    );
    assert_eq!(
        at([(0, 1), (0, 0), (0, 2)]).check(&graph, 3),
        early(0, 2, 1)
    );
    let busy = TimetableError::Busy {
        task: 2,
        processor: 0,
        start: 0,
    };
    assert_eq!(at([(0, 4), (0, 0), (0, 0)]).check(&graph, 3), Err(busy));
    let one = Entry {
        task: 0,
        processor: 0,
        start: 0,
    };
    let missing = TimetableError::Missing { task: 1 };
    assert_eq!(Timetable::new(vec![one]).check(&graph, 3), Err(missing));
    let unknown = TimetableError::Unknown { task: 7 };
    assert_eq!(
        Timetable::new(vec![Entry { task: 7, ..one }]).check(&graph, 3),
        Err(unknown)
    );
}

#[test]
fn complete_binary_trees_are_recognised_in_any_numbering() {
    for height in 1..=6 {
        let n = (1u32 << height) - 1;
        // Multiplication by a unit modulo n + 1 shuffles 1 to n.
        let shuffled = |heap_id: u32| heap_id * 5 % (n + 1) - 1;
        let edges: Vec<_> = (2..=n).map(|id| (shuffled(id), shuffled(id / 2))).collect();
        let graph = Dag::from_edges(n as usize, &edges).unwrap();
        let tree = CompleteTree::of(&graph).unwrap();
        assert_eq!((tree.height(), tree.task(1)), (height, shuffled(1)));
        for id in 1..=n / 2 {
            assert_eq!(
                graph.predecessors(tree.task(id)),
                [tree.task(2 * id), tree.task(2 * id + 1)]
            );
        }
    }
    let no_tree = |tasks, edges: &[(u32, u32)]| {
        let graph = Dag::from_edges(tasks, edges).unwrap();
        assert_eq!(CompleteTree::of(&graph), None, "{edges:?}");
    };
    no_tree(0, &[]);
    no_tree(2, &[(0, 1)]);
    no_tree(3, &[(0, 1), (1, 2)]);
    no_tree(3, &[(0, 2)]);
    // Leaves at different depths, a task that is read twice, two components.
    no_tree(7, &[(0, 1), (2, 1), (1, 3), (4, 3), (3, 5), (6, 5)]);
    no_tree(7, &[(0, 2), (1, 2), (2, 3), (2, 4), (3, 6), (4, 6)]);
    no_tree(7, &[(0, 2), (1, 2), (3, 5), (4, 5), (0, 6), (1, 6)]);
    let weighted = complete_tree(2).with_weights(vec![1, 1, 2]).unwrap();
    assert_eq!(CompleteTree::of(&weighted), None);
}

#[test]
fn as_schedulers_they_serve_complete_trees() {
    let graph = complete_tree(6).with_weights(vec![3; 63]).unwrap();
    let machine = Machine {
        tau: Some(20.0),
        ..Machine::new(4)
    };
    for algorithm in [TreeAlgorithm::Alg3, TreeAlgorithm::Alg3Star] {
        let schedule = algorithm.schedule(&graph, &machine).unwrap();
        let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
        // Tau is seven tasks, rounded up: 3 (15 + 3) + 20.
        let makespan = cost::makespan(&graph, schedule.schedule(), 20.0);
        assert_eq!(makespan, 74.0, "{}", algorithm.name());
    }
    let few = TreeAlgorithm::Alg1.schedule(&graph, &machine).unwrap_err();
    let wanted = Alg1::new(6, 7, Ties::default()).processors(6);
    assert_eq!(
        few.to_string(),
        format!("alg1 takes {wanted} processors for this graph, the machine has 4")
    );
    let chain = Dag::from_edges(3, &[(0, 1), (1, 2)]).unwrap();
    let other = TreeAlgorithm::Alg3Star
        .schedule(&chain, &machine)
        .unwrap_err();
    assert_eq!(
        other,
        ScheduleError::NoCompleteTree {
            algorithm: "alg3star"
        }
    );
    let free = TreeAlgorithm::Nkf.schedule(&graph, &machine).unwrap_err();
    assert_eq!(free, ScheduleError::NoCompleteTree { algorithm: "nkf" });
}

#[test]
fn the_portfolio_knows_complete_trees() {
    let graph = complete_tree(12);
    let machine = Machine {
        gap: 0.0,
        latency: 50.0,
        ..Machine::new(8)
    };
    let fast = Portfolio {
        effort: Effort::Fast,
    };
    let found = fast.schedule(&graph, &machine).unwrap();
    let found = Costs::of(&CheckedSchedule::new(&graph, found).unwrap(), &machine);
    assert!(found.bsp_cost <= Alg3Star::new(12, 50, 8).makespan(12) as f64);
}

#[test]
fn trees_in_fixed_order_are_no_slower_than_alg3_star() {
    // Of equal blocks; elsewhere ALG3* may cut finer than blocks are.
    for height in [14, 16, 20] {
        for log in 0..=height - 10 {
            for tau in [1, 2, 10, 100, 1000, 10_000] {
                let (operands, processors) = (1 << height, 1 << log);
                let delays = Delays { tau, overhead: 0 };
                let tree = Tree::with_costs(Order::Fixed, operands, processors, delays);
                let star = Alg3Star::new(height, tau, processors as u64).makespan(height);
                assert!(tree.time() <= star, "{tree}: ALG3* takes {star}");
            }
        }
    }
}
