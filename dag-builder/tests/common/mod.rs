//! Random graphs and traces.
#![allow(dead_code, reason = "each test file uses a part")]

use proptest::prelude::*;
use superstep_dag::{Contraction, Dag};
use superstep_dag_builder::contract;
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, Trace, record};

/// Makes a number of tasks and edges along a random order of them, some of them twice.
pub(crate) fn acyclic(most: usize) -> impl Strategy<Value = (usize, Vec<(u32, u32)>)> {
    (1..=most).prop_flat_map(|tasks| {
        let order = Just((0..tasks as u32).collect::<Vec<_>>()).prop_shuffle();
        let pairs = prop::collection::vec((0..tasks, 0..tasks), 0..3 * tasks);
        (order, pairs).prop_map(move |(order, pairs)| {
            let forward = |(a, b): (usize, usize)| (order[a.min(b)], order[a.max(b)]);
            (
                tasks,
                pairs
                    .into_iter()
                    .filter(|(a, b)| a != b)
                    .map(forward)
                    .collect(),
            )
        })
    })
}

/// Makes a random graph with random weights and words.
pub(crate) fn graphs(most: usize) -> impl Strategy<Value = Dag> {
    acyclic(most).prop_flat_map(|(tasks, edges)| {
        let numbers = || prop::collection::vec(prop_oneof![Just(1), 0..20_u32], tasks);
        (numbers(), numbers()).prop_map(move |(weights, words)| {
            let graph = Dag::from_edges(tasks, &edges).unwrap();
            graph
                .with_weights(weights)
                .unwrap()
                .with_words(words)
                .unwrap()
        })
    })
}

/// Makes a random run over few words, so that values are overwritten while others still need them.
/// Five statements with 0 to 4 operands are on an `InOut` array, an input, and two local arrays.
pub(crate) fn traces(most: usize) -> impl Strategy<Value = Trace> {
    let task = (0..5_usize, 0..6_usize, prop::collection::vec(0..6_usize, 4));
    prop::collection::vec((task, Just(Mark::None)), 0..most).prop_map(|tasks| recorded(&tasks))
}

/// Makes a random run as [`traces`] does, with random grains.
pub(crate) fn traces_with_grains(most: usize) -> impl Strategy<Value = Trace> {
    let task = (0..5_usize, 0..6_usize, prop::collection::vec(0..6_usize, 4));
    let mark = prop_oneof![6 => Just(Mark::None), 2 => Just(Mark::Begin), 1 => Just(Mark::End)];
    prop::collection::vec((task, mark), 0..most).prop_map(|tasks| recorded(&tasks))
}

/// Mark that comes before a task.
#[derive(Clone, Copy, Debug)]
enum Mark {
    None,
    Begin,
    End,
}

/// A statement, the word that it writes, and those that it reads.
type Task = (usize, usize, Vec<usize>);

fn recorded(tasks: &[(Task, Mark)]) -> Trace {
    let mut kernel = Kernel::new("random");
    let x = kernel.add_array("x", Role::InOut, None);
    let a = kernel.add_array("a", Role::Input, None);
    let s = kernel.add_array("s", Role::Local, Some(6));
    let t = kernel.add_array("t", Role::Local, Some(6));
    kernel.add_statement("x[i] += s[j] * t[k] * s[l]", x, &[x, s, t, s]);
    kernel.add_statement("s[i] = a[j]", s, &[a]);
    kernel.add_statement("s[i] = s[j] + t[k]", s, &[s, t]);
    kernel.add_statement("t[i] = x[j] + s[k]", t, &[x, s]);
    kernel.add_statement("t[i] = 0.0", t, &[]);
    let run = record(kernel, DEFAULT_LIMIT, |recorder| {
        for ((statement, index, operands), mark) in tasks {
            match mark {
                Mark::None => {}
                Mark::Begin => recorder.begin_grain(),
                Mark::End => recorder.end_grain(),
            }
            let count = recorder.kernel().statements[*statement].operands.len();
            recorder.push(*statement as u16, *index, &operands[..count]);
        }
    });
    run.unwrap()
}

/// Returns the contraction of a trace's graph; where nothing is joined every task is a group.
pub(crate) fn groups(trace: &Trace, graph: &Dag, processors: u32) -> Contraction {
    contract(trace, graph, processors).unwrap_or_else(|| Contraction::identity(graph.clone()))
}
