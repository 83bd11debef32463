//! Kernels that read near what they write against their programs, from lines without iterations on.

mod same;

use same::{same, words};
use superstep_language::near::*;

#[test]
fn words_on_both_sides() {
    for n in [5, 6, 60] {
        same!((words(n), words(n)), |s| both_sides(n, &mut s.0, &mut s.1));
    }
}

#[test]
fn lines_of_a_triangle() {
    for n in [2, 3, 40] {
        same!(words(2 * n), |x| triangle(n, x));
    }
}

#[test]
fn words_of_long_before() {
    let x: Vec<f32> = words(400).iter().map(|&x| x as f32).collect();
    same!((x.clone(), x.clone()), |s| combs(
        400, &x, &mut s.0, &mut s.1
    ));
}

#[test]
fn a_word_of_the_line_that_is_written() {
    for n in [3, 24] {
        same!(words(n * n), |d| paths(n, d));
    }
}

#[test]
fn a_sum_of_words_that_are_apart_from_it_or_not() {
    for into in [0, 1, 61, 118, 119] {
        same!(words(120), |x| gathered(40, into, x));
    }
}

#[test]
fn two_sums_in_words_that_are_one_or_the_others() {
    for (a, b) in [(0, 1), (1, 1), (0, 47), (5, 121), (121, 0)] {
        same!((words(122), words(40)), |s| sums(
            40, a, b, &mut s.0, &mut s.1
        ));
    }
}

#[test]
fn two_sums_in_words_that_are_one_in_a_line() {
    same!(words(130), |x| meeting(40, x));
}
