//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// Sweeps the five-point stencil over an `n` x `n` grid `2 * rounds` times, from `u` to `v` and back.
///
/// Both grids are row-major and carry the same boundary, which stays as it is; `u` holds the result.
#[kernel]
pub fn jacobi(n: usize, rounds: usize, u: &mut [f64], v: &mut [f64]) {
    for _ in 0..rounds {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                v[i * n + j] = 0.25
                    * (u[(i - 1) * n + j]
                        + u[i * n + j - 1]
                        + u[i * n + j + 1]
                        + u[(i + 1) * n + j]);
            }
        }
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                u[i * n + j] = 0.25
                    * (v[(i - 1) * n + j]
                        + v[i * n + j - 1]
                        + v[i * n + j + 1]
                        + v[(i + 1) * n + j]);
            }
        }
    }
}
