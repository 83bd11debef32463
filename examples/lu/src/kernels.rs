//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// Factors the row-major `n` x `n` matrix `a` in place into L (diagonal 1) and U, without pivoting.
#[kernel]
pub fn lu(n: usize, a: &mut [f64]) {
    for k in 0..n {
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}
