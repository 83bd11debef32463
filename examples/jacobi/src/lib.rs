//! Ten sweeps of the five-point stencil over a grid of 512 x 512, between two buffers.

pub mod kernels;

/// A row-major `n` x `n` grid: warm at the top edge, cold elsewhere, uneven inside.
pub fn grid(n: usize) -> Vec<f64> {
    let value = |i: usize, j: usize| match i {
        0 => 100.0,
        _ => ((31 * i + 7 * j) % 97) as f64 / 97.0,
    };
    (0..n * n).map(|e| value(e / n, e % n)).collect()
}
