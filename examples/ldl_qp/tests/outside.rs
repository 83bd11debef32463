//! The program prints that all bits are the same, and says what is wrong with its arguments.

use std::path::Path;

use superstep_example_matrices::program::{assert_refuses, assert_tables, output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_superstep-example-ldl-qp");

#[test]
fn each_program_has_a_table() {
    let headings = [
        "flow on 5^2 nodes: 40 variables, 65 constraints, ",
        "flow on 8^2 nodes: 112 variables, 176 constraints, ",
    ];
    assert_tables(PROGRAM, &["5", "8"], &headings);
}

#[test]
fn wrong_arguments_are_refused() {
    assert_refuses(PROGRAM);
}

/// The pattern of `liswet1` in small.
#[test]
fn a_chain_stays_sequential_and_the_reason_is_told() {
    let (variables, constraints) = (300, 298);
    let mut entries: Vec<[usize; 2]> = (1..=variables).map(|at| [at, at]).collect();
    for row in 1..=constraints {
        entries.extend([0, 1, 2].map(|step| [variables + row, row + step]));
    }
    entries.extend((1..=variables).map(|at| [variables + constraints + at, at]));
    let (lines, count) = (2 * variables + constraints, entries.len());
    let head = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let entries: String = entries.iter().map(|[i, j]| format!("{i} {j}\n")).collect();
    let text = format!("{head}{lines} {lines} {count}\n{entries}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chain.mtx");
    std::fs::write(&path, text).unwrap();
    let text = output(PROGRAM, &[path.to_str().unwrap()]);
    let refactor = text
        .lines()
        .find(|line| line.starts_with("refactor "))
        .unwrap();
    assert!(
        refactor.contains("never  sequential: one long chain: parallelism 1."),
        "{refactor}"
    );
}
