// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::sparse::*;
use num_complex::Complex;
use superstep_gallery::kernels::pair::Pair;
use superstep_gallery::structure;
use superstep_gallery::{Draw, verify};

#[test]
fn multiply_is_identical() {
    let mut draw = Draw::new(68);
    let (row, col) = structure::rows(120, 90, 6, 5);
    let values: Vec<f64> = draw.words(720);
    let x: Vec<f64> = draw.words(90);
    let input: (Vec<f64>,) = (draw.words(120),);
    verify::identical(
        &[1],
        &input,
        |(y,)| multiply(&row, &col, &values, &x, y),
        |processors, transport, (y,)| multiply::with().exactly(processors).transport(transport).run(&row, &col, &values, &x, y),
    );
}

#[test]
fn multiply_complex_is_identical() {
    let mut draw = Draw::new(69);
    let (row, col) = structure::rows(40, 90, 6, 5);
    let values: Vec<Complex<f64>> = draw.words(240);
    let x: Vec<Complex<f64>> = draw.words(90);
    let input: (Vec<Complex<f64>>,) = (draw.words(40),);
    verify::identical(
        &[2],
        &input,
        |(y,)| multiply_complex(&row, &col, &values, &x, y),
        |processors, transport, (y,)| multiply_complex::with().exactly(processors).transport(transport).run(&row, &col, &values, &x, y),
    );
}

#[test]
fn transposed_is_identical() {
    let mut draw = Draw::new(70);
    let (row, col) = structure::rows(80, 60, 5, 8);
    let row: Vec<u32> = row.iter().map(|&word| word as u32).collect();
    let col: Vec<u16> = col.iter().map(|&word| word as u16).collect();
    let values: Vec<f32> = draw.words(400);
    let x: Vec<f32> = draw.words(80);
    let input: (Vec<f32>,) = (draw.words(60),);
    verify::identical(
        &[2, 5],
        &input,
        |(y,)| transposed(80, &row, &col, &values, &x, y),
        |processors, transport, (y,)| transposed::with().exactly(processors).transport(transport).run(80, &row, &col, &values, &x, y),
    );
}

#[test]
fn forward_is_identical() {
    let mut draw = Draw::new(71);
    let (row, col) = structure::lower_triangle(150, 4, 11);
    let values: Vec<f64> = draw.words(750);
    let b: Vec<f64> = draw.words(150);
    let input: (Vec<f64>,) = (draw.words(150),);
    verify::identical(
        &[3],
        &input,
        |(x,)| forward(150, &row, &col, &values, &b, x),
        |processors, transport, (x,)| forward::with().exactly(processors).transport(transport).run(150, &row, &col, &values, &b, x),
    );
}

#[test]
fn forward_large_is_identical() {
    let mut draw = Draw::new(72);
    let (row, col) = structure::lower_triangle(24000, 4, 11);
    let values: Vec<f64> = draw.words(120000);
    let b: Vec<f64> = draw.words(24000);
    let input: (Vec<f64>,) = (draw.words(24000),);
    verify::identical(
        &[1, 2],
        &input,
        |(x,)| forward_large(24000, &row, &col, &values, &b, x),
        |processors, transport, (x,)| forward_large::with().exactly(processors).transport(transport).run(24000, &row, &col, &values, &b, x),
    );
}

#[test]
fn backward_is_identical() {
    let mut draw = Draw::new(73);
    let (row, col) = structure::lower_triangle(130, 4, 11);
    let values: Vec<f64> = draw.words(650);
    let input: (Vec<f64>,) = (draw.words(130),);
    verify::identical(
        &[5],
        &input,
        |(x,)| backward(130, &row, &col, &values, x),
        |processors, transport, (x,)| backward::with().exactly(processors).transport(transport).run(130, &row, &col, &values, x),
    );
}

#[test]
fn incomplete_factor_is_identical() {
    let mut draw = Draw::new(74);
    let (row, col) = structure::square_rows(60, 6, 3);
    let input: (Vec<f64>,) = (draw.words(840),);
    verify::identical(
        &[2, 3],
        &input,
        |(values,)| incomplete_factor(60, &row, &col, values),
        |processors, transport, (values,)| incomplete_factor::with().exactly(processors).transport(transport).run(60, &row, &col, values),
    );
}

