//! Kernels that call kernels against their programs.

mod same;

use same::{on_all, same, words};
use superstep_language::calls::*;

#[test]
fn a_product_by_blocks() {
    let (a, b) = (words(144), words(288)[144..].to_vec());
    on_all!(words(144), |c| blocks(12, 3, &a, &b, c));
}

#[test]
fn a_factorisation_by_tiles() {
    let (tiles, block) = (8, 4);
    let mut a = words(36 * 16);
    for i in 0..tiles {
        let diagonal = tile(i, i, block);
        (0..block).for_each(|k| a[diagonal + k * block + k] += 40.0);
    }
    on_all!(a.clone(), |a| cholesky(tiles, block, a));
}

#[test]
fn locals_that_borrow() {
    same!((words(40), [[0.5; 4]; 3], 1.5), |s| borrows(
        5, &mut s.0, &mut s.1, &mut s.2
    ));
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

#[test]
fn kernels_of_another_file() {
    let mut a = words(2 * 144);
    (0..24).for_each(|i| a[i * 12 + i % 12] += 40.0);
    same!((a.clone(), 1.0), |s| elsewhere(12, &mut s.0, &mut s.1));
}

#[test]
fn constants_by_value_and_nested_arrays() {
    same!(([[0.7; 4]; 3], [5; 4]), |s| constants(
        &mut s.0, &mut s.1, &AT
    ));
}

#[test]
fn control_that_comes_back() {
    same!(words(30), |x| controlled(6, x));
}
