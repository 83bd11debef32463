use superstep::kernel;

use std::mem::swap;

#[kernel]
fn k(x: &mut [f64], y: &mut [f64]) {
    swap(&mut x[0], &mut y[0]);
    std::mem::swap(&mut x[1], &mut y[1]);
}

fn main() {}
