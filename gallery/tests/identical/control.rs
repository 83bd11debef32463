// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::control::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::{Draw, verify};

#[test]
fn collatz_is_identical() {
    let mut draw = Draw::new(36);
    let input: (Vec<f64>,) = (draw.words(28),);
    verify::identical(
        &[3],
        &input,
        |(a,)| collatz(28, a),
        |processors, transport, (a,)| collatz::with().processors(processors).transport(transport).run(28, a),
    );
}

#[test]
fn collatz_too_is_identical() {
    let mut draw = Draw::new(37);
    let input: (Vec<i64>,) = (draw.words(30),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| collatz_too(30, a),
        |processors, transport, (a,)| collatz_too::with().processors(processors).transport(transport).run(30, a),
    );
}

#[test]
fn coprime_is_identical() {
    let mut draw = Draw::new(38);
    let b: Vec<u8> = draw.words(38);
    let input: (Vec<u8>,) = (draw.words(19),);
    verify::identical(
        &[5],
        &input,
        |(a,)| coprime(19, a, &b),
        |processors, transport, (a,)| coprime::with().processors(processors).transport(transport).run(19, a, &b),
    );
}

#[test]
fn coprime_too_is_identical() {
    let mut draw = Draw::new(39);
    let b: Vec<Pair> = draw.words(40);
    let input: (Vec<Pair>,) = (draw.words(20),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| coprime_too(20, a, &b),
        |processors, transport, (a,)| coprime_too::with().processors(processors).transport(transport).run(20, a, &b),
    );
}

#[test]
fn labels_is_identical() {
    let mut draw = Draw::new(40);
    let b: Vec<bool> = draw.words(19);
    let input: (Vec<bool>,) = (draw.words(88),);
    verify::identical(
        &[1],
        &input,
        |(a,)| labels(11, 8, a, &b),
        |processors, transport, (a,)| labels::with().processors(processors).transport(transport).run(11, 8, a, &b),
    );
}

#[test]
fn labels_too_is_identical() {
    let mut draw = Draw::new(41);
    let b: Vec<i16> = draw.words(22);
    let input: (Vec<i16>,) = (draw.words(117),);
    verify::identical(
        &[2],
        &input,
        |(a,)| labels_too(13, 9, a, &b),
        |processors, transport, (a,)| labels_too::with().processors(processors).transport(transport).run(13, 9, a, &b),
    );
}

#[test]
fn heap_is_identical() {
    let mut draw = Draw::new(42);
    let input: (Vec<i8>, i8,) = (draw.words(69), draw.word(),);
    verify::identical(
        &[2, 5],
        &input,
        |(a, s,)| heap(69, a, s),
        |processors, transport, (a, s,)| heap::with().processors(processors).transport(transport).run(69, a, s),
    );
}

#[test]
fn heap_too_is_identical() {
    let mut draw = Draw::new(43);
    let input: (Vec<f64>, f64,) = (draw.words(43), draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(a, s,)| heap_too(43, a, s),
        |processors, transport, (a, s,)| heap_too::with().processors(processors).transport(transport).run(43, a, s),
    );
}

#[test]
fn sieve_is_identical() {
    let mut draw = Draw::new(44);
    let input: (Vec<u16>,) = (draw.words(64),);
    verify::identical(
        &[1, 2],
        &input,
        |(a,)| sieve(64, a),
        |processors, transport, (a,)| sieve::with().processors(processors).transport(transport).run(64, a),
    );
}

#[test]
fn sieve_too_is_identical() {
    let mut draw = Draw::new(45);
    let input: (Vec<u8>,) = (draw.words(64),);
    verify::identical(
        &[5],
        &input,
        |(a,)| sieve_too(64, a),
        |processors, transport, (a,)| sieve_too::with().processors(processors).transport(transport).run(64, a),
    );
}

#[test]
fn permutation_is_identical() {
    let mut draw = Draw::new(46);
    let b: Vec<i32> = draw.words(32);
    let input: (Vec<i32>,) = (draw.words(32),);
    verify::identical(
        &[2, 3],
        &input,
        |(a,)| permutation(a, &b),
        |processors, transport, (a,)| permutation::with().processors(processors).transport(transport).run(a, &b),
    );
}

