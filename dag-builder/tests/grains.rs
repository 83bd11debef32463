//! Promises of groups of intervals: readers get what they read, and no more.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{groups, traces_with_grains};
use proptest::prelude::*;
use superstep_dag::{Contraction, Dag, intervals, tiles};
use superstep_graphs::{Statistics, generate};
use superstep_tracer::{Role, Trace};

/// Checks that members partition the tasks, and that each group gets from each other one what its
/// members read from there.
fn assert_exact(graph: &Dag, groups: &Contraction) -> Result<(), TestCaseError> {
    let quotient = groups.graph();
    prop_assert!(quotient.ids_are_topological());
    prop_assert_eq!(quotient.total_work(), graph.total_work());
    let mut members = Vec::new();
    // Per task of the quotient the group whose values it carries.
    let mut owner = Vec::new();
    for group in 0..quotient.tasks() as u32 {
        let list = groups.members(group);
        prop_assert!(list.is_sorted());
        members.extend_from_slice(list);
        if list.is_empty() {
            let own = *owner.last().expect("a parcel comes after its group");
            prop_assert_eq!(quotient.predecessors(group), [own]);
            prop_assert_eq!(quotient.weight(group), 0);
            owner.push(own);
        } else {
            owner.push(group);
        }
        for &task in list {
            prop_assert_eq!(groups.groups()[task as usize], group);
        }
    }
    members.sort_unstable();
    prop_assert!(members.into_iter().eq(0..graph.tasks() as u32));

    let mut read: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
    for (u, v) in graph.edge_list() {
        let (from, to) = (groups.groups()[u as usize], groups.groups()[v as usize]);
        if from != to {
            read.entry((from, to)).or_default().insert(u);
        }
    }
    let expected = read.iter().map(|(&pair, values)| {
        let words: u64 = values.iter().map(|&u| u64::from(graph.words(u))).sum();
        (pair, words)
    });
    let mut given: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (u, v) in quotient.edge_list() {
        if owner[v as usize] == v {
            *given.entry((owner[u as usize], v)).or_default() += u64::from(quotient.words(u));
        }
    }
    prop_assert_eq!(given, expected.collect());
    Ok(())
}

type Intervals = Vec<std::ops::Range<u32>>;

/// Makes a graph whose ids are a topological order, with weights and words, and random intervals of
/// its ids.
fn graphs_and_intervals() -> impl Strategy<Value = (Dag, Intervals)> {
    (2..120_usize).prop_flat_map(|tasks| {
        let edges = prop::collection::vec((0..tasks as u32, 0..tasks as u32), 0..4 * tasks);
        let numbers = || prop::collection::vec(prop_oneof![Just(1), 0..9_u32], tasks);
        let ends = prop::collection::btree_set(0..=tasks as u32, 0..20);
        let kept = prop::collection::vec(any::<bool>(), 20);
        (edges, numbers(), numbers(), ends, kept).prop_map(|(edges, weights, words, ends, kept)| {
            let forward = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
            let edges: Vec<_> = edges.iter().map(forward).filter(|(a, b)| a != b).collect();
            let graph = Dag::from_edges(weights.len(), &edges).unwrap();
            let graph = graph
                .with_weights(weights)
                .unwrap()
                .with_words(words)
                .unwrap();
            let ends: Vec<u32> = ends.into_iter().collect();
            let intervals = ends.windows(2).zip(kept).filter(|(_, kept)| *kept);
            let intervals = intervals.map(|(ends, _)| ends[0]..ends[1]).collect();
            (graph, intervals)
        })
    })
}

fn writes_local(trace: &Trace, task: u32) -> bool {
    trace.kernel().array(trace.written(task).array).role == Role::Local
}

