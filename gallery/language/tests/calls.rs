//! Kernels that call kernels against their programs.

mod same;

use same::{same, words};
use superstep_language::calls::*;

#[test]
fn a_product_by_blocks() {
    let (a, b) = (words(144), words(288)[144..].to_vec());
    same!(words(144), |c| blocks(12, 3, &a, &b, c));
}

#[test]
fn arguments_of_every_kind() {
    let x = words(30);
    same!((words(30), 0.25), |s| mixed(6, &x, &mut s.0, &mut s.1));
}

#[test]
fn what_a_kernel_calls_is_a_kernel() {
    let x = words(30);
    same!((words(30), 0.25), |s| running(
        40, &x, 0.125, &mut s.0, &mut s.1
    ));
    same!(0.5, |s| total(&x, s));
}

#[test]
fn nested_arrays_and_calls() {
    let input = (
        words(15)
            .chunks(3)
            .map(|w| [w[0], w[1], w[2]])
            .collect::<Vec<_>>(),
        words(10)
            .chunks(2)
            .map(|w| (w[0], w[1]))
            .collect::<Vec<_>>(),
        words(15),
    );
    same!(input, |s| nested(
        5, &ROW, &NEXT, &mut s.0, &mut s.1, &mut s.2
    ));
}

#[test]
fn names_that_callers_and_callees_share() {
    same!(words(20), |x| hygiene(9, x, true));
    same!(words(20), |x| hygiene(9, x, false));
}
