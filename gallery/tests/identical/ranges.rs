// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::ranges::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn downwards_is_identical() {
    let mut draw = Draw::new(52);
    let b: Vec<u64> = draw.words(44);
    let input: (Vec<u64>,) = (draw.words(44),);
    verify::identical(
        &[5],
        &input,
        |(a,)| downwards(44, a, &b),
        |processors, transport, (a,)| downwards::with().exactly(processors).transport(transport).run(44, a, &b),
    );
}

#[test]
fn downwards_too_is_identical() {
    let mut draw = Draw::new(53);
    let b: Vec<i32> = draw.words(48);
    let input: (Vec<i32>,) = (draw.words(48),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| downwards_too(48, a, &b),
        |processors, transport, (a,)| downwards_too::with().exactly(processors).transport(transport).run(48, a, &b),
    );
}

#[test]
fn narrow_is_identical() {
    let mut draw = Draw::new(54);
    let b: Vec<usize> = draw.words(128);
    let input: (Vec<usize>,) = (draw.words(128),);
    verify::identical(
        &[1],
        &input,
        |(a,)| narrow(33, 3, a, &b),
        |processors, transport, (a,)| narrow::with().exactly(processors).transport(transport).run(33, 3, a, &b),
    );
}

#[test]
fn narrow_too_is_identical() {
    let mut draw = Draw::new(55);
    let b: Vec<Complex<f64>> = draw.words(128);
    let input: (Vec<Complex<f64>>,) = (draw.words(128),);
    verify::identical(
        &[2],
        &input,
        |(a,)| narrow_too(29, 4, a, &b),
        |processors, transport, (a,)| narrow_too::with().exactly(processors).transport(transport).run(29, 4, a, &b),
    );
}

#[test]
fn spiral_is_identical() {
    let mut draw = Draw::new(56);
    let b: Vec<f32> = draw.words(7);
    let input: (Vec<f32>,) = (draw.words(49),);
    verify::identical(
        &[2, 5],
        &input,
        |(a,)| spiral(7, a, &b),
        |processors, transport, (a,)| spiral::with().exactly(processors).transport(transport).run(7, a, &b),
    );
}

#[test]
fn spiral_too_is_identical() {
    let mut draw = Draw::new(57);
    let b: Vec<u32> = draw.words(7);
    let input: (Vec<u32>,) = (draw.words(81),);
    verify::identical(
        &[3],
        &input,
        |(a,)| spiral_too(9, a, &b),
        |processors, transport, (a,)| spiral_too::with().exactly(processors).transport(transport).run(9, a, &b),
    );
}

#[test]
fn gray_is_identical() {
    let mut draw = Draw::new(58);
    let input: (Vec<i64>,) = (draw.words(64),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| gray(5, a),
        |processors, transport, (a,)| gray::with().exactly(processors).transport(transport).run(5, a),
    );
}

#[test]
fn gray_too_is_identical() {
    let mut draw = Draw::new(59);
    let input: (Vec<u64>,) = (draw.words(64),);
    verify::identical(
        &[5],
        &input,
        |(a,)| gray_too(4, a),
        |processors, transport, (a,)| gray_too::with().exactly(processors).transport(transport).run(4, a),
    );
}

#[test]
fn windows_is_identical() {
    let mut draw = Draw::new(60);
    let b: Vec<Pair> = draw.words(36);
    let input: (Vec<Pair>,) = (draw.words(36),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| windows(36, 5, a, &b),
        |processors, transport, (a,)| windows::with().exactly(processors).transport(transport).run(36, 5, a, &b),
    );
}

#[test]
fn windows_too_is_identical() {
    let mut draw = Draw::new(61);
    let b: Vec<usize> = draw.words(37);
    let input: (Vec<usize>,) = (draw.words(37),);
    verify::identical(
        &[1],
        &input,
        |(a,)| windows_too(37, 4, a, &b),
        |processors, transport, (a,)| windows_too::with().exactly(processors).transport(transport).run(37, 4, a, &b),
    );
}

#[test]
fn tiles_is_identical() {
    let mut draw = Draw::new(62);
    let b: Vec<i16> = draw.words(225);
    let input: (Vec<i16>,) = (draw.words(225),);
    verify::identical(
        &[2],
        &input,
        |(a,)| tiles(15, 5, a, &b),
        |processors, transport, (a,)| tiles::with().exactly(processors).transport(transport).run(15, 5, a, &b),
    );
}

#[test]
fn tiles_too_is_identical() {
    let mut draw = Draw::new(63);
    let b: Vec<f32> = draw.words(121);
    let input: (Vec<f32>,) = (draw.words(121),);
    verify::identical(
        &[2, 5],
        &input,
        |(a,)| tiles_too(11, 5, a, &b),
        |processors, transport, (a,)| tiles_too::with().exactly(processors).transport(transport).run(11, 5, a, &b),
    );
}

#[test]
fn forever_is_identical() {
    let mut draw = Draw::new(64);
    let b: Vec<f64> = draw.words(33);
    let input: (Vec<f64>,) = (draw.words(33),);
    verify::identical(
        &[3],
        &input,
        |(a,)| forever(33, a, &b),
        |processors, transport, (a,)| forever::with().exactly(processors).transport(transport).run(33, a, &b),
    );
}

#[test]
fn forever_too_is_identical() {
    let mut draw = Draw::new(65);
    let b: Vec<i64> = draw.words(23);
    let input: (Vec<i64>,) = (draw.words(23),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| forever_too(23, a, &b),
        |processors, transport, (a,)| forever_too::with().exactly(processors).transport(transport).run(23, a, &b),
    );
}

#[test]
fn measured_is_identical() {
    let mut draw = Draw::new(66);
    let b: Vec<u8> = draw.words(12);
    let input: (Vec<u8>,) = (draw.words(37),);
    verify::identical(
        &[5],
        &input,
        |(a,)| measured(2, &b, a),
        |processors, transport, (a,)| measured::with().exactly(processors).transport(transport).run(2, &b, a),
    );
}

#[test]
fn measured_too_is_identical() {
    let mut draw = Draw::new(67);
    let b: Vec<Pair> = draw.words(9);
    let input: (Vec<Pair>,) = (draw.words(28),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| measured_too(2, &b, a),
        |processors, transport, (a,)| measured_too::with().exactly(processors).transport(transport).run(2, &b, a),
    );
}
