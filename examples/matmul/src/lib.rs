//! Products of matrices of 64 and 256 rows.

pub mod kernels;

/// Two row-major `n` x `n` matrices.
pub fn factors(n: usize) -> [Vec<f64>; 2] {
    let matrix = |across: usize, down: usize| {
        let element = |e: usize| ((across * (e % n) + down * (e / n)) % 97) as f64 / 97.0 - 0.5;
        (0..n * n).map(element).collect()
    };
    [matrix(31, 19), matrix(23, 41)]
}
