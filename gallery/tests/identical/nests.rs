// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::nests::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn nest_01_is_identical() {
    let mut draw = Draw::new(12);
    let b: Vec<i32> = draw.words(22);
    let input: (Vec<i32>, Vec<i32>, i32,) = (draw.words(481), draw.words(481), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_01(21, 10, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_01::with().exactly(processors).transport(transport).run(21, 10, a, &b, c, s),
    );
}

#[test]
fn nest_04_is_identical() {
    let mut draw = Draw::new(13);
    let b: Vec<Complex<f64>> = draw.words(17);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, [[Complex<f64>; 20]; 20], Complex<f64>,) = (draw.words(221), draw.words(419), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_04(19, 9, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_04::with().exactly(processors).transport(transport).run(19, 9, a, &b, c, grid, s),
    );
}

#[test]
fn nest_07_is_identical() {
    let mut draw = Draw::new(14);
    let b: Vec<u32> = draw.words(358);
    let input: (Vec<u32>, Vec<u32>, u32,) = (draw.words(36), draw.words(358), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_07(18, 9, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_07::with().exactly(processors).transport(transport).run(18, 9, a, &b, c, s),
    );
}

#[test]
fn nest_10_is_identical() {
    let mut draw = Draw::new(15);
    let b: Vec<u64> = draw.words(1);
    let input: (Vec<u64>, Vec<u64>, [[u64; 11]; 10], u64,) = (draw.words(118), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_10(10, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_10::with().exactly(processors).transport(transport).run(10, a, &b, c, grid, s),
    );
}

#[test]
fn nest_13_is_identical() {
    let mut draw = Draw::new(16);
    let b: Vec<usize> = draw.words(18);
    let input: (Vec<usize>, Vec<usize>, [[usize; 18]; 17], usize,) = (draw.words(341), draw.words(341), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_13(17, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_13::with().exactly(processors).transport(transport).run(17, a, &b, c, grid, s),
    );
}

#[test]
fn nest_16_is_identical() {
    let mut draw = Draw::new(17);
    let b: Vec<f32> = draw.words(20);
    let input: (Vec<f32>, Vec<f32>, [[f32; 17]; 9], f32,) = (draw.words(71), draw.words(71), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_16(7, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_16::with().exactly(processors).transport(transport).run(7, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_19_is_identical() {
    let mut draw = Draw::new(18);
    let b: Vec<i64> = draw.words(17);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(21), draw.words(20), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_19(22, 10, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_19::with().exactly(processors).transport(transport).run(22, 10, a, &b, c, s),
    );
}

#[test]
fn nest_22_is_identical() {
    let mut draw = Draw::new(19);
    let b: Vec<Pair> = draw.words(12);
    let input: (Vec<Pair>, Vec<Pair>, [[Pair; 12]; 13], Pair,) = (draw.words(12), draw.words(141), draw.word(), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, grid, s,)| nest_22(11, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_22::with().exactly(processors).transport(transport).run(11, a, &b, c, grid, s),
    );
}

#[test]
fn nest_25_is_identical() {
    let mut draw = Draw::new(20);
    let b: Vec<i16> = draw.words(46);
    let input: (Vec<i16>, Vec<i16>, i16,) = (draw.words(12), draw.words(55), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, s,)| nest_25(6, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_25::with().exactly(processors).transport(transport).run(6, a, &b, c, s),
    );
}

#[test]
fn nest_28_is_identical() {
    let mut draw = Draw::new(21);
    let b: Vec<f64> = draw.words(375);
    let input: (Vec<f64>, Vec<f64>, f64,) = (draw.words(375), draw.words(375), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_28(19, 9, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_28::with().exactly(processors).transport(transport).run(19, 9, a, &b, c, s),
    );
}

#[test]
fn nest_31_is_identical() {
    let mut draw = Draw::new(22);
    let b: Vec<u8> = draw.words(14);
    let input: (Vec<u8>, Vec<u8>, [[u8; 8]; 17], u8,) = (draw.words(222), draw.words(239), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_31(14, 7, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_31::with().exactly(processors).transport(transport).run(14, 7, a, &b, c, grid, s),
    );
}

#[test]
fn nest_34_is_identical() {
    let mut draw = Draw::new(23);
    let b: Vec<bool> = draw.words(89);
    let input: (Vec<bool>, Vec<bool>, [[bool; 17]; 17], bool,) = (draw.words(79), draw.words(99), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_34(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_34::with().exactly(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
    );
}
