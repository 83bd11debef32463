//! Loops marked `#[reduce]` against their programs, and against the tree that the documentation
//! promises.

mod same;

use same::{same, words};
use superstep_language::reductions::*;

/// The tree of the documentation, written down once more. Blocks of 8 operands or more, at most 64,
/// from left to right each, are combined by a complete binary tree. All of it is combined with what
/// the accumulator held before.
fn tree<T: Copy>(start: T, operands: &[T], combine: impl Fn(T, T) -> T + Copy) -> T {
    let mut length = 8;
    while operands.len().div_ceil(length) > 64 {
        length *= 2;
    }
    let blocks = operands.chunks(length);
    let blocks = blocks.map(|block| block.iter().copied().reduce(combine).expect("not empty"));
    let mut level: Vec<T> = blocks.collect();
    while level.len() > 1 {
        let pairs = level.chunks(2);
        level = pairs
            .map(|pair| pair.iter().copied().reduce(combine).expect("not empty"))
            .collect();
    }
    level.first().map_or(start, |&total| combine(start, total))
}

#[test]
fn the_function_is_the_tree() {
    for n in LENGTHS.into_iter().chain(100..300) {
        let (x, y) = (words(n + 1), words(n));
        let operands: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let mut result = 0.0;
        dot(n, &x, &y, &mut result);
        let expected = tree(0.5, &operands, |a, b| a + b);
        assert_eq!(result.to_bits(), expected.to_bits(), "n = {n}");
    }
    let x = words(1000);
    let mut result = 0.0;
    dot(1000, &x, &x, &mut result);
    let in_order = x.iter().fold(0.5, |s, x| s + x * x);
    assert_ne!(result.to_bits(), in_order.to_bits(), "another order");
}

/// The last run was of a program, and more than half of its processors worked.
fn assert_many(processors: usize) {
    let ran = steps::last_run().expect("the generated program ran");
    assert_eq!(ran.processors, processors);
    assert!(2 * ran.worked > processors, "{ran:?}");
}

#[test]
fn sums_have_the_same_bits_for_every_number_of_processors() {
    let (x, y) = (words(3000), words(3000));
    let mut expected = 0.0;
    dot(3000, &x, &y, &mut expected);
    for processors in 1..=16 {
        let mut result = 0.0;
        let dot = dot::with().exactly(processors);
        dot.run(3000, &x, &y, &mut result).expect("nothing panics");
        assert_eq!(result.to_bits(), expected.to_bits(), "P = {processors}");
        assert_many(processors);
    }
}

#[test]
fn any_number_of_operands() {
    for n in LENGTHS {
        let (x, y) = (words(n + 1), words(n));
        same!(0.0, |s| dot(n, &x, &y, s));
        let n = n.max(1);
        same!(-7.0, |s| largest(n, &x, s));
    }
}

#[test]
fn words_of_arrays() {
    let a = words(576);
    same!(vec![1.0; 3], |y| distances(3, 20, &a, y));
    same!(words(24), |x| solve(24, &a, x));
    let rows: Vec<[f64; 3]> = a.chunks(3).map(|row| [row[0], row[1], row[2]]).collect();
    same!([1.0, 2.0, 3.0], |out| products(40, &rows, out));
}

#[test]
fn the_mark_changes_the_order_of_nothing_else() {
    let (l, mut x) = (words(576), words(24));
    let mut expected = x.clone();
    for i in 0..24 {
        let operands: Vec<f64> = (0..i).map(|j| -l[i * 24 + j] * expected[j]).collect();
        expected[i] = tree(expected[i], &operands, |a, b| a + b) / l[i * 24 + i];
    }
    solve(24, &l, &mut x);
    assert_eq!(x, expected);
}

#[test]
fn integers_and_flags() {
    let x: Vec<u32> = (0..70).map(|i| i * 77 + 5).collect();
    same!((1, true), |s| flags(70, &[7; 70], &x, &mut s.0, &mut s.1));
    let (mut bits, mut all) = (1, true);
    flags(70, &[7; 70], &x, &mut bits, &mut all);
    let expected = x.iter().fold(1, |a, b| a ^ b) + x[0];
    assert_eq!((bits, all), (expected, true));
}

#[test]
fn operations_that_are_only_associative_give_the_sequential_result() {
    let matrices: Vec<Matrix> = (0..600)
        .map(|i| Matrix([[i, i * i + 1], [3, 7 * i + 2]]))
        .collect();
    let mut result = Matrix([[1, 2], [3, 4]]);
    let expected = matrices.iter().fold(result, |a, &b| a * b);
    let start = result;
    product(600, &matrices, &mut result);
    assert_eq!(result, expected);
    for processors in 1..=16 {
        let mut result = start;
        let product = product::with().exactly(processors);
        product
            .run(600, &matrices, &mut result)
            .expect("nothing panics");
        assert_eq!(result, expected, "P = {processors}");
        assert_many(processors);
    }

    let letters: Vec<u8> = (0..201).collect();
    let mut result = letter(255);
    let expected = letters
        .iter()
        .fold(result, |a, &b| concatenate(a, letter(b)));
    let start = result;
    text(&letters, &mut result);
    assert_eq!(result, expected);
    for processors in 1..=16 {
        let mut result = start;
        let text = text::with().exactly(processors);
        text.run(&letters, &mut result).expect("nothing panics");
        assert_eq!(result, expected, "P = {processors}");
        assert_many(processors);
    }
}

#[test]
fn ranges_have_the_length_that_they_say() {
    same!([0; 3], |counts| count(42, counts));
    let mut counts = [0; 3];
    count(42, &mut counts);
    assert_eq!(counts, [84, 7, (2..=9).sum()]);
}

#[test]
fn names_of_the_tree() {
    let x = words(20);
    same!(1.0, |s| names(20, &x, &x, s));
}

#[test]
#[should_panic(expected = "assertion failed")]
fn an_operand_that_is_the_accumulator_ends_the_function() {
    overlap(10, &mut words(10));
}