#[test]
fn gather_i16_is_identical() {
    let mut draw = Draw::new(75);
    let p = structure::permutation(52, 21);
    let input: (Vec<i16>, Vec<i16>,) = (draw.words(52), draw.words(52),);
    verify::identical(
        &[1],
        &input,
        |(x, y,)| gather_i16(&p, x, y),
        |processors, transport, (x, y,)| gather_i16::with().exactly(processors).transport(transport).run(&p, x, y),
    );
}

#[test]
fn gather_pair_is_identical() {
    let mut draw = Draw::new(76);
    let p = structure::permutation(54, 21);
    let input: (Vec<Pair>, Vec<Pair>,) = (draw.words(54), draw.words(54),);
    verify::identical(
        &[2],
        &input,
        |(x, y,)| gather_pair(&p, x, y),
        |processors, transport, (x, y,)| gather_pair::with().exactly(processors).transport(transport).run(&p, x, y),
    );
}

#[test]
fn cycles_is_identical() {
    let mut draw = Draw::new(77);
    let p = structure::permutation(100, 4);
    let input: (Vec<u16>,) = (draw.words(100),);
    verify::identical(
        &[2, 5],
        &input,
        |(x,)| cycles(100, &p, x),
        |processors, transport, (x,)| cycles::with().exactly(processors).transport(transport).run(100, &p, x),
    );
}

#[test]
fn paths_is_identical() {
    let mut draw = Draw::new(78);
    let (from, to) = structure::edges(70, 400, 6);
    let length: Vec<u32> = draw.words(400);
    let input: (Vec<u32>,) = (draw.words(70),);
    verify::identical(
        &[3],
        &input,
        |(distance,)| paths(5, &from, &to, &length, distance),
        |processors, transport, (distance,)| paths::with().exactly(processors).transport(transport).run(5, &from, &to, &length, distance),
    );
}

#[test]
fn circuit_is_identical() {
    let mut draw = Draw::new(79);
    let (gate, left, right) = structure::circuit(40, 500, 9);
    let input: (Vec<bool>,) = (draw.words(540),);
    verify::identical(
        &[1, 2],
        &input,
        |(wire,)| circuit(40, &gate, &left, &right, wire),
        |processors, transport, (wire,)| circuit::with().exactly(processors).transport(transport).run(40, &gate, &left, &right, wire),
    );
}

#[test]
fn mesh_is_identical() {
    let mut draw = Draw::new(80);
    let neighbour = structure::neighbours(9, 8);
    let input: (Vec<f64>, Vec<f64>,) = (draw.words(72), draw.words(72),);
    verify::identical(
        &[5],
        &input,
        |(x, y,)| mesh(72, 4, &neighbour, x, y),
        |processors, transport, (x, y,)| mesh::with().exactly(processors).transport(transport).run(72, 4, &neighbour, x, y),
    );
}

#[test]
fn tree_f32_is_identical() {
    let mut draw = Draw::new(81);
    let parent = structure::tree(90, 2);
    let input: (Vec<f32>,) = (draw.words(90),);
    verify::identical(
        &[2, 3],
        &input,
        |(x,)| tree_f32(&parent, x),
        |processors, transport, (x,)| tree_f32::with().exactly(processors).transport(transport).run(&parent, x),
    );
}

#[test]
fn tree_i8_is_identical() {
    let mut draw = Draw::new(82);
    let parent = structure::tree(90, 2);
    let input: (Vec<i8>,) = (draw.words(90),);
    verify::identical(
        &[1],
        &input,
        |(x,)| tree_i8(&parent, x),
        |processors, transport, (x,)| tree_i8::with().exactly(processors).transport(transport).run(&parent, x),
    );
}

#[test]
fn coordinates_is_identical() {
    let mut draw = Draw::new(83);
    let (from, to) = structure::edges(50, 300, 13);
    let values: Vec<i64> = draw.words(300);
    let x: Vec<i64> = draw.words(50);
    let input: (Vec<i64>,) = (draw.words(50),);
    verify::identical(
        &[2],
        &input,
        |(y,)| coordinates(&from, &to, &values, &x, y),
        |processors, transport, (y,)| coordinates::with().exactly(processors).transport(transport).run(&from, &to, &values, &x, y),
    );
}

#[test]
fn ragged_is_identical() {
    let mut draw = Draw::new(84);
    let (start, _) = structure::rows(45, 20, 9, 31);
    let input: (Vec<f64>, Vec<f64>,) = (draw.words(405), draw.words(45),);
    verify::identical(
        &[2, 5],
        &input,
        |(x, largest,)| ragged(&start, x, largest),
        |processors, transport, (x, largest,)| ragged::with().exactly(processors).transport(transport).run(&start, x, largest),
    );
}
