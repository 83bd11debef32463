//! Broken schedules of each kind are refused, each for the right reason; mutants of good schedules
//! too.

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckError, CheckedSchedule, Schedule, check};
use superstep_scheduler::{Levels, Scheduler, Serial};

/// Returns the graph 0 -> 1 -> 3, 0 -> 2 -> 3.
fn diamond() -> Dag {
    Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]).unwrap()
}

fn verdict<const P: usize, const S: usize>(supersteps: [[&[u32]; P]; S]) -> Result<(), CheckError> {
    let rows = supersteps.map(|row| row.map(<[u32]>::to_vec));
    check(&diamond(), &Schedule::from_lists(P as u32, rows))
}

#[test]
fn good_schedules_pass() {
    assert_eq!(verdict([[&[0, 1, 2, 3]]]), Ok(()));
    assert_eq!(verdict([[&[0, 2, 1, 3]]]), Ok(()));
    assert_eq!(verdict([[&[0], &[]], [&[1], &[2]], [&[], &[3]]]), Ok(()));
    // A copy of 0 spares the first boundary.
    assert_eq!(verdict([[&[0, 1], &[0, 2]], [&[3], &[]]]), Ok(()));
    // Copies in later supersteps, on the same processor too, and empty supersteps.
    assert_eq!(
        verdict([[&[0], &[]], [&[], &[]], [&[0, 1], &[0, 2]], [&[0, 3], &[3]]]),
        Ok(())
    );
    assert_eq!(check(&Dag::default(), &Schedule::new(3)), Ok(()));
}

#[test]
fn an_id_beyond_the_graph_is_refused() {
    assert_eq!(
        verdict([[&[0, 1], &[]], [&[2], &[4, 3]]]),
        Err(CheckError::Unknown {
            task: 4,
            tasks: 4,
            processor: 1,
            superstep: 1
        })
    );
}

#[test]
fn a_missing_task_breaks_r1() {
    assert_eq!(
        verdict([[&[0, 1, 3]]]),
        Err(CheckError::Missing { task: 2 })
    );
    assert_eq!(
        check(&diamond(), &Schedule::new(1)),
        Err(CheckError::Missing { task: 0 })
    );
}

#[test]
fn a_repeated_task_breaks_r2() {
    assert_eq!(
        verdict([[&[0, 1], &[0, 2, 0]], [&[3], &[]]]),
        Err(CheckError::Repeated {
            task: 0,
            processor: 1,
            superstep: 0
        })
    );
}

#[test]
fn the_wrong_order_in_a_list_breaks_r3() {
    assert_eq!(
        verdict([[&[0, 1, 3, 2]]]),
        Err(CheckError::Order {
            task: 3,
            predecessor: 2,
            processor: 0,
            superstep: 0
        })
    );
}

#[test]
fn a_predecessor_in_a_later_superstep_breaks_r3() {
    assert_eq!(
        verdict([[&[0, 1], &[]], [&[3], &[]], [&[], &[2]]]),
        Err(CheckError::TooLate {
            task: 3,
            predecessor: 2,
            processor: 0,
            superstep: 1,
            computed: 2
        })
    );
}

#[test]
fn communication_inside_a_superstep_breaks_p1() {
    assert_eq!(
        verdict([[&[0, 1], &[]], [&[3], &[2]]]),
        Err(CheckError::Communication {
            task: 3,
            predecessor: 2,
            processor: 0,
            superstep: 1
        })
    );
    // A copy of the predecessor elsewhere in the superstep does not help, nor does one later in the
    // list's superstep.
    assert_eq!(
        verdict([[&[0], &[2]], [&[1, 2, 3], &[]]]),
        Err(CheckError::Communication {
            task: 2,
            predecessor: 0,
            processor: 1,
            superstep: 0
        })
    );
}

/// Lists by superstep and processor.
type Lists = Vec<Vec<Vec<u32>>>;

/// Returns the lists of a schedule, to be broken.
fn lists(schedule: &Schedule) -> Lists {
    (0..schedule.supersteps())
        .map(|s| schedule.superstep(s).map(<[u32]>::to_vec).collect())
        .collect()
}

