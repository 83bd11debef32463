//! petgraph's algorithms run on task graphs.

mod common;

use common::graphs;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::{is_cyclic_directed, tarjan_scc, toposort};
use petgraph::visit::{
    EdgeCount, EdgeRef, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNodeReferences,
    NodeCount, Reversed, Topo, Walker,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn toposort_agrees_that_graphs_are_acyclic(graph in graphs(40)) {
        prop_assert!(!is_cyclic_directed(&graph));
        prop_assert_eq!(tarjan_scc(&graph).len(), graph.tasks());
        let order = toposort(&graph, None).unwrap();
        let mut place = vec![0; graph.tasks()];
        order.iter().enumerate().for_each(|(position, &task)| place[task as usize] = position);
        prop_assert!(graph.edge_list().all(|(u, v)| place[u as usize] < place[v as usize]));
        prop_assert_eq!(Topo::new(Reversed(&graph)).iter(Reversed(&graph)).count(), graph.tasks());
    }

    #[test]
    fn every_view_has_the_same_edges(graph in graphs(40)) {
        let listed: Vec<(u32, u32)> = graph.edge_list().collect();
        let ends = |e: (u32, u32, &())| (e.source(), e.target());
        prop_assert_eq!(graph.edge_references().map(ends).collect::<Vec<_>>(), listed.clone());
        prop_assert_eq!(graph.node_count(), graph.tasks());
        prop_assert_eq!(graph.edge_count(), graph.edges());
        let (mut out, mut into) = (Vec::new(), Vec::new());
        for (task, &weight) in graph.node_references() {
            prop_assert_eq!(weight, graph.weight(task));
            prop_assert!(IntoEdges::edges(&graph, task).eq(graph.edges_directed(task, Outgoing)));
            out.extend(IntoEdges::edges(&graph, task).map(ends));
            into.extend(graph.edges_directed(task, Incoming).map(ends));
        }
        into.sort_unstable();
        prop_assert_eq!(out, listed.clone());
        prop_assert_eq!(into, listed);
    }
}
