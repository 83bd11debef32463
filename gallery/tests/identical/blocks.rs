// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::blocks::*;
use superstep_gallery::{Draw, verify};

#[test]
fn matrix_vector_is_identical() {
    let mut draw = Draw::new(147);
    let a: Vec<f64> = draw.words(1521);
    let x: Vec<f64> = draw.words(39);
    let input: (Vec<f64>,) = (draw.words(39),);
    verify::identical(
        &[2, 5],
        &input,
        |(y,)| matrix_vector(39, &a, &x, y),
        |processors, transport, (y,)| matrix_vector::with().exactly(processors).transport(transport).run(39, &a, &x, y),
    );
}

#[test]
fn rank_three_is_identical() {
    let mut draw = Draw::new(148);
    let u: Vec<f32> = draw.words(135);
    let v: Vec<f32> = draw.words(135);
    let input: (Vec<f32>,) = (draw.words(2025),);
    verify::identical(
        &[3],
        &input,
        |(a,)| rank_three(45, &u, &v, a),
        |processors, transport, (a,)| rank_three::with().exactly(processors).transport(transport).run(45, &u, &v, a),
    );
}

#[test]
fn sums_in_turn_is_identical() {
    let mut draw = Draw::new(149);
    let a: Vec<u32> = draw.words(1764);
    let input: (Vec<u32>,) = (draw.words(3),);
    verify::identical(
        &[1, 2],
        &input,
        |(y,)| sums_in_turn(42, &a, y),
        |processors, transport, (y,)| sums_in_turn::with().exactly(processors).transport(transport).run(42, &a, y),
    );
}

#[test]
fn line_by_line_is_identical() {
    let mut draw = Draw::new(150);
    let b: Vec<f64> = draw.words(43);
    let input: (Vec<f64>,) = (draw.words(1849),);
    verify::identical(
        &[5],
        &input,
        |(a,)| line_by_line(43, &b, a),
        |processors, transport, (a,)| line_by_line::with().exactly(processors).transport(transport).run(43, &b, a),
    );
}

#[test]
fn triangle_of_sums_is_identical() {
    let mut draw = Draw::new(151);
    let input: (Vec<f64>, Vec<f64>,) = (draw.words(2704), draw.words(52),);
    verify::identical(
        &[2, 3],
        &input,
        |(a, y,)| triangle_of_sums(52, a, y),
        |processors, transport, (a, y,)| triangle_of_sums::with().exactly(processors).transport(transport).run(52, a, y),
    );
}

#[test]
fn from_the_last_is_identical() {
    let mut draw = Draw::new(152);
    let b: Vec<f64> = draw.words(38);
    let f: Vec<f64> = draw.words(38);
    let input: (Vec<f64>,) = (draw.words(1444),);
    verify::identical(
        &[1],
        &input,
        |(a,)| from_the_last(38, &b, &f, a),
        |processors, transport, (a,)| from_the_last::with().exactly(processors).transport(transport).run(38, &b, &f, a),
    );
}

#[test]
fn pages_apart_is_identical() {
    let mut draw = Draw::new(153);
    let u: Vec<f64> = draw.words(336);
    let input: (Vec<f64>,) = (draw.words(25600),);
    verify::identical(
        &[2],
        &input,
        |(a,)| pages_apart(42, &u, a),
        |processors, transport, (a,)| pages_apart::with().exactly(processors).transport(transport).run(42, &u, a),
    );
}

#[test]
fn overlapping_lines_is_identical() {
    let mut draw = Draw::new(154);
    let b: Vec<f64> = draw.words(41);
    let input: (Vec<f64>,) = (draw.words(861),);
    verify::identical(
        &[2, 5],
        &input,
        |(a,)| overlapping_lines(41, &b, a),
        |processors, transport, (a,)| overlapping_lines::with().exactly(processors).transport(transport).run(41, &b, a),
    );
}

#[test]
fn steps_apart_is_identical() {
    let mut draw = Draw::new(155);
    let b: Vec<f64> = draw.words(480);
    let input: (Vec<f64>,) = (draw.words(480),);
    verify::identical(
        &[3],
        &input,
        |(a,)| steps_apart(40, &b, a),
        |processors, transport, (a,)| steps_apart::with().exactly(processors).transport(transport).run(40, &b, a),
    );
}
