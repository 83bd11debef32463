//! Texts about schedules, layers and communication for people.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Schedule, communication};
use superstep_search::Bcsh;

#[test]
fn a_schedule_is_one_line_or_a_table() {
    let schedule = Schedule::from_lists(2, [[vec![0, 1], vec![2]], [vec![], vec![3]]]);
    assert_eq!(
        schedule.to_string(),
        "2 supersteps on 2 processors, 4 task instances"
    );
    assert_eq!(
        format!("{schedule:#}"),
        "2 supersteps on 2 processors, 4 task instances\n     0:        2        1\n     1:        0        1"
    );
    let single = Schedule::from_lists(1, [[[0]]]);
    assert_eq!(
        single.to_string(),
        "1 superstep on 1 processor, 1 task instance"
    );
}

#[test]
fn communication_is_one_line() {
    let graph = Dag::from_edges(4, &[(0, 2), (1, 2), (1, 3)]).unwrap();
    let schedule = Schedule::from_lists(2, [[vec![0, 1], vec![]], [vec![3], vec![2]]]);
    let checked = CheckedSchedule::new(&graph, schedule).unwrap();
    assert_eq!(
        communication(&checked).to_string(),
        "2 transfers in 1 message at 1 boundary"
    );
}

#[test]
fn a_layer_is_one_line() {
    let graph = Dag::from_edges(5, &[(0, 3), (1, 3), (1, 4), (2, 4)]).unwrap();
    let machine = Machine {
        tau: Some(2.0),
        ..Machine::new(2)
    };
    let (_, layers) = Bcsh::default().layers(&graph, &machine).unwrap();
    let lines: Vec<String> = layers.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["levels 1 to 2: 2 groups of 6 in all, 3 at most on 2 processors"]
    );
}
