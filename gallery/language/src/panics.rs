//! Kernels that panic where their data says so.

use steps::kernel;

/// The table in which values are looked up.
const TABLE: [u64; 4] = [2, 3, 5, 7];

fn root(value: i64) -> f64 {
    assert!(value >= 0, "no root of {value}");
    (value as f64).sqrt()
}

/// Looks up, divides, and takes roots, each in a statement of its own.
#[kernel]
pub fn risks(n: usize, at: &[usize], by: &[u64], of: &[i64], x: &mut [u64], y: &mut [f64]) {
    for i in 0..n {
        x[i] = TABLE[at[i]];
        x[i] /= by[i];
        y[i] = root(of[i]);
    }
}
