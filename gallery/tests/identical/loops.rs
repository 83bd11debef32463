// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::loops::*;
use num_complex::Complex;
use superstep_gallery::{Draw, verify};

#[test]
fn nest_00_is_identical() {
    let mut draw = Draw::new(0);
    let b: Vec<f64> = draw.words(33);
    let input: (Vec<f64>, Vec<f64>, [[f64; 17]; 6], f64,) = (draw.words(17), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, grid, s,)| nest_00(5, 4, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_00::with().exactly(processors).transport(transport).run(5, 4, a, &b, c, grid, s),
    );
}

#[test]
fn nest_03_is_identical() {
    let mut draw = Draw::new(1);
    let b: Vec<u8> = draw.words(2185);
    let input: (Vec<u8>, Vec<u8>, u8,) = (draw.words(2185), draw.words(53), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, s,)| nest_03(53, 20, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_03::with().exactly(processors).transport(transport).run(53, 20, a, &b, c, s),
    );
}

#[test]
fn nest_06_is_identical() {
    let mut draw = Draw::new(2);
    let b: Vec<bool> = draw.words(36);
    let input: (Vec<bool>, Vec<bool>, [[bool; 19]; 19], bool,) = (draw.words(358), draw.words(35), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_06(18, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_06::with().exactly(processors).transport(transport).run(18, a, &b, c, grid, s),
    );
}

#[test]
fn nest_09_is_identical() {
    let mut draw = Draw::new(3);
    let b: Vec<i8> = draw.words(3133);
    let input: (Vec<i8>, Vec<i8>, i8,) = (draw.words(109), draw.words(3133), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, s,)| nest_09(55, 21, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_09::with().exactly(processors).transport(transport).run(55, 21, a, &b, c, s),
    );
}

#[test]
fn nest_12_is_identical() {
    let mut draw = Draw::new(4);
    let b: Vec<u16> = draw.words(301);
    let input: (Vec<u16>, Vec<u16>, u16,) = (draw.words(341), draw.words(35), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_12(17, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_12::with().exactly(processors).transport(transport).run(17, a, &b, c, s),
    );
}

#[test]
fn nest_15_is_identical() {
    let mut draw = Draw::new(5);
    let b: Vec<i32> = draw.words(10);
    let input: (Vec<i32>, Vec<i32>, [[i32; 1]; 1], i32,) = (draw.words(970), draw.words(75), draw.word(), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, grid, s,)| nest_15(48, 19, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_15::with().exactly(processors).transport(transport).run(48, 19, a, &b, c, grid, s),
    );
}

#[test]
fn nest_18_is_identical() {
    let mut draw = Draw::new(6);
    let b: Vec<Complex<f64>> = draw.words(24);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, Complex<f64>,) = (draw.words(48), draw.words(48), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, s,)| nest_18(25, 11, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_18::with().exactly(processors).transport(transport).run(25, 11, a, &b, c, s),
    );
}

#[test]
fn nest_21_is_identical() {
    let mut draw = Draw::new(7);
    let b: Vec<u32> = draw.words(2806);
    let input: (Vec<u32>, Vec<u32>, u32,) = (draw.words(2806), draw.words(2806), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_21(52, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_21::with().exactly(processors).transport(transport).run(52, a, &b, c, s),
    );
}

#[test]
fn nest_24_is_identical() {
    let mut draw = Draw::new(8);
    let b: Vec<u64> = draw.words(82);
    let input: (Vec<u64>, Vec<u64>, [[u64; 41]; 42], u64,) = (draw.words(1761), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_24(41, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_24::with().exactly(processors).transport(transport).run(41, a, &b, c, grid, s),
    );
}

#[test]
fn nest_27_is_identical() {
    let mut draw = Draw::new(9);
    let b: Vec<usize> = draw.words(385);
    let input: (Vec<usize>, Vec<usize>, [[usize; 30]; 30], usize,) = (draw.words(57), draw.words(385), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_27(29, 12, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_27::with().exactly(processors).transport(transport).run(29, 12, a, &b, c, grid, s),
    );
}

#[test]
fn nest_30_is_identical() {
    let mut draw = Draw::new(10);
    let b: Vec<f32> = draw.words(15);
    let input: (Vec<f32>, Vec<f32>, [[f32; 17]; 17], f32,) = (draw.words(29), draw.words(120), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_30(14, 7, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_30::with().exactly(processors).transport(transport).run(14, 7, a, &b, c, grid, s),
    );
}

#[test]
fn nest_33_is_identical() {
    let mut draw = Draw::new(11);
    let b: Vec<i64> = draw.words(84);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(3246), draw.words(3305), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_33(56, 21, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_33::with().exactly(processors).transport(transport).run(56, 21, a, &b, c, s),
    );
}
