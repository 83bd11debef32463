//! Moves of groups between processors.

use superstep_dag::Dag;
use superstep_machine::Machine;

use super::*;

/// Chains of two tasks, each of which ends on another processor than it began: two on either
/// processor.
#[test]
fn groups_change_places_where_neither_may_go_alone() {
    let edges = [(0, 4), (1, 5), (2, 6), (3, 7)];
    let graph = Dag::from_edges(8, &edges).expect("chains have no cycle");
    let graph = graph.with_weights(vec![9; 8]).expect("each has one");
    let mut assignment = Assignment::new(&graph, 2, 2);
    for (task, processor) in (0..8).zip([0, 0, 1, 1, 1, 1, 0, 0]) {
        assignment.place(task, processor, task / 4);
    }
    let energy = Energy::of_cost(&Machine::new(2));
    let limit = Limit {
        energy: &energy,
        most: 0.0,
    };
    let before = energy.of(assignment.cost());
    let (mut random, mut journal) = (SplitMix64::new(0), Journal::default());
    for _ in 0..100 {
        let mut mover = Mover {
            assignment: &mut assignment,
            journal: &mut journal,
        };
        mover.relocate(&mut random, &limit, (4, 1));
        let is_valid = assignment.unserved == 0;
        if is_valid && energy.of(assignment.cost()) < before {
            break;
        }
        journal.revert(&mut assignment);
    }
    assert_eq!(assignment.holders(4), 1 << 0);
    assert_eq!([0, 1].map(|p| assignment.tasks(1, p).len()), [2, 2]);
}