#[test]
fn no_task_of_a_schedule_by_levels_can_be_dropped_doubled_or_moved_down() {
    let graph = generate::lu(6).unwrap();
    let machine = Machine::new(3);
    let good = Levels.schedule(&graph, &machine).unwrap();
    let mutate = |change: &dyn Fn(&mut Lists)| {
        let mut rows = lists(&good);
        change(&mut rows);
        check(&graph, &Schedule::from_lists(3, rows))
    };
    assert_eq!(mutate(&|_| ()), Ok(()));
    for superstep in 0..good.supersteps() {
        for processor in 0..3 {
            for (at, &task) in good.tasks(superstep, processor).iter().enumerate() {
                let dropped = mutate(&|rows| {
                    rows[superstep][processor].remove(at);
                });
                assert_eq!(dropped, Err(CheckError::Missing { task }));
                let doubled = mutate(&|rows| rows[superstep][processor].push(task));
                let place = (processor as u32, superstep as u32);
                assert_eq!(
                    doubled,
                    Err(CheckError::Repeated {
                        task,
                        processor: place.0,
                        superstep: place.1
                    })
                );
                // Every task of a level but those of the last has a successor one level down.
                if superstep + 1 < good.supersteps() {
                    let other = (processor + 1) % 3;
                    let moved = mutate(&|rows| {
                        rows[superstep][processor].remove(at);
                        rows[superstep + 1][other].push(task);
                    });
                    assert!(
                        matches!(moved, Err(CheckError::Communication { predecessor, .. } | CheckError::Order { predecessor, .. }) if predecessor == task),
                        "{moved:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_two_neighbours_of_a_chain_can_be_swapped() {
    let edges: Vec<_> = (0..9).map(|task| (task, task + 1)).collect();
    let chain = Dag::from_edges(10, &edges).unwrap();
    let good = Serial.schedule(&chain, &Machine::new(1)).unwrap();
    for at in 0..9 {
        let mut rows = lists(&good);
        rows[0][0].swap(at, at + 1);
        let (task, predecessor) = (at as u32 + 1, at as u32);
        assert_eq!(
            check(&chain, &Schedule::from_lists(1, rows)),
            Err(CheckError::Order {
                task,
                predecessor,
                processor: 0,
                superstep: 0
            })
        );
    }
}

#[test]
fn only_a_valid_schedule_becomes_a_checked_one() {
    let graph = diamond();
    assert!(CheckedSchedule::new(&graph, Schedule::new(1)).is_err());
    let checked = CheckedSchedule::new(&graph, Schedule::from_lists(1, [[[0, 1, 2, 3]]])).unwrap();
    assert_eq!(checked.graph().tasks(), checked.schedule().task_instances());
}

#[test]
fn errors_name_rule_task_processor_and_superstep() {
    let messages = [
        verdict([[&[0, 1], &[]], [&[2], &[4, 3]]]),
        verdict([[&[0, 1, 3]]]),
        verdict([[&[0, 1], &[0, 2, 0]], [&[3], &[]]]),
        verdict([[&[0, 1, 3, 2]]]),
        verdict([[&[0, 1], &[]], [&[3], &[]], [&[], &[2]]]),
        verdict([[&[0, 1], &[]], [&[3], &[2]]]),
    ]
    .map(|verdict| verdict.unwrap_err().to_string());
    assert_eq!(
        messages,
        [
            "superstep 1, processor 1: there is no task 4, the graph has 4 tasks",
            "R1: task 2 is computed nowhere",
            "R2: superstep 0, processor 1 computes task 0 twice",
            "R3: superstep 0, processor 0 computes task 3 before task 2, whose value it reads",
            "R3: superstep 1, processor 0: task 3 reads the value of task 2, which no processor computes before superstep 2",
            "P1: superstep 1, processor 0: task 3 reads the value of task 2, which only other processors compute in this superstep",
        ]
    );
}
