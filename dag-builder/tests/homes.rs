//! Promises of homes: who has to be over before a word is overwritten.

mod common;

use common::{groups, traces};
use proptest::prelude::*;
use superstep_dag_builder::contract::ANY;
use superstep_tracer::{Address, Role, Trace};

/// Returns the pairs (before, task) by the definition: the first task after `before` that writes a
/// word which `before` read or wrote. A word of its own that `before` reads it overwrites itself.
fn by_definition(trace: &Trace) -> Vec<(u32, u32)> {
    let tasks = trace.tasks() as u32;
    let is_local = |word: Address| trace.kernel().array(word.array).role == Role::Local;
    let mut pairs = Vec::new();
    for before in 0..tasks {
        let task = trace.task(before);
        let written = trace.written(before);
        let read = (0..task.operands.len()).map(|operand| trace.read(&task, operand));
        let words = read.filter(|&word| word != written).chain([written]);
        for word in words.filter(|&word| !is_local(word)) {
            let next = (before + 1..tasks).find(|&next| trace.written(next) == word);
            pairs.extend(next.map(|next| (before, next)));
        }
    }
    pairs.retain(|&(before, next)| !trace.task(next).operands.contains(&before));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

proptest! {
    #[test]
    fn storage_dependences_are_those_of_the_definition(trace in traces(150)) {
        let homes = superstep_dag_builder::homes(&trace);
        prop_assert_eq!(homes.storage_dependences(), by_definition(&trace));
        let graph = superstep_dag_builder::from_trace(&trace).with_homes(homes.clone()).unwrap();
        let groups = groups(&trace, &graph, ANY);
        let of = |task: u32| groups.groups()[task as usize];
        let mut pairs: Vec<(u32, u32)> = (homes.storage_dependences().iter())
            .map(|&(before, task)| (of(before), of(task)))
            .filter(|(before, task)| before != task)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        prop_assert_eq!(groups.graph().homes().unwrap().storage_dependences(), pairs);
    }
}
