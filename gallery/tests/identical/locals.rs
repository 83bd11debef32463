// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::locals::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn ring_is_identical() {
    let mut draw = Draw::new(85);
    let input: (Vec<f64>,) = (draw.words(59),);
    verify::identical(
        &[3],
        &input,
        |(a,)| ring(59, a),
        |processors, transport, (a,)| ring::with().exactly(processors).transport(transport).run(59, a),
    );
}

#[test]
fn ring_too_is_identical() {
    let mut draw = Draw::new(86);
    let input: (Vec<bool>,) = (draw.words(48),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| ring_too(48, a),
        |processors, transport, (a,)| ring_too::with().exactly(processors).transport(transport).run(48, a),
    );
}

#[test]
fn blocks_is_identical() {
    let mut draw = Draw::new(87);
    let input: (Vec<Complex<f64>>,) = (draw.words(144),);
    verify::identical(
        &[5],
        &input,
        |(a,)| blocks(12, a),
        |processors, transport, (a,)| blocks::with().exactly(processors).transport(transport).run(12, a),
    );
}

#[test]
fn blocks_too_is_identical() {
    let mut draw = Draw::new(88);
    let input: (Vec<u64>,) = (draw.words(144),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| blocks_too(12, a),
        |processors, transport, (a,)| blocks_too::with().exactly(processors).transport(transport).run(12, a),
    );
}

#[test]
fn shadows_is_identical() {
    let mut draw = Draw::new(89);
    let b: Vec<Pair> = draw.words(25);
    let input: (Vec<Pair>,) = (draw.words(25),);
    verify::identical(
        &[1],
        &input,
        |(a,)| shadows(24, a, &b),
        |processors, transport, (a,)| shadows::with().exactly(processors).transport(transport).run(24, a, &b),
    );
}

#[test]
fn shadows_too_is_identical() {
    let mut draw = Draw::new(90);
    let b: Vec<f64> = draw.words(29);
    let input: (Vec<f64>,) = (draw.words(29),);
    verify::identical(
        &[2],
        &input,
        |(a,)| shadows_too(28, a, &b),
        |processors, transport, (a,)| shadows_too::with().exactly(processors).transport(transport).run(28, a, &b),
    );
}

#[test]
fn reused_is_identical() {
    let mut draw = Draw::new(91);
    let b: Vec<u16> = draw.words(15);
    let input: (Vec<u16>,) = (draw.words(15),);
    verify::identical(
        &[2, 5],
        &input,
        |(a,)| reused(15, a, &b),
        |processors, transport, (a,)| reused::with().exactly(processors).transport(transport).run(15, a, &b),
    );
}

#[test]
fn reused_too_is_identical() {
    let mut draw = Draw::new(92);
    let b: Vec<Complex<f64>> = draw.words(14);
    let input: (Vec<Complex<f64>>,) = (draw.words(14),);
    verify::identical(
        &[3],
        &input,
        |(a,)| reused_too(14, a, &b),
        |processors, transport, (a,)| reused_too::with().exactly(processors).transport(transport).run(14, a, &b),
    );
}

#[test]
fn scalars_is_identical() {
    let mut draw = Draw::new(93);
    let weight: f32 = draw.word();
    let input: (Vec<f32>, f32, f32,) = (draw.words(21), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, total, last,)| scalars(21, weight, a, total, last),
        |processors, transport, (a, total, last,)| scalars::with().exactly(processors).transport(transport).run(21, weight, a, total, last),
    );
}

#[test]
fn scalars_too_is_identical() {
    let mut draw = Draw::new(94);
    let weight: Pair = draw.word();
    let input: (Vec<Pair>, Pair, Pair,) = (draw.words(23), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, total, last,)| scalars_too(23, weight, a, total, last),
        |processors, transport, (a, total, last,)| scalars_too::with().exactly(processors).transport(transport).run(23, weight, a, total, last),
    );
}

#[test]
fn nested_is_identical() {
    let mut draw = Draw::new(95);
    let line: [bool; 4] = draw.word();
    let input: ([[[bool; 4]; 4]; 5], [[bool; 4]; 4],) = (draw.word(), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(cube, plane,)| nested(cube, plane, &line),
        |processors, transport, (cube, plane,)| nested::with().exactly(processors).transport(transport).run(cube, plane, &line),
    );
}

#[test]
fn nested_too_is_identical() {
    let mut draw = Draw::new(96);
    let line: [u16; 4] = draw.word();
    let input: ([[[u16; 4]; 4]; 5], [[u16; 4]; 4],) = (draw.word(), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(cube, plane,)| nested_too(cube, plane, &line),
        |processors, transport, (cube, plane,)| nested_too::with().exactly(processors).transport(transport).run(cube, plane, &line),
    );
}

#[test]
fn running_is_identical() {
    let mut draw = Draw::new(97);
    let a: Vec<u64> = draw.words(169);
    let b: Vec<u64> = draw.words(13);
    let input: (Vec<u64>, u64,) = (draw.words(13), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(sums, all,)| running(13, 13, &a, &b, sums, all),
        |processors, transport, (sums, all,)| running::with().exactly(processors).transport(transport).run(13, 13, &a, &b, sums, all),
    );
}

#[test]
fn running_too_is_identical() {
    let mut draw = Draw::new(98);
    let a: Vec<f32> = draw.words(154);
    let b: Vec<f32> = draw.words(14);
    let input: (Vec<f32>, f32,) = (draw.words(11), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(sums, all,)| running_too(11, 14, &a, &b, sums, all),
        |processors, transport, (sums, all,)| running_too::with().exactly(processors).transport(transport).run(11, 14, &a, &b, sums, all),
    );
}

#[test]
fn operands_is_identical() {
    let mut draw = Draw::new(99);
    let b: Vec<f64> = draw.words(42);
    let input: (Vec<f64>,) = (draw.words(42),);
    verify::identical(
        &[3],
        &input,
        |(a,)| operands(42, a, &b),
        |processors, transport, (a,)| operands::with().exactly(processors).transport(transport).run(42, a, &b),
    );
}

#[test]
fn operands_too_is_identical() {
    let mut draw = Draw::new(100);
    let b: Vec<bool> = draw.words(48);
    let input: (Vec<bool>,) = (draw.words(48),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| operands_too(48, a, &b),
        |processors, transport, (a,)| operands_too::with().exactly(processors).transport(transport).run(48, a, &b),
    );
}

#[test]
fn helper_is_identical() {
    let mut draw = Draw::new(101);
    let input: (Vec<Complex<f64>>,) = (draw.words(53),);
    verify::identical(
        &[5],
        &input,
        |(a,)| helper(53, a),
        |processors, transport, (a,)| helper::with().exactly(processors).transport(transport).run(53, a),
    );
}

#[test]
fn helper_too_is_identical() {
    let mut draw = Draw::new(102);
    let input: (Vec<u64>,) = (draw.words(40),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| helper_too(40, a),
        |processors, transport, (a,)| helper_too::with().exactly(processors).transport(transport).run(40, a),
    );
}
