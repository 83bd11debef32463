//! The program prints that all bits are the same, and says what is wrong with its arguments.

use superstep_example_matrices::program::{assert_refuses, assert_tables};

const PROGRAM: &str = env!("CARGO_BIN_EXE_superstep-example-sparse-lu");

#[test]
fn each_network_has_a_table() {
    let headings = [
        "7-point grid 4^3: 64 nodes, 352 entries, ",
        "rajat01: 6833 nodes, 43677 entries, ",
    ];
    assert_tables(PROGRAM, &["4", "rajat01"], &headings);
}

#[test]
fn wrong_arguments_are_refused() {
    assert_refuses(PROGRAM);
}
