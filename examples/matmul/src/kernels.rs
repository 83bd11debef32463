//! Kernel in a file of its own, which the crate, its build script and `bench/kernels` compile.

use superstep::kernel;

/// Puts the product of the row-major `n` x `n` matrices `a` and `b` into `c`.
#[kernel]
pub fn matmul(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            c[i * n + j] = 0.0;
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}
