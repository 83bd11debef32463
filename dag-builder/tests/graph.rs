//! Graphs against naive ones, levels against the definition.

mod common;

use std::collections::BTreeSet;

use common::{acyclic, graphs, traces};
use proptest::prelude::*;
use superstep_dag::{Dag, GraphError, depths, earliest_finishes, latest_finishes, levels};
use superstep_graphs::Statistics;
use superstep_tracer::INPUT;

/// Checks everything that the type promises.
fn assert_invariants(graph: &Dag, edges: &BTreeSet<(u32, u32)>) {
    assert!(graph.edge_list().eq(edges.iter().copied()));
    assert_eq!(graph.edges(), edges.len());
    for task in 0..graph.tasks() as u32 {
        let expected: Vec<u32> = edges.iter().filter(|e| e.1 == task).map(|e| e.0).collect();
        assert_eq!(graph.predecessors(task), expected);
    }
    let mut place = vec![usize::MAX; graph.tasks()];
    for (position, task) in graph.topological().enumerate() {
        place[task as usize] = position;
    }
    assert!(
        edges
            .iter()
            .all(|&(u, v)| place[u as usize] < place[v as usize])
    );
    assert!(place.iter().all(|&p| p < graph.tasks()));
    assert!(
        graph
            .topological()
            .rev()
            .eq(graph.topological().collect::<Vec<_>>().into_iter().rev())
    );
    assert_eq!(
        graph.ids_are_topological(),
        edges.iter().all(|(u, v)| u < v)
    );
}

/// Returns the largest sum of the weights `weight` along any path from `task` on.
fn heaviest(graph: &Dag, task: u32, weight: &dyn Fn(u32) -> u64) -> u64 {
    let below = graph
        .successors(task)
        .iter()
        .map(|&v| heaviest(graph, v, weight))
        .max();
    weight(task) + below.unwrap_or(0)
}

fn heaviest_before(graph: &Dag, task: u32) -> u64 {
    let above = graph
        .predecessors(task)
        .iter()
        .map(|&u| heaviest_before(graph, u))
        .max();
    u64::from(graph.weight(task)) + above.unwrap_or(0)
}

proptest! {
    #[test]
    fn edges_in_any_order_make_the_graph((tasks, edges) in acyclic(40)) {
        let graph = Dag::from_edges(tasks, &edges).unwrap();
        assert_invariants(&graph, &edges.into_iter().collect());
    }

    #[test]
    fn a_trace_makes_the_graph_of_its_operands(trace in traces(120)) {
        let mut edges = BTreeSet::new();
        for (task, v) in trace.iter().zip(0..) {
            edges.extend(task.operands.iter().filter(|&&o| o & INPUT == 0).map(|&u| (u, v)));
        }
        assert_invariants(&superstep_dag_builder::from_trace(&trace), &edges);
    }

    #[test]
    fn an_edge_against_a_path_is_a_cycle_of_the_named_tasks(
        (tasks, mut edges) in acyclic(30),
        choice in any::<prop::sample::Index>(),
        steps in 1..10_usize,
    ) {
        prop_assume!(!edges.is_empty());
        let graph = Dag::from_edges(tasks, &edges).unwrap();
        let mut path = vec![edges[choice.index(edges.len())].0];
        while let Some(&next) = graph.successors(path[path.len() - 1]).first() {
            path.push(next);
            if path.len() > steps {
                break;
            }
        }
        edges.push((path[path.len() - 1], path[0]));
        let Err(GraphError::Cycle { tasks }) = Dag::from_edges(tasks, &edges) else {
            panic!("no cycle found");
        };
        prop_assert!(tasks.iter().collect::<BTreeSet<_>>().len() == tasks.len());
        let ends = tasks.iter().copied().zip(tasks.iter().copied().cycle().skip(1));
        for edge in ends {
            prop_assert!(edges.contains(&edge), "{:?}", edge);
        }
    }

    #[test]
    fn levels_count_the_tasks_of_a_longest_path(graph in graphs(14)) {
        let (levels, depths) = (levels(&graph), depths(&graph));
        for task in 0..graph.tasks() as u32 {
            prop_assert_eq!(u64::from(levels[task as usize]), heaviest(&graph, task, &|_| 1));
        }
        let unit = Dag::from_edges(graph.tasks(), &graph.edge_list().collect::<Vec<_>>()).unwrap();
        for task in 0..graph.tasks() as u32 {
            prop_assert_eq!(u64::from(depths[task as usize]), heaviest_before(&unit, task));
        }
    }

    #[test]
    fn times_are_sums_along_heaviest_paths(graph in graphs(14), slack in 0..5_u64) {
        let weight = |t: u32| u64::from(graph.weight(t));
        let earliest = earliest_finishes(&graph);
        let critical = earliest.iter().copied().max().unwrap();
        let latest = latest_finishes(&graph, critical + slack);
        for task in 0..graph.tasks() as u32 {
            let after = heaviest(&graph, task, &weight) - weight(task);
            prop_assert_eq!(earliest[task as usize], heaviest_before(&graph, task));
            prop_assert_eq!(latest[task as usize], critical + slack - after);
        }

        let statistics = Statistics::of(&graph);
        prop_assert_eq!(statistics.critical_path, critical);
        prop_assert_eq!(statistics.total_work, (0..graph.tasks() as u32).map(weight).sum::<u64>());
        let json = serde_json::to_string(&statistics).unwrap();
        prop_assert_eq!(serde_json::from_str::<Statistics>(&json).unwrap(), statistics);
    }
}

#[test]
fn what_is_no_task_graph_is_refused() {
    let from_edges = |tasks, edges: &[(u32, u32)]| Dag::from_edges(tasks, edges).unwrap_err();
    assert_eq!(
        from_edges(2, &[(0, 2)]),
        GraphError::Missing {
            from: 0,
            to: 2,
            tasks: 2
        }
    );
    assert_eq!(from_edges(2, &[(1, 1)]), GraphError::SelfLoop { task: 1 });
    assert_eq!(
        from_edges(1 << 31, &[]),
        GraphError::Tasks { tasks: 1 << 31 }
    );
    let pair = || Dag::from_edges(2, &[(0, 1)]).unwrap();
    assert_eq!(
        pair().with_weights(vec![1]).unwrap_err().to_string(),
        "1 weights for 2 tasks",
    );
    assert_eq!(
        pair().with_words(vec![]).unwrap_err().to_string(),
        "0 words for 2 tasks"
    );
    assert_eq!(pair().with_weights(vec![1, 1]), Ok(pair()));
}

#[test]
fn the_empty_graph_has_no_levels() {
    let empty = Dag::from_edges(0, &[]).unwrap();
    assert_eq!(empty, Dag::default());
    assert!(levels(&empty).is_empty());
    assert_eq!(Statistics::of(&empty), Statistics::default());
}

#[test]
fn statistics_read_well() {
    let lu = superstep_graphs::generate::lu(32).unwrap();
    let statistics = Statistics::of(&lu);
    insta::assert_snapshot!(statistics, @r"
tasks          10912 (31 sources, 1 sinks)
edges          30256 (at most 3 into and 31 out of a task)
total work     10912
critical path  62
parallelism    176.0
levels         62 (at most 961 tasks at once)
narrow levels  2 below 2, 4 below 4, 9 below 8, 18 below 16, 36 below 32, 38 below 64
");
    assert_eq!(statistics.lower_bound(2), 5456);
    assert_eq!(statistics.lower_bound(1000), 62);
}
