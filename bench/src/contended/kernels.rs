//! Kernels whose first calls are measured. One of 40 us is made faster by no program; of the sweeps
//! of an example a hundred take 10 ms and gain.

#[allow(
    unreachable_pub,
    reason = "the file is an example's, which has it public"
)]
#[path = "../../../examples/jacobi/src/kernels.rs"]
pub(crate) mod sweeps;

use superstep::kernel;

/// Rounds of the sweeps: fewer in a debug build, which measures nothing and traces them all.
pub(crate) const ROUNDS: usize = if cfg!(debug_assertions) { 5 } else { 50 };

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
