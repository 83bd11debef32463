//! The bound e' for any graph has the reference's figures (`golden/trees.json`), and no schedule
//! beats it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{
    bounds::{critical_path, delay_bound, earliest_starts},
    cost,
};
use superstep_scheduler::tree::complete_tree;
use superstep_scheduler::{Levels, Scheduler};
use superstep_search::Bcsh;
use superstep_search::tree::bounds;

#[derive(Deserialize)]
struct Golden {
    /// Diamonds by side; each list by tau from 1.
    #[serde(rename = "diamond_mxm_sink_tau1..16")]
    diamonds: BTreeMap<u32, Diamond>,
    #[serde(rename = "butterfly_2^k_output_e_tau1..16")]
    butterflies: BTreeMap<u32, Vec<u64>>,
}

#[derive(Deserialize)]
struct Diamond {
    #[serde(rename = "E")]
    e_with_all_delays: Vec<u64>,
    strong: Vec<u64>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/trees.json")).unwrap()
}

#[test]
fn diamonds_have_the_reference_figures() {
    for (m, wanted) in golden().diamonds {
        let across = (0..m).flat_map(|i| (1..m).map(move |j| (i * m + j - 1, i * m + j)));
        let down = (1..m).flat_map(|i| (0..m).map(move |j| (i * m + j - m, i * m + j)));
        let graph = Dag::from_edges((m * m) as usize, &across.chain(down).collect::<Vec<_>>());
        let graph = graph.unwrap();
        let strong: Vec<u64> = (1..=16)
            .map(|tau| earliest_starts(&graph, tau)[(m * m - 1) as usize])
            .collect();
        assert_eq!(strong, wanted.strong, "m = {m}");
        assert!(
            strong
                .iter()
                .zip(&wanted.e_with_all_delays)
                .all(|(strong, e)| strong >= e)
        );
    }
}

#[test]
fn an_output_of_a_butterfly_is_the_root_of_a_complete_tree() {
    for (k, wanted) in golden().butterflies {
        let found: Vec<u64> = (1..=16).map(|tau| bounds::e(k + 1, tau)).collect();
        assert_eq!(found, wanted, "k = {k}");
        let points = 1 << k;
        let edges: Vec<_> = (0..k)
            .flat_map(|level| (0..points).map(move |i| (level, i)))
            .flat_map(|(level, i)| {
                let (from, to) = (level * points, (level + 1) * points);
                [(from + i, to + i), (from + i, to + (i ^ 1 << level))]
            })
            .collect();
        let graph = Dag::from_edges(((k + 1) * points) as usize, &edges).unwrap();
        for tau in 1..=16 {
            let output = earliest_starts(&graph, tau)[(k * points) as usize];
            assert_eq!(output, bounds::e_strong(k + 1, tau), "k = {k}, tau = {tau}");
        }
    }
}

#[test]
fn the_closed_form_for_complete_trees_is_the_same() {
    for height in 1..=9 {
        let graph = complete_tree(height);
        for tau in 0..70 {
            let root = earliest_starts(&graph, tau)[0];
            assert_eq!(
                root,
                bounds::e_strong(height, tau),
                "h = {height}, tau = {tau}"
            );
        }
    }
}

fn graphs() -> impl Strategy<Value = Dag> {
    (2..40u32)
        .prop_flat_map(|tasks| {
            let edge = (0..tasks, 0..tasks);
            let edges = proptest::collection::vec(edge, 0..120);
            (
                Just(tasks),
                edges,
                proptest::collection::vec(0..6u32, tasks as usize),
            )
        })
        .prop_map(|(tasks, edges, weights)| {
            let forward = |&(a, b): &(u32, u32)| (a != b).then_some((a.min(b), a.max(b)));
            let edges: Vec<_> = edges.iter().filter_map(forward).collect();
            let graph = Dag::from_edges(tasks as usize, &edges).unwrap();
            graph.with_weights(weights).unwrap()
        })
}

proptest! {
    #[test]
    fn no_schedule_beats_it(graph in graphs(), processors in 1..9u32, tau in 0..30u64) {
        let machine = Machine { tau: Some(tau as f64), ..Machine::new(processors) };
        let bound = delay_bound(&graph, tau);
        prop_assert!(bound >= critical_path(&graph));
        prop_assert!(bound <= graph.total_work());
        for scheduler in [&Levels as &dyn Scheduler, &Bcsh::default()] {
            let schedule = scheduler.schedule(&graph, &machine).unwrap();
            prop_assert!(cost::makespan(&graph, &schedule, tau as f64) >= bound as f64);
        }
    }
}
