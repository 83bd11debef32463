// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::branches::*;
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
        |processors, transport, (a,)| collatz::with().exactly(processors).transport(transport).run(28, a),
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
        |processors, transport, (a,)| collatz_too::with().exactly(processors).transport(transport).run(30, a),
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
        |processors, transport, (a,)| coprime::with().exactly(processors).transport(transport).run(19, a, &b),
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
        |processors, transport, (a,)| coprime_too::with().exactly(processors).transport(transport).run(20, a, &b),
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
        |processors, transport, (a,)| labels::with().exactly(processors).transport(transport).run(11, 8, a, &b),
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
        |processors, transport, (a,)| labels_too::with().exactly(processors).transport(transport).run(13, 9, a, &b),
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
        |processors, transport, (a, s,)| heap::with().exactly(processors).transport(transport).run(69, a, s),
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
        |processors, transport, (a, s,)| heap_too::with().exactly(processors).transport(transport).run(43, a, s),
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
        |processors, transport, (a,)| sieve::with().exactly(processors).transport(transport).run(64, a),
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
        |processors, transport, (a,)| sieve_too::with().exactly(processors).transport(transport).run(64, a),
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
        |processors, transport, (a,)| permutation::with().exactly(processors).transport(transport).run(a, &b),
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
        |processors, transport, (a,)| permutation_too::with().exactly(processors).transport(transport).run(a, &b),
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
        |processors, transport, (a,)| digits::with().exactly(processors).transport(transport).run(36, a, &b),
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
        |processors, transport, (a,)| digits_too::with().exactly(processors).transport(transport).run(37, a, &b),
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
        |processors, transport, (c,)| merge::with().exactly(processors).transport(transport).run(17, 20, &a, &b, c),
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
        |processors, transport, (c,)| merge_too::with().exactly(processors).transport(transport).run(26, 19, &a, &b, c),
    );
}
