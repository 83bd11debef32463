// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::large::*;
use num_complex::Complex;
use superstep_gallery::{Draw, verify};

#[test]
fn factor_is_identical() {
    let mut draw = Draw::new(117);
    let input: (Vec<f64>,) = (draw.words(5184),);
    verify::identical(
        &[1],
        &input,
        |(a,)| factor(72, a),
        |processors, transport, (a,)| factor::with().exactly(processors).transport(transport).run(72, a),
    );
}

#[test]
fn cholesky_is_identical() {
    let mut draw = Draw::new(118);
    let input: (Vec<f64>,) = (draw.words(8100),);
    verify::identical(
        &[2],
        &input,
        |(a,)| cholesky(90, a),
        |processors, transport, (a,)| cholesky::with().exactly(processors).transport(transport).run(90, a),
    );
}

#[test]
fn multiply_by_rows_is_identical() {
    let mut draw = Draw::new(119);
    let a: Vec<f32> = draw.words(2304);
    let b: Vec<f32> = draw.words(2304);
    let input: (Vec<f32>,) = (draw.words(2304),);
    verify::identical(
        &[2, 5],
        &input,
        |(c,)| multiply_by_rows(48, &a, &b, c),
        |processors, transport, (c,)| multiply_by_rows::with().exactly(processors).transport(transport).run(48, &a, &b, c),
    );
}

#[test]
fn multiply_outer_is_identical() {
    let mut draw = Draw::new(120);
    let a: Vec<i64> = draw.words(2304);
    let b: Vec<i64> = draw.words(2304);
    let input: (Vec<i64>,) = (draw.words(2304),);
    verify::identical(
        &[3],
        &input,
        |(c,)| multiply_outer(48, &a, &b, c),
        |processors, transport, (c,)| multiply_outer::with().exactly(processors).transport(transport).run(48, &a, &b, c),
    );
}

#[test]
fn weighted_columns_is_identical() {
    let mut draw = Draw::new(121);
    let a: Vec<f64> = draw.words(108900);
    let input: (Vec<f64>,) = (draw.words(330),);
    verify::identical(
        &[1, 2],
        &input,
        |(y,)| weighted_columns(330, &a, y),
        |processors, transport, (y,)| weighted_columns::with().exactly(processors).transport(transport).run(330, &a, y),
    );
}

#[test]
fn backward_many_is_identical() {
    let mut draw = Draw::new(122);
    let u: Vec<f64> = draw.words(6400);
    let input: (Vec<f64>,) = (draw.words(2720),);
    verify::identical(
        &[5],
        &input,
        |(x,)| backward_many(80, 34, &u, x),
        |processors, transport, (x,)| backward_many::with().exactly(processors).transport(transport).run(80, 34, &u, x),
    );
}

#[test]
fn orthogonalise_is_identical() {
    let mut draw = Draw::new(123);
    let input: (Vec<f64>,) = (draw.words(2304),);
    verify::identical(
        &[2, 3],
        &input,
        |(q,)| orthogonalise(48, q),
        |processors, transport, (q,)| orthogonalise::with().exactly(processors).transport(transport).run(48, q),
    );
}

#[test]
fn tridiagonal_is_identical() {
    let mut draw = Draw::new(124);
    let input: (Vec<f64>, Vec<f64>,) = (draw.words(30000), draw.words(30000),);
    verify::identical(
        &[1],
        &input,
        |(c, d,)| tridiagonal(150, 200, c, d),
        |processors, transport, (c, d,)| tridiagonal::with().exactly(processors).transport(transport).run(150, 200, c, d),
    );
}

#[test]
fn heat_is_identical() {
    let mut draw = Draw::new(125);
    let input: ([[f64; 402]; 2],) = (draw.word(),);
    verify::identical(
        &[2],
        &input,
        |(u,)| heat(260, u),
        |processors, transport, (u,)| heat::with().exactly(processors).transport(transport).run(260, u),
    );
}

#[test]
fn gauss_seidel_is_identical() {
    let mut draw = Draw::new(126);
    let input: (Vec<f64>,) = (draw.words(3844),);
    verify::identical(
        &[2, 5],
        &input,
        |(u,)| gauss_seidel(62, 30, u),
        |processors, transport, (u,)| gauss_seidel::with().exactly(processors).transport(transport).run(62, 30, u),
    );
}

#[test]
fn red_black_is_identical() {
    let mut draw = Draw::new(127);
    let input: (Vec<f32>,) = (draw.words(4096),);
    verify::identical(
        &[3],
        &input,
        |(u,)| red_black(64, 28, u),
        |processors, transport, (u,)| red_black::with().exactly(processors).transport(transport).run(64, 28, u),
    );
}

#[test]
fn automaton_is_identical() {
    let mut draw = Draw::new(128);
    let input: (Vec<bool>,) = (draw.words(109230),);
    verify::identical(
        &[1, 2],
        &input,
        |(cell,)| automaton(330, 330, cell),
        |processors, transport, (cell,)| automaton::with().exactly(processors).transport(transport).run(330, 330, cell),
    );
}

#[test]
fn hadamard_is_identical() {
    let mut draw = Draw::new(129);
    let input: (Vec<i64>,) = (draw.words(4096),);
    verify::identical(
        &[5],
        &input,
        |(x,)| hadamard(4096, x),
        |processors, transport, (x,)| hadamard::with().exactly(processors).transport(transport).run(4096, x),
    );
}

