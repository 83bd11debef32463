//! Kernels whose first calls are measured: one of 40 us that no program makes faster, and one of 10 ms
//! that programs do.

use superstep::kernel;

/// Reduces the row-major `m` x `n` matrix `a` to upper triangular form by Givens rotations.
#[kernel]
pub(crate) fn givens(m: usize, n: usize, a: &mut [f64]) {
    for j in 0..n {
        for i in (j + 1..m).rev() {
            let x = a[(i - 1) * n + j];
            let y = a[i * n + j];
            let r = (x * x + y * y).sqrt();
            let c = x / r;
            let s = y / r;
            for k in j..n {
                let u = a[(i - 1) * n + k];
                let v = a[i * n + k];
                a[(i - 1) * n + k] = c * u + s * v;
                a[i * n + k] = c * v - s * u;
            }
        }
    }
}

/// Replaces a row-major `n` x `n` grid so many times by the means of neighbours, from `u` to `v` and
/// back (Jacobi).
#[kernel]
pub(crate) fn jacobi(n: usize, pairs: usize, u: &mut [f64], v: &mut [f64]) {
    for _ in 0..pairs {
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
