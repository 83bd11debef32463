//! The program prints that all bits are the same, and says what is wrong with its arguments.

use superstep_example_matrices::program::{assert_refuses, assert_tables};

const PROGRAM: &str = env!("CARGO_BIN_EXE_superstep-example-symgs");

#[test]
fn each_system_has_a_table() {
    let headings = [
        "7-point grid 4^3: 64 equations, 352 entries\n",
        "rajat01: 6833 equations, 43677 entries\n",
    ];
    assert_tables(PROGRAM, &["4", "rajat01"], &headings);
}

#[test]
fn wrong_arguments_are_refused() {
    assert_refuses(PROGRAM);
}
