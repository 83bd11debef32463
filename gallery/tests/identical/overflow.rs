// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::overflow::*;
use superstep_gallery::{Draw, verify};

#[test]
fn factorials_is_identical() {
    let mut draw = Draw::new(143);
    let input: (Vec<i32>,) = (draw.words(20),);
    verify::overflowing(
        &[5],
        &input,
        |(a,)| factorials(20, a),
        |processors, transport, (a,)| factorials::with().exactly(processors).transport(transport).run(20, a),
    );
}

#[test]
fn fibonacci_numbers_is_identical() {
    let mut draw = Draw::new(144);
    let input: (Vec<u8>,) = (draw.words(30),);
    verify::overflowing(
        &[2, 3],
        &input,
        |(a,)| fibonacci_numbers(30, a),
        |processors, transport, (a,)| fibonacci_numbers::with().exactly(processors).transport(transport).run(30, a),
    );
}

#[test]
fn negated_minimum_is_identical() {
    let mut draw = Draw::new(145);
    let input: (Vec<u64>,) = (draw.words(40),);
    verify::overflowing(
        &[1],
        &input,
        |(a,)| negated_minimum(40, a),
        |processors, transport, (a,)| negated_minimum::with().exactly(processors).transport(transport).run(40, a),
    );
}

#[test]
fn summed_squares_is_identical() {
    let mut draw = Draw::new(146);
    let input: (Vec<i16>, i16,) = (draw.words(64), draw.word(),);
    verify::overflowing(
        &[2],
        &input,
        |(a, sum,)| summed_squares(64, a, sum),
        |processors, transport, (a, sum,)| summed_squares::with().exactly(processors).transport(transport).run(64, a, sum),
    );
}
