//! Loops that wait for themselves run side by side.

mod support;

use superstep_compiler::pattern::Step;
use superstep_compiler::{CheckedProgram, Passes, lower};
use superstep_dag_builder::from_trace;
use superstep_machine::{Memory, Times};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_tracer::{Element, Form, Kernel, Role, Trace};
use support::{
    add_update, add_value, chosen, integers, maxima, operations, sharing, sptrsv, traced,
};

/// Makes the program of one processor.
fn serial(trace: &Trace) -> CheckedProgram {
    let all: Vec<u32> = (0..trace.tasks() as u32).collect();
    sharing(trace, &Schedule::from_lists(1, [[all]]))
}

/// Returns the longest sequence of statements of a program that its runs repeat, and the steps of
/// its components.
fn longest(program: &CheckedProgram) -> (Vec<u16>, Vec<Step>) {
    let bodies = program.signatures().iter();
    let longest = bodies.max_by_key(|signature| signature.statements.len());
    let signature = longest.expect("there are runs");
    (signature.statements.clone(), signature.steps.clone())
}

/// Traces the largest of the words to the left and above and of one for each row: `n` rows of `m`
/// words of that type.
fn largest(n: usize, m: usize, element: Element) -> Trace {
    let mut kernel = Kernel::new("largest");
    let x = kernel.add_array("x", Role::InOut, None);
    let a = kernel.add_array("a", Role::Input, None);
    for array in &mut kernel.arrays {
        array.element = element.clone();
    }
    let text = "x[at] = x[at - w - 1].max(x[at - w]).max(x[at - 1]).max(a[i])";
    kernel.add_statement_with(text, x, &[x, x, x, a], Form::Value, maxima(3));
    let w = m + 1;
    traced(kernel, |recorder| {
        for (i, at) in (1..=n).flat_map(|i| (1..=m).map(move |j| (i, i * w + j))) {
            recorder.push(0, at, &[at - w - 1, at - w, at - 1, i]);
        }
    })
}

#[test]
fn rows_of_a_table_are_filled_side_by_side() {
    let program = serial(&largest(60, 200, Element::default()));
    let (statements, steps) = longest(&program);
    assert_eq!(statements, [0; 4]);
    // The second row reads what the first has just written, and has written before, from registers.
    let second = [Step::One, Step::Behind(0), Step::One, Step::Behind(5)];
    assert_eq!(steps[5..9], second);
    assert_eq!(program.figures().runs, 60 / 4);
}

/// Integers share their registers with the places of slices.
#[test]
fn rows_of_integers_are_filled_two_at_a_time() {
    let (statements, _) = longest(&serial(&largest(60, 200, integers())));
    assert_eq!(statements, [0; 2]);
}

/// Several rows of choices wait for conditional moves, one is foreseen: where integers wait longer
/// than words take, it goes by itself.
#[test]
fn the_times_of_the_machine_decide_whether_rows_go_side_by_side() {
    let mut kernel = Kernel::new("chosen");
    let x = kernel.add_array("x", Role::InOut, None);
    let a = kernel.add_array("a", Role::Input, None);
    for array in &mut kernel.arrays {
        array.element = integers();
    }
    let text = "x[at] = if a[i] == a[j] { x[at - w - 1] + 1 } else { x[at - w].max(x[at - 1]) }";
    let longer = chosen(&[0, 1], [operations([1, 0, 0]), maxima(1)]);
    kernel.add_statement_with(text, x, &[a, a, x, x, x], Form::Value, longer);
    let (n, m) = (60, 200);
    let w = m + 1;
    let trace = traced(kernel, |recorder| {
        for (i, j) in (1..=n).flat_map(|i| (1..=m).map(move |j| (i, j))) {
            let at = i * w + j;
            recorder.push(0, at, &[i, n + j, at - w - 1, at - w, at - 1]);
        }
    });
    let all: Vec<u32> = (0..trace.tasks() as u32).collect();
    let schedule = Schedule::from_lists(1, [[all]]);
    let graph = from_trace(&trace);
    let schedule = CheckedSchedule::new(&graph, schedule).expect("it is the trace's order");
    let rows = |wait_integer| {
        let times = Times {
            wait_integer,
            ..Times::default()
        };
        let program = lower(&trace, &schedule, Memory::Shared, &times, Passes::ALL)
            .expect("a schedule of the trace");
        let program = program.check(&trace).expect("flow is respected");
        longest(&program).0.len()
    };
    assert_eq!([0.1, 10.0].map(rows), [4, 1]);
}

/// Four floating-point words have registers, and 61 rows leave one.
#[test]
fn grid_points_are_solved_for_in_four_rows_at_a_time() {
    let (statements, _) = longest(&serial(&sptrsv(61)));
    assert_eq!(statements, [0, 1, 1, 2].repeat(4));
}

/// Side by side a row would read the word above and to the right of its own before that is written.
#[test]
fn rows_that_read_ahead_in_the_row_above_stay_one_by_one() {
    let (n, m) = (20_usize, 100);
    let mut kernel = Kernel::new("ahead");
    let x = kernel.add_array("x", Role::InOut, None);
    let text = "x[at] = x[at - 1] + x[at - w + 1]";
    add_value(&mut kernel, text, x, &[x, x], [1, 0, 0]);
    let w = m + 2;
    let trace = traced(kernel, |recorder| {
        for at in (1..=n).flat_map(|i| (1..=m).map(move |j| i * w + j)) {
            recorder.push(0, at, &[at - 1, at - w + 1]);
        }
    });
    let program = serial(&trace);
    let (statements, _) = longest(&program);
    assert_eq!((statements, program.figures().runs), (vec![0], n as u64));
}

/// Side by side the second sweep would overwrite what the first still reads.
#[test]
fn sweeps_over_the_same_words_stay_one_by_one() {
    let mut kernel = Kernel::new("sweeps");
    let x = kernel.add_array("x", Role::InOut, None);
    add_update(&mut kernel, "x[i] += x[i - 1]", x, &[x, x], [1, 0, 0]);
    let trace = traced(kernel, |recorder| {
        for i in 1..400 {
            recorder.push(0, i, &[i, i - 1]);
        }
        for i in 1..400 {
            recorder.push(0, i, &[i, i - 1]);
        }
    });
    let program = serial(&trace);
    let (statements, _) = longest(&program);
    assert_eq!((statements, program.figures().runs), (vec![0], 2));
}