#[test]
fn permutation_too_is_identical() {
    let mut draw = Draw::new(47);
    let b: Vec<bool> = draw.words(32);
    let input: (Vec<bool>,) = (draw.words(32),);
    verify::identical(
        &[1],
        &input,
        |(a,)| permutation_too(a, &b),
        |processors, transport, (a,)| permutation_too::with().processors(processors).transport(transport).run(a, &b),
    );
}

#[test]
fn digits_is_identical() {
    let mut draw = Draw::new(48);
    let b: Vec<Complex<f64>> = draw.words(44);
    let input: (Vec<Complex<f64>>,) = (draw.words(8),);
    verify::identical(
        &[2],
        &input,
        |(a,)| digits(36, a, &b),
        |processors, transport, (a,)| digits::with().processors(processors).transport(transport).run(36, a, &b),
    );
}

#[test]
fn digits_too_is_identical() {
    let mut draw = Draw::new(49);
    let b: Vec<i8> = draw.words(45);
    let input: (Vec<i8>,) = (draw.words(8),);
    verify::identical(
        &[2, 5],
        &input,
        |(a,)| digits_too(37, a, &b),
        |processors, transport, (a,)| digits_too::with().processors(processors).transport(transport).run(37, a, &b),
    );
}

#[test]
fn merge_is_identical() {
    let mut draw = Draw::new(50);
    let a: Vec<u32> = draw.words(17);
    let b: Vec<u32> = draw.words(20);
    let input: (Vec<u32>,) = (draw.words(37),);
    verify::identical(
        &[3],
        &input,
        |(c,)| merge(17, 20, &a, &b, c),
        |processors, transport, (c,)| merge::with().processors(processors).transport(transport).run(17, 20, &a, &b, c),
    );
}

#[test]
fn merge_too_is_identical() {
    let mut draw = Draw::new(51);
    let a: Vec<u16> = draw.words(26);
    let b: Vec<u16> = draw.words(19);
    let input: (Vec<u16>,) = (draw.words(45),);
    verify::identical(
        &[1, 2],
        &input,
        |(c,)| merge_too(26, 19, &a, &b, c),
        |processors, transport, (c,)| merge_too::with().processors(processors).transport(transport).run(26, 19, &a, &b, c),
    );
}

#[test]
fn downwards_is_identical() {
    let mut draw = Draw::new(52);
    let b: Vec<u64> = draw.words(44);
    let input: (Vec<u64>,) = (draw.words(44),);
    verify::identical(
        &[5],
        &input,
        |(a,)| downwards(44, a, &b),
        |processors, transport, (a,)| downwards::with().processors(processors).transport(transport).run(44, a, &b),
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
        |processors, transport, (a,)| downwards_too::with().processors(processors).transport(transport).run(48, a, &b),
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
        |processors, transport, (a,)| narrow::with().processors(processors).transport(transport).run(33, 3, a, &b),
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
        |processors, transport, (a,)| narrow_too::with().processors(processors).transport(transport).run(29, 4, a, &b),
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
        |processors, transport, (a,)| spiral::with().processors(processors).transport(transport).run(7, a, &b),
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
        |processors, transport, (a,)| spiral_too::with().processors(processors).transport(transport).run(9, a, &b),
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
        |processors, transport, (a,)| gray::with().processors(processors).transport(transport).run(5, a),
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
        |processors, transport, (a,)| gray_too::with().processors(processors).transport(transport).run(4, a),
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
        |processors, transport, (a,)| windows::with().processors(processors).transport(transport).run(36, 5, a, &b),
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
        |processors, transport, (a,)| windows_too::with().processors(processors).transport(transport).run(37, 4, a, &b),
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
        |processors, transport, (a,)| tiles::with().processors(processors).transport(transport).run(15, 5, a, &b),
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
        |processors, transport, (a,)| tiles_too::with().processors(processors).transport(transport).run(11, 5, a, &b),
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
        |processors, transport, (a,)| forever::with().processors(processors).transport(transport).run(33, a, &b),
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
        |processors, transport, (a,)| forever_too::with().processors(processors).transport(transport).run(23, a, &b),
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
        |processors, transport, (a,)| measured::with().processors(processors).transport(transport).run(2, &b, a),
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
        |processors, transport, (a,)| measured_too::with().processors(processors).transport(transport).run(2, &b, a),
    );
}
