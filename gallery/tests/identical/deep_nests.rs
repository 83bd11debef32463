// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::deep_nests::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn nest_02_is_identical() {
    let mut draw = Draw::new(24);
    let b: Vec<f32> = draw.words(33);
    let input: (Vec<f32>, Vec<f32>, f32,) = (draw.words(33), draw.words(33), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, s,)| nest_02(5, 4, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_02::with().exactly(processors).transport(transport).run(5, 4, a, &b, c, s),
    );
}

#[test]
fn nest_05_is_identical() {
    let mut draw = Draw::new(25);
    let b: Vec<i64> = draw.words(14);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(52), draw.words(70), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_05(7, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_05::with().exactly(processors).transport(transport).run(7, 5, a, &b, c, s),
    );
}

#[test]
fn nest_08_is_identical() {
    let mut draw = Draw::new(26);
    let b: Vec<Pair> = draw.words(17);
    let input: (Vec<Pair>, Vec<Pair>, Pair,) = (draw.words(55), draw.words(47), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_08(6, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_08::with().exactly(processors).transport(transport).run(6, a, &b, c, s),
    );
}

#[test]
fn nest_11_is_identical() {
    let mut draw = Draw::new(27);
    let b: Vec<i16> = draw.words(71);
    let input: (Vec<i16>, Vec<i16>, i16,) = (draw.words(61), draw.words(71), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, s,)| nest_11(7, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_11::with().exactly(processors).transport(transport).run(7, 5, a, &b, c, s),
    );
}

#[test]
fn nest_14_is_identical() {
    let mut draw = Draw::new(28);
    let b: Vec<f64> = draw.words(61);
    let input: (Vec<f64>, Vec<f64>, [[f64; 17]; 17], f64,) = (draw.words(81), draw.words(14), draw.word(), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, grid, s,)| nest_14(7, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_14::with().exactly(processors).transport(transport).run(7, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_17_is_identical() {
    let mut draw = Draw::new(29);
    let b: Vec<u8> = draw.words(4);
    let input: (Vec<u8>, Vec<u8>, [[u8; 9]; 5], u8,) = (draw.words(80), draw.words(54), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_17(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_17::with().exactly(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_20_is_identical() {
    let mut draw = Draw::new(30);
    let b: Vec<bool> = draw.words(97);
    let input: (Vec<bool>, Vec<bool>, [[bool; 17]; 10], bool,) = (draw.words(76), draw.words(18), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_20(9, 6, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_20::with().exactly(processors).transport(transport).run(9, 6, a, &b, c, grid, s),
    );
}

#[test]
fn nest_23_is_identical() {
    let mut draw = Draw::new(31);
    let b: Vec<i8> = draw.words(12);
    let input: (Vec<i8>, Vec<i8>, i8,) = (draw.words(46), draw.words(53), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, s,)| nest_23(6, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_23::with().exactly(processors).transport(transport).run(6, 5, a, &b, c, s),
    );
}

#[test]
fn nest_26_is_identical() {
    let mut draw = Draw::new(32);
    let b: Vec<u16> = draw.words(14);
    let input: (Vec<u16>, Vec<u16>, [[u16; 9]; 17], u16,) = (draw.words(17), draw.words(1), draw.word(), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, grid, s,)| nest_26(10, 6, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_26::with().exactly(processors).transport(transport).run(10, 6, a, &b, c, grid, s),
    );
}

#[test]
fn nest_29_is_identical() {
    let mut draw = Draw::new(33);
    let b: Vec<i32> = draw.words(17);
    let input: (Vec<i32>, Vec<i32>, i32,) = (draw.words(6), draw.words(34), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_29(5, 4, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_29::with().exactly(processors).transport(transport).run(5, 4, a, &b, c, s),
    );
}

#[test]
fn nest_32_is_identical() {
    let mut draw = Draw::new(34);
    let b: Vec<Complex<f64>> = draw.words(68);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, [[Complex<f64>; 17]; 17], Complex<f64>,) = (draw.words(96), draw.words(100), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_32(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_32::with().exactly(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_35_is_identical() {
    let mut draw = Draw::new(35);
    let b: Vec<u32> = draw.words(85);
    let input: (Vec<u32>, Vec<u32>, [[u32; 17]; 12], u32,) = (draw.words(90), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, grid, s,)| nest_35(11, 6, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_35::with().exactly(processors).transport(transport).run(11, 6, a, &b, c, grid, s),
    );
}
