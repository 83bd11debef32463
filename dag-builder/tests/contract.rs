//! Promises of contraction.

mod common;

use common::{groups, traces};
use proptest::prelude::*;
use superstep_dag::{Contraction, Dag};
use superstep_dag_builder::contract::{ANY, contract};
use superstep_graphs::Statistics;
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Recorder, Role, Trace, record};

/// Checks that groups hold every task once, joined by values that only the next member reads, and
/// that the quotient's edges are the graph's.
fn assert_sound(trace: &Trace, graph: &Dag, contraction: &Contraction) {
    let quotient = contraction.graph();
    assert!(quotient.ids_are_topological());
    assert_eq!(quotient.total_work(), graph.total_work());
    let mut seen = vec![false; trace.tasks()];
    for group in 0..quotient.tasks() as u32 {
        let members = contraction.members(group);
        let (last, joined) = members.split_last().expect("no group is empty");
        assert!(members.windows(2).all(|w| w[0] < w[1]));
        for &task in members {
            assert!(!std::mem::replace(&mut seen[task as usize], true));
            assert_eq!(contraction.groups()[task as usize], group);
        }
        for &task in joined {
            let target = trace.written(task).array;
            assert_eq!(trace.kernel().array(target).role, Role::Local);
            let [reader] = graph.successors(task) else {
                panic!("one reader")
            };
            assert!(members.contains(reader));
        }
        let work: u32 = members.iter().map(|&t| graph.weight(t)).sum();
        assert_eq!(quotient.weight(group), work);
        assert_eq!(quotient.words(group), graph.words(*last));
    }
    assert!(seen.into_iter().all(|s| s));
    let groups = contraction.groups();
    let mut edges: Vec<(u32, u32)> = graph
        .edge_list()
        .map(|(u, v)| (groups[u as usize], groups[v as usize]))
        .filter(|(a, b)| a != b)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    assert!(quotient.edge_list().eq(edges));
}

proptest! {
    #[test]
    fn groups_are_sound_and_the_critical_path_keeps_its_bound(
        trace in traces(150),
        work in prop::collection::vec(1..9_u32, 5),
        processors in prop_oneof![Just(ANY), 1..9_u32],
    ) {
        let graph = superstep_dag_builder::from_weighted_trace(&trace, &work).unwrap();
        let contraction = groups(&trace, &graph, processors);
        assert_sound(&trace, &graph, &contraction);
        let (before, after) = (Statistics::of(&graph), Statistics::of(contraction.graph()));
        let share = before.total_work / (8 * u64::from(processors));
        prop_assert!(after.critical_path <= before.critical_path.max(share));
        if processors == ANY {
            prop_assert_eq!(after.critical_path, before.critical_path);
        }
    }

    #[test]
    fn a_temporary_that_its_reader_waits_for_alone_always_joins(trace in traces(150)) {
        let graph = superstep_dag_builder::from_trace(&trace);
        let contraction = groups(&trace, &graph, ANY);
        for (u, v) in graph.edge_list() {
            let local = trace.kernel().array(trace.written(u).array).role == Role::Local;
            if local && graph.successors(u) == [v] && graph.predecessors(v) == [u] {
                prop_assert_eq!(contraction.groups()[u as usize], contraction.groups()[v as usize]);
            }
        }
    }
}

fn traced(kernel: Kernel, run: impl FnOnce(&mut Recorder)) -> (Trace, Dag) {
    let trace = record(kernel, DEFAULT_LIMIT, run).unwrap();
    let graph = superstep_dag_builder::from_trace(&trace);
    (trace, graph)
}

/// Traces `for i in 0..rows { for j in 0..columns { let t = a[i][j] * b[j]; y[i] += t; } }`.
fn products(rows: usize, columns: usize) -> (Trace, Dag) {
    let mut kernel = Kernel::new("products");
    let a = kernel.add_array("a", Role::Input, None);
    let b = kernel.add_array("b", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let t = kernel.add_array("t", Role::Local, Some(1));
    let multiply = kernel.add_statement("t = a[i][j] * b[j]", t, &[a, b]);
    let add = kernel.add_statement("y[i] += t", y, &[y, t]);
    traced(kernel, |recorder| {
        for i in 0..rows {
            for j in 0..columns {
                recorder.task(multiply, t, 0, [(a, i * columns + j), (b, j)]);
                recorder.task(add, y, i, [(y, i), (t, 0)]);
            }
        }
    })
}

#[test]
fn products_join_their_sums_only_where_processors_are_scarce() {
    let (trace, graph) = products(200, 10);
    // Alone, the products of a row can all run at once: joined, they double its critical path.
    let unlimited = groups(&trace, &graph, ANY);
    assert_eq!(Statistics::of(unlimited.graph()).critical_path, 11);
    assert_eq!(unlimited.graph().tasks(), 4000 - 200);
    // On two processors a row of 20 is short.
    let scarce = groups(&trace, &graph, 2);
    assert_eq!(scarce.graph().tasks(), 2000);
    assert_eq!(Statistics::of(scarce.graph()).critical_path, 20);
}

#[test]
fn a_row_that_waits_for_other_rows_is_not_made_to_wait_longer() {
    // Forward substitution, dense: s = b[i]; for j < i { s -= l[i][j] * x[j] }; x[i] = s.
    let n = 24;
    let mut kernel = Kernel::new("forward");
    let b = kernel.add_array("b", Role::Input, None);
    let l = kernel.add_array("l", Role::Input, None);
    let x = kernel.add_array("x", Role::InOut, None);
    let s = kernel.add_array("s", Role::Local, Some(1));
    let start = kernel.add_statement("s = b[i]", s, &[b]);
    let subtract = kernel.add_statement("s -= l[i][j] * x[j]", s, &[s, l, x]);
    let store = kernel.add_statement("x[i] = s", x, &[s]);
    let (trace, graph) = traced(kernel, |recorder| {
        for i in 0..n {
            recorder.task(start, s, 0, [(b, i)]);
            for j in 0..i {
                recorder.task(subtract, s, 0, [(s, 0), (l, i * n + j), (x, j)]);
            }
            recorder.task(store, x, i, [(s, 0)]);
        }
    });
    let rows = groups(&trace, &graph, ANY);
    let (before, after) = (Statistics::of(&graph), Statistics::of(rows.graph()));
    assert_eq!(before.critical_path, after.critical_path);
    assert!(after.tasks > n as u64, "rows stay divided");
    assert!(after.tasks < before.tasks);
}

#[test]
fn values_with_several_readers_and_results_stay_apart() {
    let fft = superstep_graphs::generate::fft_trace(64).unwrap();
    let graph = superstep_dag_builder::from_trace(&fft);
    assert_eq!(contract(&fft, &graph, 1), None);
    let lu = superstep_graphs::generate::lu_trace(16).unwrap();
    let graph = superstep_dag_builder::from_trace(&lu);
    assert_eq!(contract(&lu, &graph, 1), None);
}
