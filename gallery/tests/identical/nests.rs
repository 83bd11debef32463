// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::nests::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
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
        |processors, transport, (a, c, grid, s,)| nest_00::with().processors(processors).transport(transport).run(5, 4, a, &b, c, grid, s),
    );
}

#[test]
fn nest_01_is_identical() {
    let mut draw = Draw::new(1);
    let b: Vec<i32> = draw.words(22);
    let input: (Vec<i32>, Vec<i32>, i32,) = (draw.words(481), draw.words(481), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, s,)| nest_01(21, 10, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_01::with().processors(processors).transport(transport).run(21, 10, a, &b, c, s),
    );
}

#[test]
fn nest_02_is_identical() {
    let mut draw = Draw::new(2);
    let b: Vec<f32> = draw.words(33);
    let input: (Vec<f32>, Vec<f32>, f32,) = (draw.words(33), draw.words(33), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, s,)| nest_02(5, 4, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_02::with().processors(processors).transport(transport).run(5, 4, a, &b, c, s),
    );
}

#[test]
fn nest_03_is_identical() {
    let mut draw = Draw::new(3);
    let b: Vec<u8> = draw.words(2185);
    let input: (Vec<u8>, Vec<u8>, u8,) = (draw.words(2185), draw.words(53), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, s,)| nest_03(53, 20, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_03::with().processors(processors).transport(transport).run(53, 20, a, &b, c, s),
    );
}

#[test]
fn nest_04_is_identical() {
    let mut draw = Draw::new(4);
    let b: Vec<Complex<f64>> = draw.words(17);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, [[Complex<f64>; 20]; 20], Complex<f64>,) = (draw.words(221), draw.words(419), draw.word(), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, grid, s,)| nest_04(19, 9, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_04::with().processors(processors).transport(transport).run(19, 9, a, &b, c, grid, s),
    );
}

#[test]
fn nest_05_is_identical() {
    let mut draw = Draw::new(5);
    let b: Vec<i64> = draw.words(14);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(52), draw.words(70), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_05(7, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_05::with().processors(processors).transport(transport).run(7, 5, a, &b, c, s),
    );
}

