// Written by superstep-gallery-generator; do not edit.
use superstep_gallery::kernels::library::*;
use superstep_gallery::{Draw, verify};

#[test]
fn powers_is_identical() {
    let mut draw = Draw::new(156);
    let input: (Vec<f64>,) = (draw.words(8),);
    verify::identical(
        &[1, 2],
        &input,
        |(x,)| powers(x),
        |processors, transport, (x,)| powers::with().exactly(processors).transport(transport).run(x),
    );
}

#[test]
fn activations_is_identical() {
    let mut draw = Draw::new(157);
    let input: (Vec<f32>,) = (draw.words(8),);
    verify::identical(
        &[5],
        &input,
        |(x,)| activations(x),
        |processors, transport, (x,)| activations::with().exactly(processors).transport(transport).run(x),
    );
}

#[test]
fn decibels_is_identical() {
    let mut draw = Draw::new(158);
    let input: (Vec<f32>,) = (draw.words(6),);
    verify::identical(
        &[2, 3],
        &input,
        |(x,)| decibels(x),
        |processors, transport, (x,)| decibels::with().exactly(processors).transport(transport).run(x),
    );
}

#[test]
fn angles_is_identical() {
    let mut draw = Draw::new(159);
    let input: (Vec<f64>,) = (draw.words(6),);
    verify::identical(
        &[1],
        &input,
        |(x,)| angles(x),
        |processors, transport, (x,)| angles::with().exactly(processors).transport(transport).run(x),
    );
}

#[test]
fn window_is_identical() {
    let mut draw = Draw::new(160);
    let input: (Vec<f32>, Vec<f32>,) = (draw.words(64), draw.words(4),);
    verify::identical(
        &[2],
        &input,
        |(x, lines,)| window(64, x, lines),
        |processors, transport, (x, lines,)| window::with().exactly(processors).transport(transport).run(64, x, lines),
    );
}
