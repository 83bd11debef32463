//! petgraph's algorithms agree that task graphs are acyclic.

mod common;

use common::graphs;
use petgraph::algo::{is_cyclic_directed, tarjan_scc, toposort};
use petgraph::graph::DiGraph;
use proptest::prelude::*;

proptest! {
    #[test]
    fn toposort_agrees_that_graphs_are_acyclic(graph in graphs(40)) {
        let mut same = DiGraph::<u32, ()>::new();
        for task in 0..graph.tasks() as u32 {
            same.add_node(graph.weight(task));
        }
        same.extend_with_edges(graph.edge_list());
        prop_assert!(!is_cyclic_directed(&same));
        prop_assert_eq!(tarjan_scc(&same).len(), graph.tasks());
        let order = toposort(&same, None).unwrap();
        let mut place = vec![0; graph.tasks()];
        order.iter().enumerate().for_each(|(position, task)| place[task.index()] = position);
        prop_assert!(graph.edge_list().all(|(u, v)| place[u as usize] < place[v as usize]));
    }

    #[test]
    fn every_view_has_the_same_edges(graph in graphs(40)) {
        let listed: Vec<(u32, u32)> = graph.edge_list().collect();
        prop_assert_eq!(listed.len(), graph.edges());
        let into = |task: u32| graph.predecessors(task).iter().map(move |&before| (before, task));
        let mut into: Vec<(u32, u32)> = (0..graph.tasks() as u32).flat_map(into).collect();
        into.sort_unstable();
        prop_assert_eq!(into, listed);
    }
}
