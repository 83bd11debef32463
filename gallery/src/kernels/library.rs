// Written by superstep-gallery-generator; do not edit.
//! Functions of the library, of control and of constants.

#![allow(unused, clippy::all)]

use superstep::kernel;

/// Powers whose exponents are control.
#[kernel]
pub fn powers(x: &mut [f64]) {
    for k in 0..8usize {
        x[k] = x[k].powi(k as i32 - 2) + 1.37_f64.powi(3 * k as i32) + f64::powi(x[k], -3);
    }
}

/// Functions of control alone.
#[kernel]
pub fn activations(x: &mut [f32]) {
    for k in 0..8usize {
        x[k] += ((k as f32) * 0.1371 + 0.0933).tanh() + (k as f32 * 0.71).exp() - (1.0 + k as f32).ln();
    }
}

/// Functions of a constant that is data.
#[kernel]
pub fn decibels(x: &mut [f32]) {
    let mut gain: f32 = 0.3137;
    for k in 0..6usize {
        x[k] = 20.0 * gain.log10() + gain.powi(3);
        gain = gain.cbrt();
    }
}

/// Functions of two numbers.
#[kernel]
pub fn angles(x: &mut [f64]) {
    for k in 0..6usize {
        let t: f64 = 0.1 * k as f64 - 0.27;
        x[k] += t.atan2(0.33) + t.abs().powf(1.0 / 3.0) + (2.5 + t).log(3.7) + f64::hypot(t, 1.1) + t.sin_cos().1;
    }
}

/// A window over a signal, and its spectrum's first lines.
#[kernel]
pub fn window(n: usize, x: &mut [f32], lines: &mut [f32]) {
    for i in 0..n {
        x[i] *= 0.5 - 0.5 * (i as f32 * 0.0997).cos();
    }
    for k in 0..4usize {
        lines[k] = 0.0;
        for i in 0..n {
            lines[k] += x[i] * ((k * i) as f32 * 0.098).sin();
        }
    }
}
