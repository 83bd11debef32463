//! LU factorisation of matrices of 128 and 256 rows.
//!
//! `build.rs` has superstep watch [`lu`](fn@kernels::lu) once for each size and generate a parallel
//! program for each number of processors; `main.rs` runs them beside the original.

pub mod kernels;

/// A row-major `n` x `n` matrix that needs no pivoting: its diagonal dominates every row.
pub fn matrix(n: usize) -> Vec<f64> {
    let element = |i: usize, j: usize| {
        let off_diagonal = ((37 * i + 17 * j) % 101) as f64 / 101.0;
        if i == j {
            off_diagonal + n as f64
        } else {
            off_diagonal
        }
    };
    (0..n * n).map(|e| element(e / n, e % n)).collect()
}
