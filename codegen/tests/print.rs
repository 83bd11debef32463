//! The text of generated files.

#[path = "../../compiler/tests/support/mod.rs"]
mod support;

use superstep_codegen::File;
use superstep_codegen::{KeyedProgram, print};
use superstep_compiler::CheckedProgram;
use superstep_tracer::Trace;
use support::{add_update, add_value};

/// Deals rows, or whatever is eight words, to processors in turn.
fn dealt(trace: &Trace, processors: u32) -> CheckedProgram {
    let schedule = support::by_owner(trace, processors, |trace, task| {
        let written = trace.written(task);
        if trace.kernel().array(written.array).length == Some(1) {
            0
        } else {
            written.index / 8 % processors
        }
    });
    support::program(trace, &schedule)
}

fn files(trace: &Trace, programs: Vec<CheckedProgram>) -> Vec<File> {
    let keyed = |(number, program)| KeyedProgram {
        control: vec![number as u8; 1 + 100 * number],
        label: format!("n = {number}"),
        private_memory: false,
        notes: vec!["levels schedule".into()],
        program,
    };
    let programs: Vec<KeyedProgram> = programs.into_iter().enumerate().map(keyed).collect();
    print(trace.kernel(), &programs, &[], "::superstep::__private").expect("names are Rust")
}

fn text(files: &[File]) -> String {
    String::from_utf8(files[0].contents.clone()).expect("text")
}

#[test]
fn lu_as_nests() {
    let trace = support::lu(8);
    insta::assert_snapshot!(text(&files(&trace, vec![dealt(&trace, 1)])));
}

#[test]
fn fft_as_tables() {
    let trace = support::fft(64);
    insta::assert_snapshot!(text(&files(
        &trace,
        vec![dealt(&trace, 1), dealt(&trace, 2)]
    )));
}

/// Control values of several types, a sum in a variable, a recurrence, a matrix by columns.
#[test]
fn all_kinds_of_inner_loops() {
    use superstep_tracer::{Kernel, Role};
    let mut kernel = Kernel::new("kinds");
    let a = kernel.add_array("a", Role::InOut, None);
    let b = kernel.add_array("b", Role::Input, None);
    let sum = kernel.add_array("sum", Role::InOut, Some(1));
    add_update(&mut kernel, "sum += b[i]", sum, &[sum, b], [1, 0, 0]);
    let statement = "a[i] = a[i - 1] + a[i + 200]";
    add_value(&mut kernel, statement, a, &[a, a], [1, 0, 0]);
    add_update(&mut kernel, "a[8 * i] += a[5]", a, &[a, a], [1, 0, 0]);
    let controlled = kernel.add_statement("a[i] = f(i, i % 2 == 0)", a, &[]);
    kernel.statements[usize::from(controlled)].control = vec!["u8".into(), "bool".into()];
    let trace = support::traced(kernel, |recorder| {
        (0..70).for_each(|i| recorder.push(0, 0, &[0, i]));
        (1..70).for_each(|i| recorder.push(1, i, &[i - 1, i + 200]));
        (1..70).for_each(|i| recorder.push(2, 8 * i, &[8 * i, 5]));
        for i in 0..70 {
            recorder.control(i);
            recorder.control(i64::from(i % 2 == 0));
            recorder.push(3, i as usize, &[]);
        }
        for (i, value) in [(600, 300), (601, -5), (620, 7)] {
            recorder.control(value);
            recorder.control(1);
            recorder.push(3, i, &[]);
        }
    });
    insta::assert_snapshot!(text(&files(&trace, vec![dealt(&trace, 1)])));
}

/// Lines with a sum each, and lines that subtract multiples of the same words.
#[test]
fn blocks_of_lines() {
    use superstep_tracer::{Kernel, Role};
    let mut kernel = Kernel::new("blocks");
    let a = kernel.add_array("a", Role::InOut, None);
    let x = kernel.add_array("x", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let statement = "y[i] += a[i * n + j] * x[j]";
    add_update(&mut kernel, statement, y, &[y, a, x], [1, 1, 0]);
    let statement = "a[i * n + j] -= y[i] * x[j]";
    add_update(&mut kernel, statement, a, &[a, y, x], [1, 1, 0]);
    let n = 11;
    let trace = support::traced(kernel, |recorder| {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            recorder.push(0, i, &[i, i * n + j, j]);
        }
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            recorder.push(1, i * n + j, &[i * n + j, i, j]);
        }
    });
    insta::assert_snapshot!(text(&files(&trace, vec![dealt(&trace, 1)])));
}

/// Side by side they would add to it in another order.
#[test]
fn lines_that_add_to_one_word_go_one_after_the_other() {
    use superstep_tracer::{Kernel, Role};
    let mut kernel = Kernel::new("sum");
    let a = kernel.add_array("a", Role::Input, None);
    let x = kernel.add_array("x", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let statement = "y[0] += a[20 * i + j] * x[j]";
    add_update(&mut kernel, statement, y, &[y, a, x], [1, 1, 0]);
    let trace = support::traced(kernel, |recorder| {
        for (i, j) in (0..11).flat_map(|i| (0..11).map(move |j| (i, j))) {
            recorder.push(0, 0, &[0, 20 * i + j, j]);
        }
    });
    let text = text(&files(&trace, vec![dealt(&trace, 1)]));
    assert!(
        text.contains("Run::block(11") && !text.contains("side_by_side"),
        "{text}"
    );
}

#[test]
fn the_same_bytes_every_time() {
    for trace in [support::lu(24), support::fft(256), support::sptrsv(12)] {
        let once = || {
            files(
                &trace,
                vec![dealt(&trace, 1), dealt(&trace, 3), dealt(&trace, 3)],
            )
        };
        assert_eq!(once(), once());
        let names: Vec<String> = once().into_iter().map(|file| file.name).collect();
        let name = &trace.kernel().name;
        // The third program is the second again, but for its control arguments.
        let expected = ["rs", "0.plan", "1.control", "2.plan", "3.control"]
            .map(|ending| format!("{name}.{ending}"));
        assert_eq!(names, expected);
    }
}