proptest! {
    #[test]
    fn readers_of_intervals_get_what_they_read((graph, intervals) in graphs_and_intervals()) {
        let groups = Contraction::of_intervals(&graph, &intervals);
        assert_exact(&graph, &groups)?;
        for interval in &intervals {
            let members: Vec<u32> = interval.clone().collect();
            prop_assert_eq!(groups.members(groups.groups()[interval.start as usize]), members);
        }
        let all = Contraction::of_intervals(&graph, &[]);
        prop_assert_eq!(all, Contraction::identity(graph));
    }

    #[test]
    fn intervals_cover_all_tasks_and_are_as_long_as_asked_for(
        (graph, _) in graphs_and_intervals(),
        least in 1..40_u32,
    ) {
        let cut = intervals(&graph, least);
        let covered: Vec<u32> = cut.iter().cloned().flatten().collect();
        prop_assert!(covered.into_iter().eq(0..graph.tasks() as u32));
        let (last, others) = cut.split_last().expect("there are tasks");
        prop_assert!(others.iter().all(|i| (least..=64 * least).contains(&(i.end - i.start))));
        prop_assert!(last.end - last.start <= 64 * least);
    }

    #[test]
    fn readers_of_tiles_get_what_they_read(
        (graph, _) in graphs_and_intervals(),
        chain in 0..12_u32,
        side in 0..5_usize,
    ) {
        assert_exact(&graph, &tiles(&graph, chain, side))?;
    }

    #[test]
    fn grains_and_temporaries_go_together(trace in traces_with_grains(150), processors in 1..9_u32) {
        let graph = superstep_dag_builder::from_trace(&trace).with_homes(superstep_dag_builder::homes(&trace)).unwrap();
        let groups = groups(&trace, &graph, processors);
        assert_exact(&graph, &groups)?;
        // A grain of one task is a task like others.
        for grain in trace.grains().iter().filter(|grain| grain.len() > 1) {
            let group = groups.groups()[grain.start as usize];
            prop_assert!(grain.clone().all(|task| groups.groups()[task as usize] == group));
            // Others in it are temporaries of its own.
            let others = groups.members(group).iter().filter(|task| !grain.contains(task));
            for &task in others {
                prop_assert!(writes_local(&trace, task));
                let mut readers = graph.successors(task).iter();
                prop_assert!(readers.all(|&v| groups.groups()[v as usize] == group));
            }
        }
        let homes = (graph.homes().unwrap(), groups.graph().homes().unwrap());
        for group in 0..groups.graph().tasks() as u32 {
            if let Some(&last) = groups.members(group).last() {
                prop_assert_eq!(homes.0.word(last), homes.1.word(group));
            }
        }
    }
}

#[test]
fn rows_of_lu_have_one_value_each() {
    let n = 32_u32;
    let graph = superstep_graphs::generate::lu(n as usize).unwrap();
    let mut rows = Vec::new();
    let mut start = 0;
    for k in 0..n {
        for _ in k + 1..n {
            rows.push(start..start + n - k);
            start += n - k;
        }
    }
    let groups = Contraction::of_intervals(&graph, &rows);
    // They are found without being told, but for the last and shortest, which are near to others
    // that they read.
    let long = rows.iter().filter(|row| row.len() > 8).count();
    let found = intervals(&graph, 1);
    assert!(found[..long] == rows[..long]);
    // All that a row gives away goes to the same rows.
    let statistics = Statistics::of(groups.graph());
    assert_eq!(statistics.tasks, u64::from(n * (n - 1) / 2));
    assert_eq!(groups.graph().words(0), n - 1);
    assert_eq!(groups.graph().weight(0), n);
    assert!(statistics.edges < u64::from(n * n));
}

/// Counts the tiles of each number of tasks.
fn sizes(graph: &Dag) -> BTreeMap<usize, usize> {
    let tiles = tiles(graph, 4, 4);
    let mut sizes = BTreeMap::new();
    for tile in 0..tiles.graph().tasks() as u32 {
        *sizes.entry(tiles.members(tile).len()).or_default() += 1;
    }
    sizes
}

#[test]
fn tiles_of_lu_are_blocks_whatever_its_tasks_are_called() {
    let graph = generate::lu(32).unwrap();
    let blocks = sizes(&graph);
    let (most, count) = blocks.last_key_value().expect("there are tiles");
    assert_eq!(*most, 64);
    assert!(2 * most * count > graph.tasks());
    // Another order of the run: by depth, and backwards in a depth.
    let depths = superstep_dag::depths(&graph);
    let mut order: Vec<u32> = (0..graph.tasks() as u32).rev().collect();
    order.sort_by_key(|&task| depths[task as usize]);
    let mut numbers = vec![0; order.len()];
    for (&task, number) in order.iter().zip(0..) {
        numbers[task as usize] = number;
    }
    let renumbered = graph.renumbered(&numbers).unwrap();
    assert_eq!(sizes(&renumbered).last_key_value(), Some((most, count)));
}
