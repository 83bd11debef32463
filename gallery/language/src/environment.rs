//! Kernels whose control reads constants and functions, which may differ between the build script
//! and the crate: `in_the_crate` is set for the crate alone.

#![allow(
    unexpected_cfgs,
    reason = "cargo tells the crate of it, not the build script"
)]

use steps::kernel;

/// Twice as many in the crate.
pub const WIDE: usize = if cfg!(in_the_crate) { 8 } else { 4 };

/// Alike on both sides.
pub const NARROW: [usize; 3] = [1, 2, 4];

/// Alike on both sides, and no integer.
pub const BOUND: f64 = 2.5;

/// More in the crate, for 5.
pub fn width(k: usize, odd: bool) -> usize {
    1 + usize::from(cfg!(in_the_crate) && k == 5 && odd)
}

/// Alike on both sides.
pub fn half(k: i64) -> i64 {
    k / 2
}

/// Control reads a constant that differs.
#[kernel]
pub fn strided(n: usize, x: &mut [f64]) {
    for i in 0..n / WIDE {
        x[i * WIDE] *= 1.5;
    }
}

/// Control calls a function that differs.
#[kernel]
pub fn widened(n: usize, x: &mut [f64]) {
    for i in 0..n {
        for j in 0..width(i, i % 2 == 1) {
            x[i + j] += 0.5 * x[i];
        }
    }
}

/// Control asks what differs itself.
#[kernel]
pub fn asked(n: usize, x: &mut [f64]) {
    let first = if cfg!(in_the_crate) { 1 } else { 0 };
    for i in first..n {
        x[i] *= 0.5;
    }
}

/// An array is of another length.
#[kernel]
pub fn sized(x: &mut [[f64; WIDE]; 2]) {
    for i in 0..4usize {
        x[1][i] += x[0][i];
    }
}

/// Data reads a constant that differs, and control only what does not.
#[kernel]
pub fn scaled(n: usize, x: &mut [f64]) {
    for i in 0..n {
        let far = half(i as i64 - 3);
        if far < NARROW[2] as i64 && (i as f64) > BOUND {
            x[i] *= WIDE as f64;
        }
    }
}
