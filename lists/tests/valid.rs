//! Lists are an order in which processors can run all tasks, of any graph.

use proptest::prelude::*;
use superstep_lists::pipeline::{Effort, Prices, pipeline};
use superstep_lists::{Before, ByNumber, Gathered, Growth, grow_local, levels};
use superstep_order::Rows;

/// Asserts that each task is there once, after those of an earlier superstep or of the same list
/// that come before it.
fn assert_valid(predecessors: &Rows<u32>, lists: &Gathered) {
    let mut places = vec![None; predecessors.len()];
    for (superstep, all) in lists.supersteps.iter().enumerate() {
        for (processor, list) in all.iter().enumerate() {
            for &task in list {
                for &before in predecessors.row(task as usize) {
                    let (at, who) = places[before as usize].expect("it has run");
                    assert!(
                        at < superstep || who == processor,
                        "nobody waits in a superstep"
                    );
                }
                let place = &mut places[task as usize];
                assert_eq!(
                    place.replace((superstep, processor)),
                    None,
                    "each task once"
                );
            }
        }
    }
    assert!(places.iter().all(Option::is_some), "all tasks");
}

proptest! {
    #[test]
    fn any_graph_can_be_run(
        rows in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0..80),
        work in prop::option::of(prop::collection::vec(0_u32..50, 80)),
        processors in 1_u32..5,
        wait in 0.0..100.0_f64,
    ) {
        let pairs = rows.iter().enumerate().skip(1).flat_map(|(task, before)| {
            let mut before: Vec<u32> = before.iter().map(|at| at.index(task) as u32).collect();
            before.sort_unstable();
            before.dedup();
            before.into_iter().map(move |before| (task, before))
        });
        let predecessors = Rows::sorted(rows.len(), pairs);
        let successors = predecessors.turned();
        let before = Before {
            predecessors: &predecessors,
            successors: &successors,
            work: work.as_ref().map(|work| &work[..rows.len()]),
            words: None,
            topological: None,
        };
        let mut lists = Gathered::default();
        levels(before, processors, &mut lists);
        assert_valid(&predecessors, &lists);
        let deepest = before.levels().into_iter().max().unwrap_or(0);
        assert_eq!(lists.supersteps.len() as u32, deepest);
        let prices = Prices { processors, gap: 1.0, latency: wait };
        let effort = Effort { steps: 10_000, tapered: true, long_slices: true };
        let mut lists = Gathered::default();
        if pipeline(before, &ByNumber, prices, effort, &mut lists) {
            assert_valid(&predecessors, &lists);
            let loads = lists.supersteps.iter().map(|all| {
                let load = |list: &Vec<u32>| list.iter().map(|&task| before.work_of(task)).sum();
                all.iter().map(load).max().unwrap_or(0)
            });
            assert!(loads.sum::<u64>() < before.all_work(), "it is shorter than the run");
        } else {
            assert_eq!(lists, Gathered::default());
        }
        let growth = Growth::new(processors, wait);
        for growth in [growth, growth.within(4.0, 1.0)] {
            let mut lists = Gathered::default();
            assert!(grow_local(before, &ByNumber, growth, &mut lists));
            assert_valid(&predecessors, &lists);
        }
        // No time is enough for a wait in each superstep, but for no superstep.
        let growth = Growth { most: 0.0, ..Growth::new(processors, 1.0) };
        let is_done = grow_local(before, &ByNumber, growth, &mut Gathered::default());
        assert_eq!(is_done, before.all_work() == 0);
    }
}
