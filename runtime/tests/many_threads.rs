//! Numbers of workers and processors that no machine has take no memory for it.

#[path = "../../fuzz/spoil.rs"]
#[allow(dead_code)]
mod spoil;

use spoil::{Counting, peak};
use superstep_runtime::error::RunError;
use superstep_runtime::farm::{self, Algorithm, Key, Policy, Target, Technique};
use superstep_runtime::reduce::{self, Tree};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts of threads that nobody has.
const MANY: [usize; 3] = [10_000_000, 1 << 40, usize::MAX];

#[test]
fn farms_take_memory_by_their_items() {
    const ITEMS: u32 = 1000;
    let rounds = |algorithm| Technique::Rounds {
        algorithm,
        tail: 0.2,
    };
    let techniques = [
        Technique::Static,
        Technique::SelfScheduling(1),
        Technique::Guided,
        Technique::Factoring,
        Technique::WeightedFactoring,
        rounds(Algorithm::Umr),
        rounds(Algorithm::Ptumr),
    ];
    for workers in MANY {
        for technique in techniques {
            for is_sampled in [false, true] {
                let farm = || {
                    let farm = farm::map((0..ITEMS).collect::<Vec<_>>(), |&item| item)
                        .workers(workers)
                        .policy(Policy::new(technique, Key::Cost));
                    match is_sampled {
                        true => farm.sample(Target::default()),
                        false => farm,
                    }
                };
                let (plan, bytes) = peak(|| farm().plan().map(|plan| plan.workers).unwrap());
                assert_eq!(plan, ITEMS as usize);
                assert!(bytes < 1 << 20, "{bytes} bytes for {technique:?}");
                let (sum, bytes) = peak(|| farm().reduce(|a, b| a + b).unwrap());
                assert_eq!(sum, Some(ITEMS * (ITEMS - 1) / 2));
                assert!(bytes < 1 << 20, "{bytes} bytes for {technique:?}");
            }
        }
    }
}

#[test]
fn programs_for_more_processors_than_any_team_has_are_an_error() {
    for processors in MANY {
        let (outcome, bytes) = peak(|| reduce::run(processors, |member| member.processor()));
        let error = outcome.unwrap_err();
        assert!(
            matches!(&error, RunError::Threads { processors: found, .. } if *found == processors)
        );
        assert!(bytes < 1 << 16, "{bytes} bytes");
    }
}

/// To try each number of processors for so many operands would take hours.
#[test]
fn trees_of_reductions_look_at_few_numbers_of_processors() {
    const OPERANDS: usize = 1 << 30;
    for processors in MANY {
        for tree in [Tree::fixed, Tree::free] {
            let (tree, bytes) = peak(|| tree(OPERANDS, processors));
            assert_eq!((tree.operands(), tree.processors()), (OPERANDS, processors));
            assert!(
                bytes < 64 * tree.active() + 1024,
                "{bytes} bytes for {tree}"
            );
        }
    }
}
