// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::types::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn over_f64_is_identical() {
    let mut draw = Draw::new(103);
    let b: Vec<f64> = draw.words(64);
    let input: (Vec<f64>, [[f64; 3]; 5],) = (draw.words(64), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c,)| over_f64(64, a, &b, c),
        |processors, transport, (a, c,)| over_f64::with().exactly(processors).transport(transport).run(64, a, &b, c),
    );
}

#[test]
fn over_i32_is_identical() {
    let mut draw = Draw::new(104);
    let b: Vec<i32> = draw.words(40);
    let input: (Vec<i32>, [[i32; 3]; 5],) = (draw.words(40), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c,)| over_i32(40, a, &b, c),
        |processors, transport, (a, c,)| over_i32::with().exactly(processors).transport(transport).run(40, a, &b, c),
    );
}

#[test]
fn over_f32_is_identical() {
    let mut draw = Draw::new(105);
    let b: Vec<f32> = draw.words(65);
    let input: (Vec<f32>, [[f32; 3]; 5],) = (draw.words(65), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c,)| over_f32(65, a, &b, c),
        |processors, transport, (a, c,)| over_f32::with().exactly(processors).transport(transport).run(65, a, &b, c),
    );
}

#[test]
fn over_u8_is_identical() {
    let mut draw = Draw::new(106);
    let b: Vec<u8> = draw.words(84);
    let input: (Vec<u8>, [[u8; 3]; 5],) = (draw.words(84), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c,)| over_u8(84, a, &b, c),
        |processors, transport, (a, c,)| over_u8::with().exactly(processors).transport(transport).run(84, a, &b, c),
    );
}

#[test]
fn over_complex_is_identical() {
    let mut draw = Draw::new(107);
    let b: Vec<Complex<f64>> = draw.words(84);
    let input: (Vec<Complex<f64>>, [[Complex<f64>; 3]; 5],) = (draw.words(84), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c,)| over_complex(84, a, &b, c),
        |processors, transport, (a, c,)| over_complex::with().exactly(processors).transport(transport).run(84, a, &b, c),
    );
}

#[test]
fn over_i64_is_identical() {
    let mut draw = Draw::new(108);
    let b: Vec<i64> = draw.words(33);
    let input: (Vec<i64>, [[i64; 3]; 5],) = (draw.words(33), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c,)| over_i64(33, a, &b, c),
        |processors, transport, (a, c,)| over_i64::with().exactly(processors).transport(transport).run(33, a, &b, c),
    );
}

#[test]
fn over_bool_is_identical() {
    let mut draw = Draw::new(109);
    let b: Vec<bool> = draw.words(79);
    let input: (Vec<bool>, [[bool; 3]; 5],) = (draw.words(79), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c,)| over_bool(79, a, &b, c),
        |processors, transport, (a, c,)| over_bool::with().exactly(processors).transport(transport).run(79, a, &b, c),
    );
}

#[test]
fn over_u32_is_identical() {
    let mut draw = Draw::new(110);
    let b: Vec<u32> = draw.words(31);
    let input: (Vec<u32>, [[u32; 3]; 5],) = (draw.words(31), draw.word(),);
    verify::identical(
        &[1],
        &input,
        |(a, c,)| over_u32(31, a, &b, c),
        |processors, transport, (a, c,)| over_u32::with().exactly(processors).transport(transport).run(31, a, &b, c),
    );
}

#[test]
fn over_pair_is_identical() {
    let mut draw = Draw::new(111);
    let b: Vec<Pair> = draw.words(42);
    let input: (Vec<Pair>, [[Pair; 3]; 5],) = (draw.words(42), draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(a, c,)| over_pair(42, a, &b, c),
        |processors, transport, (a, c,)| over_pair::with().exactly(processors).transport(transport).run(42, a, &b, c),
    );
}

#[test]
fn over_i8_is_identical() {
    let mut draw = Draw::new(112);
    let b: Vec<i8> = draw.words(43);
    let input: (Vec<i8>, [[i8; 3]; 5],) = (draw.words(43), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, c,)| over_i8(43, a, &b, c),
        |processors, transport, (a, c,)| over_i8::with().exactly(processors).transport(transport).run(43, a, &b, c),
    );
}

#[test]
fn over_u64_is_identical() {
    let mut draw = Draw::new(113);
    let b: Vec<u64> = draw.words(52);
    let input: (Vec<u64>, [[u64; 3]; 5],) = (draw.words(52), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, c,)| over_u64(52, a, &b, c),
        |processors, transport, (a, c,)| over_u64::with().exactly(processors).transport(transport).run(52, a, &b, c),
    );
}

#[test]
fn over_i16_is_identical() {
    let mut draw = Draw::new(114);
    let b: Vec<i16> = draw.words(88);
    let input: (Vec<i16>, [[i16; 3]; 5],) = (draw.words(88), draw.word(),);
    verify::identical(
        &[1, 2],
        &input,
        |(a, c,)| over_i16(88, a, &b, c),
        |processors, transport, (a, c,)| over_i16::with().exactly(processors).transport(transport).run(88, a, &b, c),
    );
}

#[test]
fn over_u16_is_identical() {
    let mut draw = Draw::new(115);
    let b: Vec<u16> = draw.words(50);
    let input: (Vec<u16>, [[u16; 3]; 5],) = (draw.words(50), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(a, c,)| over_u16(50, a, &b, c),
        |processors, transport, (a, c,)| over_u16::with().exactly(processors).transport(transport).run(50, a, &b, c),
    );
}

#[test]
fn over_usize_is_identical() {
    let mut draw = Draw::new(116);
    let b: Vec<usize> = draw.words(75);
    let input: (Vec<usize>, [[usize; 3]; 5],) = (draw.words(75), draw.word(),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, c,)| over_usize(75, a, &b, c),
        |processors, transport, (a, c,)| over_usize::with().exactly(processors).transport(transport).run(75, a, &b, c),
    );
}
