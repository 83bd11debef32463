// Written by superstep-gallery-generator; do not edit.
//! Loops whose lines are executed side by side, and some that only look so.

#![allow(unused, clippy::all)]

use superstep::kernel;

/// A sum for each line.
#[kernel]
pub fn matrix_vector(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            y[i] += a[i * n + j] * x[j];
        }
    }
}

/// Lines that read the same words, three at a time.
#[kernel]
pub fn rank_three(n: usize, u: &[f32], v: &[f32], a: &mut [f32]) {
    for k in 0..3 {
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] -= u[k * n + i] * v[k * n + j];
            }
        }
    }
}

/// Sums in three words, to which the lines add in turn.
#[kernel]
pub fn sums_in_turn(n: usize, a: &[u32], y: &mut [u32]) {
    for i in 0..n {
        for j in 0..n {
            y[i % 3] = y[i % 3].wrapping_mul(3).wrapping_add(a[i * n + j]);
        }
    }
}

/// Lines that read the same words, and what the line before wrote.
#[kernel]
pub fn line_by_line(n: usize, b: &[f64], a: &mut [f64]) {
    for i in 1..n {
        for j in 0..n {
            a[i * n + j] = 0.5 * a[i * n + j] + b[j] * a[(i - 1) * n + j];
        }
    }
}

/// A sum for each line of a triangle, and of what stands above it.
#[kernel]
pub fn triangle_of_sums(n: usize, a: &mut [f64], y: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            y[i] -= 0.01 * a[i * n + j] * y[j];
        }
    }
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] += 0.25 * a[j] * y[i];
        }
    }
}

/// Lines and words from the last to the first.
#[kernel]
pub fn from_the_last(n: usize, b: &[f64], f: &[f64], a: &mut [f64]) {
    for i in (0..n).rev() {
        for j in 0..n {
            a[i * n + j] += f[i] * b[j];
        }
    }
    for i in (0..n).rev() {
        for j in (0..n).rev() {
            a[i * n + j] *= b[j];
        }
    }
}

/// Lines whose words compete for one set of a cache, and more of them than it has places.
#[kernel]
pub fn pages_apart(n: usize, u: &[f64], a: &mut [f64]) {
    for k in 0..8 {
        for i in 0..n {
            for j in 0..24 {
                a[(8 + i) * 512 + j] -= u[k * n + i] * a[k * 512 + j];
            }
        }
    }
}

/// Lines that begin before the line before ends.
#[kernel]
pub fn overlapping_lines(n: usize, b: &[f64], a: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            a[20 * i + j] = b[j] - 0.5 * a[20 * i + j];
        }
    }
}

/// Words of which every fourth is read, then every eighth, then every twelfth.
#[kernel]
pub fn steps_apart(n: usize, b: &[f64], a: &mut [f64]) {
    for k in 0..3 {
        for i in 0..n {
            a[4 * (k * n + i)] += b[4 * (k + 1) * i];
        }
    }
}
