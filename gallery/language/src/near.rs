//! Kernels that read near what they write in the same array.

use steps::kernel;

/// Words ahead and behind, one and two off, by several statements; two of them write the array.
#[kernel]
pub fn both_sides(n: usize, x: &mut [f64], y: &mut [f64]) {
    for i in 2..n - 2 {
        x[i] = 0.5 * x[i + 1] + x[i - 2] - y[i];
        y[i] = x[i + 2] - 0.25 * x[i - 1];
        x[i + 1] = x[i] * y[i - 1] + x[i + 2];
    }
}

/// Lines of a triangle, and words that lie in other lines.
#[kernel]
pub fn triangle(n: usize, x: &mut [f64]) {
    for step in (0..n).rev() {
        for i in 0..step {
            x[i] = 0.75 * x[i + 1] - 0.5 * x[i] + x[n + i];
        }
    }
}

/// Words that are written so long before that vectors have none of them, and sooner.
#[kernel]
pub fn combs(n: usize, x: &[f32], y: &mut [f32], z: &mut [f32]) {
    for t in 70..n {
        y[t] = x[t] + 0.5 * y[t - 70];
        z[t] = y[t] - 0.25 * z[t - 3];
    }
}

/// Shortest paths by Floyd: a line reads one of its own words again and again.
#[kernel]
pub fn paths(n: usize, d: &mut [f64]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
}

/// Sums of every third word in a word that may be one of them.
#[kernel]
pub fn gathered(n: usize, into: usize, x: &mut [f64]) {
    for k in 0..n {
        x[into] = 0.5 * x[into] + x[3 * k + 1];
    }
}

/// Two sums in words that may be one, or words of each other's. Steps rise, fall, or go by words in
/// a row, beside an array that is written as a slice.
#[kernel]
pub fn sums(n: usize, a: usize, b: usize, x: &mut [f64], y: &mut [f64]) {
    for k in 0..n {
        x[a] = 0.5 * x[a] + x[3 * k + 2] - x[3 * n - 2 * k];
        x[b] = 0.25 * x[b] + x[a] * x[k + 40];
        y[k] = x[b] - x[a];
    }
}

/// Sums in two words, which are one in the last line.
#[kernel]
pub fn meeting(n: usize, x: &mut [f64]) {
    for line in 0..4 {
        for k in 0..n {
            x[line] = 0.5 * x[line] + x[3 * k + 8];
            x[3] = 0.25 * x[3] - x[line];
        }
    }
}