#[test]
fn bitonic_is_identical() {
    let mut draw = Draw::new(130);
    let input: (Vec<i32>,) = (draw.words(2048),);
    verify::identical(
        &[2, 3],
        &input,
        |(x,)| bitonic(2048, x),
        |processors, transport, (x,)| bitonic::with().exactly(processors).transport(transport).run(2048, x),
    );
}

#[test]
fn scan_is_identical() {
    let mut draw = Draw::new(131);
    let input: (Vec<u32>, Vec<u32>,) = (draw.words(5000), draw.words(5000),);
    verify::identical(
        &[1],
        &input,
        |(x, y,)| scan(5000, x, y),
        |processors, transport, (x, y,)| scan::with().exactly(processors).transport(transport).run(5000, x, y),
    );
}

#[test]
fn fourier_is_identical() {
    let mut draw = Draw::new(132);
    let twiddle: Vec<Complex<f64>> = draw.words(2048);
    let input: (Vec<Complex<f64>>,) = (draw.words(4096),);
    verify::identical(
        &[2],
        &input,
        |(x,)| fourier(4096, &twiddle, x),
        |processors, transport, (x,)| fourier::with().exactly(processors).transport(transport).run(4096, &twiddle, x),
    );
}

#[test]
fn convolution_is_identical() {
    let mut draw = Draw::new(133);
    let x: Vec<u16> = draw.words(1110);
    let tap: Vec<u16> = draw.words(110);
    let input: (Vec<u16>,) = (draw.words(1000),);
    verify::identical(
        &[2, 5],
        &input,
        |(y,)| convolution(1000, 110, &x, &tap, y),
        |processors, transport, (y,)| convolution::with().exactly(processors).transport(transport).run(1000, 110, &x, &tap, y),
    );
}

#[test]
fn all_paths_is_identical() {
    let mut draw = Draw::new(134);
    let input: ([[u32; 48]; 48],) = (draw.word(),);
    verify::identical(
        &[3],
        &input,
        |(d,)| all_paths(d),
        |processors, transport, (d,)| all_paths::with().exactly(processors).transport(transport).run(d),
    );
}

#[test]
fn edit_distance_is_identical() {
    let mut draw = Draw::new(135);
    let a: Vec<u8> = draw.words(330);
    let b: Vec<u8> = draw.words(330);
    let input: (Vec<u32>,) = (draw.words(109561),);
    verify::identical(
        &[1, 2],
        &input,
        |(d,)| edit_distance(330, &a, &b, d),
        |processors, transport, (d,)| edit_distance::with().exactly(processors).transport(transport).run(330, &a, &b, d),
    );
}

#[test]
fn alignment_is_identical() {
    let mut draw = Draw::new(136);
    let a: Vec<u8> = draw.words(240);
    let b: Vec<u8> = draw.words(240);
    let input: (Vec<i32>, i32,) = (draw.words(58081), draw.word(),);
    verify::identical(
        &[5],
        &input,
        |(h, best,)| alignment(240, &a, &b, h, best),
        |processors, transport, (h, best,)| alignment::with().exactly(processors).transport(transport).run(240, &a, &b, h, best),
    );
}

#[test]
fn knapsack_is_identical() {
    let mut draw = Draw::new(137);
    let value: Vec<u64> = draw.words(100);
    let input: (Vec<u64>,) = (draw.words(1101),);
    verify::identical(
        &[2, 3],
        &input,
        |(best,)| knapsack(100, 1100, &value, best),
        |processors, transport, (best,)| knapsack::with().exactly(processors).transport(transport).run(100, 1100, &value, best),
    );
}

#[test]
fn parentheses_is_identical() {
    let mut draw = Draw::new(138);
    let p: Vec<u64> = draw.words(93);
    let input: (Vec<u64>,) = (draw.words(8464),);
    verify::identical(
        &[1],
        &input,
        |(cost,)| parentheses(92, &p, cost),
        |processors, transport, (cost,)| parentheses::with().exactly(processors).transport(transport).run(92, &p, cost),
    );
}

#[test]
fn escape_is_identical() {
    let mut draw = Draw::new(139);
    let input: (Vec<u32>,) = (draw.words(1936),);
    verify::identical(
        &[2],
        &input,
        |(count,)| escape(44, 26, count),
        |processors, transport, (count,)| escape::with().exactly(processors).transport(transport).run(44, 26, count),
    );
}

#[test]
fn bodies_is_identical() {
    let mut draw = Draw::new(140);
    let x: Vec<f64> = draw.words(330);
    let input: (Vec<f64>,) = (draw.words(330),);
    verify::identical(
        &[2, 5],
        &input,
        |(force,)| bodies(330, &x, force),
        |processors, transport, (force,)| bodies::with().exactly(processors).transport(transport).run(330, &x, force),
    );
}

#[test]
fn hash_is_identical() {
    let mut draw = Draw::new(141);
    let input: (Vec<u64>,) = (draw.words(64),);
    verify::identical(
        &[3],
        &input,
        |(lane,)| hash(1700, lane),
        |processors, transport, (lane,)| hash::with().exactly(processors).transport(transport).run(1700, lane),
    );
}

#[test]
fn horner_is_identical() {
    let mut draw = Draw::new(142);
    let c: Vec<f64> = draw.words(320);
    let input: (Vec<f64>,) = (draw.words(320),);
    verify::identical(
        &[1, 2],
        &input,
        |(x,)| horner(320, 320, &c, x),
        |processors, transport, (x,)| horner::with().exactly(processors).transport(transport).run(320, 320, &c, x),
    );
}
