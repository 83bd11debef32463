//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// Computes one Jacobi iteration for the dense system `a y = b`, from guess `x` to guess `y`.
///
/// `a` is row-major, of `n` rows. `change` receives the Euclidean norm of `y - x`.
#[kernel]
pub fn jacobi_solve(n: usize, a: &[f64], b: &[f64], x: &[f64], y: &mut [f64], change: &mut f64) {
    for i in 0..n {
        let mut sum: f64 = 0.0;
        for j in 0..n {
            if j != i {
                sum += a[i * n + j] * x[j];
            }
        }
        y[i] = (b[i] - sum) / a[i * n + i];
    }
    *change = 0.0;
    for i in 0..n {
        *change += (y[i] - x[i]) * (y[i] - x[i]);
    }
    *change = change.sqrt();
}