#[test]
fn nest_06_is_identical() {
    let mut draw = Draw::new(6);
    let b: Vec<bool> = draw.words(36);
    let input: (Vec<bool>, Vec<bool>, [[bool; 19]; 19], bool,) = (draw.words(358), draw.words(35), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_06(18, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_06::with().processors(processors).transport(transport).run(18, a, &b, c, grid, s),
    );
}

#[test]
fn nest_07_is_identical() {
    let mut draw = Draw::new(7);
    let b: Vec<u32> = draw.words(358);
    let input: (Vec<u32>, Vec<u32>, u32,) = (draw.words(36), draw.words(358), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_07(18, 9, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_07::with().processors(processors).transport(transport).run(18, 9, a, &b, c, s),
    );
}

#[test]
fn nest_08_is_identical() {
    let mut draw = Draw::new(8);
    let b: Vec<Pair> = draw.words(17);
    let input: (Vec<Pair>, Vec<Pair>, Pair,) = (draw.words(55), draw.words(47), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, s,)| nest_08(6, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_08::with().processors(processors).transport(transport).run(6, a, &b, c, s),
    );
}

#[test]
fn nest_09_is_identical() {
    let mut draw = Draw::new(9);
    let b: Vec<i8> = draw.words(3133);
    let input: (Vec<i8>, Vec<i8>, i8,) = (draw.words(109), draw.words(3133), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, s,)| nest_09(55, 21, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_09::with().processors(processors).transport(transport).run(55, 21, a, &b, c, s),
    );
}

#[test]
fn nest_10_is_identical() {
    let mut draw = Draw::new(10);
    let b: Vec<u64> = draw.words(1);
    let input: (Vec<u64>, Vec<u64>, [[u64; 11]; 10], u64,) = (draw.words(118), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_10(10, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_10::with().processors(processors).transport(transport).run(10, a, &b, c, grid, s),
    );
}

#[test]
fn nest_11_is_identical() {
    let mut draw = Draw::new(11);
    let b: Vec<i16> = draw.words(71);
    let input: (Vec<i16>, Vec<i16>, i16,) = (draw.words(61), draw.words(71), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_11(7, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_11::with().processors(processors).transport(transport).run(7, 5, a, &b, c, s),
    );
}

#[test]
fn nest_12_is_identical() {
    let mut draw = Draw::new(12);
    let b: Vec<u16> = draw.words(301);
    let input: (Vec<u16>, Vec<u16>, u16,) = (draw.words(341), draw.words(35), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_12(17, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_12::with().processors(processors).transport(transport).run(17, a, &b, c, s),
    );
}

#[test]
fn nest_13_is_identical() {
    let mut draw = Draw::new(13);
    let b: Vec<usize> = draw.words(18);
    let input: (Vec<usize>, Vec<usize>, [[usize; 18]; 17], usize,) = (draw.words(341), draw.words(341), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_13(17, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_13::with().processors(processors).transport(transport).run(17, a, &b, c, grid, s),
    );
}

#[test]
fn nest_14_is_identical() {
    let mut draw = Draw::new(14);
    let b: Vec<f64> = draw.words(61);
    let input: (Vec<f64>, Vec<f64>, [[f64; 17]; 17], f64,) = (draw.words(81), draw.words(14), draw.word(), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, grid, s,)| nest_14(7, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_14::with().processors(processors).transport(transport).run(7, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_15_is_identical() {
    let mut draw = Draw::new(15);
    let b: Vec<i32> = draw.words(10);
    let input: (Vec<i32>, Vec<i32>, [[i32; 1]; 1], i32,) = (draw.words(970), draw.words(75), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_15(48, 19, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_15::with().processors(processors).transport(transport).run(48, 19, a, &b, c, grid, s),
    );
}

#[test]
fn nest_16_is_identical() {
    let mut draw = Draw::new(16);
    let b: Vec<f32> = draw.words(20);
    let input: (Vec<f32>, Vec<f32>, [[f32; 17]; 9], f32,) = (draw.words(71), draw.words(71), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_16(7, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_16::with().processors(processors).transport(transport).run(7, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_17_is_identical() {
    let mut draw = Draw::new(17);
    let b: Vec<u8> = draw.words(4);
    let input: (Vec<u8>, Vec<u8>, [[u8; 9]; 5], u8,) = (draw.words(80), draw.words(54), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_17(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_17::with().processors(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_18_is_identical() {
    let mut draw = Draw::new(18);
    let b: Vec<Complex<f64>> = draw.words(24);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, Complex<f64>,) = (draw.words(48), draw.words(48), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_18(25, 11, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_18::with().processors(processors).transport(transport).run(25, 11, a, &b, c, s),
    );
}

#[test]
fn nest_19_is_identical() {
    let mut draw = Draw::new(19);
    let b: Vec<i64> = draw.words(17);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(21), draw.words(20), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_19(22, 10, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_19::with().processors(processors).transport(transport).run(22, 10, a, &b, c, s),
    );
}

#[test]
fn nest_20_is_identical() {
    let mut draw = Draw::new(20);
    let b: Vec<bool> = draw.words(97);
    let input: (Vec<bool>, Vec<bool>, [[bool; 17]; 10], bool,) = (draw.words(76), draw.words(18), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_20(9, 6, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_20::with().processors(processors).transport(transport).run(9, 6, a, &b, c, grid, s),
    );
}

#[test]
fn nest_21_is_identical() {
    let mut draw = Draw::new(21);
    let b: Vec<u32> = draw.words(2806);
    let input: (Vec<u32>, Vec<u32>, u32,) = (draw.words(2806), draw.words(2806), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_21(52, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_21::with().processors(processors).transport(transport).run(52, a, &b, c, s),
    );
}

#[test]
fn nest_22_is_identical() {
    let mut draw = Draw::new(22);
    let b: Vec<Pair> = draw.words(12);
    let input: (Vec<Pair>, Vec<Pair>, [[Pair; 12]; 13], Pair,) = (draw.words(12), draw.words(141), draw.word(), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, grid, s,)| nest_22(11, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_22::with().processors(processors).transport(transport).run(11, a, &b, c, grid, s),
    );
}

#[test]
fn nest_23_is_identical() {
    let mut draw = Draw::new(23);
    let b: Vec<i8> = draw.words(12);
    let input: (Vec<i8>, Vec<i8>, i8,) = (draw.words(46), draw.words(53), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, s,)| nest_23(6, 5, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_23::with().processors(processors).transport(transport).run(6, 5, a, &b, c, s),
    );
}

#[test]
fn nest_24_is_identical() {
    let mut draw = Draw::new(24);
    let b: Vec<u64> = draw.words(82);
    let input: (Vec<u64>, Vec<u64>, [[u64; 41]; 42], u64,) = (draw.words(1761), draw.words(17), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_24(41, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_24::with().processors(processors).transport(transport).run(41, a, &b, c, grid, s),
    );
}

#[test]
fn nest_25_is_identical() {
    let mut draw = Draw::new(25);
    let b: Vec<i16> = draw.words(46);
    let input: (Vec<i16>, Vec<i16>, i16,) = (draw.words(12), draw.words(55), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, s,)| nest_25(6, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_25::with().processors(processors).transport(transport).run(6, a, &b, c, s),
    );
}

#[test]
fn nest_26_is_identical() {
    let mut draw = Draw::new(26);
    let b: Vec<u16> = draw.words(14);
    let input: (Vec<u16>, Vec<u16>, [[u16; 9]; 17], u16,) = (draw.words(17), draw.words(1), draw.word(), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, grid, s,)| nest_26(10, 6, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_26::with().processors(processors).transport(transport).run(10, 6, a, &b, c, grid, s),
    );
}

#[test]
fn nest_27_is_identical() {
    let mut draw = Draw::new(27);
    let b: Vec<usize> = draw.words(385);
    let input: (Vec<usize>, Vec<usize>, [[usize; 30]; 30], usize,) = (draw.words(57), draw.words(385), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_27(29, 12, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_27::with().processors(processors).transport(transport).run(29, 12, a, &b, c, grid, s),
    );
}

#[test]
fn nest_28_is_identical() {
    let mut draw = Draw::new(28);
    let b: Vec<f64> = draw.words(375);
    let input: (Vec<f64>, Vec<f64>, f64,) = (draw.words(375), draw.words(375), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c, s,)| nest_28(19, 9, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_28::with().processors(processors).transport(transport).run(19, 9, a, &b, c, s),
    );
}

#[test]
fn nest_29_is_identical() {
    let mut draw = Draw::new(29);
    let b: Vec<i32> = draw.words(17);
    let input: (Vec<i32>, Vec<i32>, i32,) = (draw.words(6), draw.words(34), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c, s,)| nest_29(5, 4, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_29::with().processors(processors).transport(transport).run(5, 4, a, &b, c, s),
    );
}

#[test]
fn nest_30_is_identical() {
    let mut draw = Draw::new(30);
    let b: Vec<f32> = draw.words(15);
    let input: (Vec<f32>, Vec<f32>, [[f32; 17]; 17], f32,) = (draw.words(29), draw.words(120), draw.word(), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c, grid, s,)| nest_30(14, 7, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_30::with().processors(processors).transport(transport).run(14, 7, a, &b, c, grid, s),
    );
}

#[test]
fn nest_31_is_identical() {
    let mut draw = Draw::new(31);
    let b: Vec<u8> = draw.words(14);
    let input: (Vec<u8>, Vec<u8>, [[u8; 8]; 17], u8,) = (draw.words(222), draw.words(239), draw.word(), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c, grid, s,)| nest_31(14, 7, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_31::with().processors(processors).transport(transport).run(14, 7, a, &b, c, grid, s),
    );
}

#[test]
fn nest_32_is_identical() {
    let mut draw = Draw::new(32);
    let b: Vec<Complex<f64>> = draw.words(68);
    let input: (Vec<Complex<f64>>, Vec<Complex<f64>>, [[Complex<f64>; 17]; 17], Complex<f64>,) = (draw.words(96), draw.words(100), draw.word(), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c, grid, s,)| nest_32(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_32::with().processors(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
    );
}

#[test]
fn nest_33_is_identical() {
    let mut draw = Draw::new(33);
    let b: Vec<i64> = draw.words(84);
    let input: (Vec<i64>, Vec<i64>, i64,) = (draw.words(3246), draw.words(3305), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c, s,)| nest_33(56, 21, a, &b, c, s),
        |processors, transport, (a, c, s,)| nest_33::with().processors(processors).transport(transport).run(56, 21, a, &b, c, s),
    );
}

#[test]
fn nest_34_is_identical() {
    let mut draw = Draw::new(34);
    let b: Vec<bool> = draw.words(89);
    let input: (Vec<bool>, Vec<bool>, [[bool; 17]; 17], bool,) = (draw.words(79), draw.words(99), draw.word(), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c, grid, s,)| nest_34(8, 5, a, &b, c, grid, s),
        |processors, transport, (a, c, grid, s,)| nest_34::with().processors(processors).transport(transport).run(8, 5, a, &b, c, grid, s),
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
        |processors, transport, (a, c, grid, s,)| nest_35::with().processors(processors).transport(transport).run(11, 6, a, &b, c, grid, s),
    );
}
