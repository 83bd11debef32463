//! Forward substitution with the lower factor of the five-point Laplacian on a grid of 300 x 300.
//!
//! The pattern is known when the crate is built, so the build script generates a program for it.
//! The values and the right-hand side may change from call to call.

pub mod kernels;
pub mod pattern;

/// Values for the entries of a lower triangle with row starts `row`: a diagonal of 4 and more, the
/// rest between -1 and 0.
pub fn values(row: &[usize]) -> Vec<f64> {
    let mut values = Vec::new();
    for ends in row.windows(2) {
        values.extend((ends[0]..ends[1] - 1).map(|e| -1.0 + (e % 13) as f64 / 13.0));
        values.push(4.0 + (ends[1] % 7) as f64 / 7.0);
    }
    values
}

/// A right-hand side of `n` words.
pub fn right_hand_side(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i % 19) as f64 - 9.0).collect()
}
