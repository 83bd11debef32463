// Written by superstep-gallery-generator; do not edit.
//! Kernels of more than 100000 tasks.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

/// LU factorisation.
#[kernel]
pub fn factor(n: usize, a: &mut [f64]) {
    for k in 0..n {
        for i in k + 1..n {
            a[i * n + k] /= 20.0 + a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}

/// Cholesky factorisation, column by column.
#[kernel]
pub fn cholesky(n: usize, a: &mut [f64]) {
    for j in 0..n {
        for k in 0..j {
            a[j * n + j] -= a[j * n + k] * a[j * n + k];
        }
        a[j * n + j] = (20.0 + a[j * n + j]).sqrt();
        for i in j + 1..n {
            for k in 0..j {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] /= a[j * n + j];
        }
    }
}

/// Matrix product, inner products.
#[kernel]
pub fn multiply_by_rows(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum: f32 = 0.0;
            for k in 0..n {
                sum = a[i * n + k].mul_add(b[k * n + j], sum);
            }
            c[i * n + j] = sum;
        }
    }
}

/// Matrix product, outer products, integers that wrap.
#[kernel]
pub fn multiply_outer(n: usize, a: &[i64], b: &[i64], c: &mut [i64]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = c[i * n + j].wrapping_add(a[i * n + k].wrapping_mul(b[k * n + j]));
            }
        }
    }
}

/// Sums of columns, each word with a weight of its own: words that stand apart, and numbers of iterations.
#[kernel]
pub fn weighted_columns(n: usize, a: &[f64], y: &mut [f64]) {
    for j in 0..n {
        for i in 0..n {
            y[i] += a[i * n + j] * ((i + j) as f64 * 0.01);
        }
    }
}

/// Backward substitution for many right-hand sides.
#[kernel]
pub fn backward_many(n: usize, sides: usize, u: &[f64], x: &mut [f64]) {
    for i in (0..n).rev() {
        for j in (i + 1..n).rev() {
            for s in 0..sides {
                x[i * sides + s] -= 0.1 * u[i * n + j] * x[j * sides + s];
            }
        }
        for s in 0..sides {
            x[i * sides + s] /= 2.0 + u[i * n + i];
        }
    }
}

/// Gram-Schmidt, the modified form.
#[kernel]
pub fn orthogonalise(n: usize, q: &mut [f64]) {
    for k in 0..n {
        let mut norm: f64 = 0.0;
        for i in 0..n {
            norm += q[i * n + k] * q[i * n + k];
        }
        for i in 0..n {
            q[i * n + k] /= norm.sqrt();
        }
        for j in k + 1..n {
            let mut product: f64 = 0.0;
            for i in 0..n {
                product += q[i * n + k] * q[i * n + j];
            }
            for i in 0..n {
                q[i * n + j] -= product * q[i * n + k];
            }
        }
    }
}

/// Many tridiagonal systems, by elimination.
#[kernel]
pub fn tridiagonal(systems: usize, n: usize, c: &mut [f64], d: &mut [f64]) {
    for s in 0..systems {
        c[s * n] /= 4.0;
        d[s * n] /= 4.0;
        for i in 1..n {
            let pivot: f64 = 4.0 - c[s * n + i - 1];
            c[s * n + i] /= pivot;
            d[s * n + i] = (d[s * n + i] - d[s * n + i - 1]) / pivot;
        }
        for i in (0..n - 1).rev() {
            d[s * n + i] -= c[s * n + i] * d[s * n + i + 1];
        }
    }
}

/// One dimension, two buffers in one nested array.
#[kernel]
pub fn heat(steps: usize, u: &mut [[f64; 402]; 2]) {
    for s in 0..steps {
        for i in 1..=400 {
            u[(s + 1) % 2][i] = 0.25 * (u[s % 2][i - 1] + 2.0 * u[s % 2][i] + u[s % 2][i + 1]);
        }
    }
}

/// Five points, in place.
#[kernel]
pub fn gauss_seidel(n: usize, sweeps: usize, u: &mut [f64]) {
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + u[(i + 1) * n + j]);
            }
        }
    }
}

/// Five points, in place, in two colours.
#[kernel]
pub fn red_black(n: usize, sweeps: usize, u: &mut [f32]) {
    for _ in 0..sweeps {
        for colour in 0..2 {
            for i in 1..n - 1 {
                for j in (1 + (i + colour) % 2..n - 1).step_by(2) {
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + u[(i + 1) * n + j]);
                }
            }
        }
    }
}

/// Rule 110, the whole history kept.
#[kernel]
pub fn automaton(steps: usize, n: usize, cell: &mut [bool]) {
    for s in 0..steps {
        for i in 0..n {
            let left = (i + n - 1) % n;
            let right = (i + 1) % n;
            cell[(s + 1) * n + i] = (cell[s * n + i] || cell[s * n + right])
            && !(cell[s * n + left] && cell[s * n + i] && cell[s * n + right]);
        }
    }
}

/// The fast Walsh-Hadamard transform.
#[kernel]
pub fn hadamard(n: usize, x: &mut [i64]) {
    let mut half = 1;
    while half < n {
        for start in (0..n).step_by(2 * half) {
            for i in start..start + half {
                let sum: i64 = x[i].wrapping_add(x[i + half]);
                let difference: i64 = x[i].wrapping_sub(x[i + half]);
                x[i] = sum;
                x[i + half] = difference;
            }
        }
        half <<= 1;
    }
    for round in 0..3 {
        for i in (0..n).rev() {
            x[i] ^= x[(i * 5 + round) % n];
        }
    }
}

/// A sorting network.
#[kernel]
pub fn bitonic(n: usize, x: &mut [i32]) {
    let mut size = 2;
    while size <= n {
        let mut stride = size / 2;
        while stride > 0 {
            for i in 0..n {
                let other = i ^ stride;
                if other > i {
                    let low: i32 = x[i].min(x[other]);
                    let high: i32 = x[i].max(x[other]);
                    if i & size == 0 {
                        x[i] = low;
                        x[other] = high;
                    } else {
                        x[i] = high;
                        x[other] = low;
                    }
                }
            }
            stride /= 2;
        }
        size *= 2;
    }
}

/// Prefix sums in logarithmic depth.
#[kernel]
pub fn scan(n: usize, x: &mut [u32], y: &mut [u32]) {
    let mut distance = 1;
    while distance < n {
        for i in 0..n {
            y[i] = if i >= distance { x[i].wrapping_add(x[i - distance]) } else { x[i] };
        }
        for i in 0..n {
            x[i] = y[i];
        }
        distance *= 2;
    }
}

/// A fast Fourier transform.
#[kernel]
pub fn fourier(n: usize, twiddle: &[Complex<f64>], x: &mut [Complex<f64>]) {
    for i in 0..n {
        let j = i.reverse_bits() >> (n.leading_zeros() + 1);
        if i < j {
            let moved: Complex<f64> = x[i];
            x[i] = x[j];
            x[j] = moved;
        }
    }
    let mut half = 1;
    while half < n {
        for start in (0..n).step_by(2 * half) {
            for k in 0..half {
                let odd: Complex<f64> = 0.7 * twiddle[k * (n / (2 * half))] * x[start + half + k];
                x[start + half + k] = x[start + k] - odd;
                x[start + k] += odd;
            }
        }
        half *= 2;
    }
    for _ in 0..10 {
        for i in 0..n {
            x[i] *= 0.9;
        }
    }
}

/// A long signal and a short one.
#[kernel]
pub fn convolution(n: usize, taps: usize, x: &[u16], tap: &[u16], y: &mut [u16]) {
    for k in (0..taps).rev() {
        for i in 0..n {
            y[i] = y[i].wrapping_add(tap[k].wrapping_mul(x[i + k]));
        }
    }
}

/// Shortest paths between all pairs.
#[kernel]
pub fn all_paths(d: &mut [[u32; 48]; 48]) {
    for k in 0..48 {
        for i in 0..48 {
            for j in 0..48 {
                d[i][j] = d[i][j].min(d[i][k].saturating_add(d[k][j]));
            }
        }
    }
}

/// Between two words.
#[kernel]
pub fn edit_distance(n: usize, a: &[u8], b: &[u8], d: &mut [u32]) {
    for j in 0..=n {
        d[j] = j as u32;
    }
    for i in 1..=n {
        d[i * (n + 1)] = i as u32;
        for j in 1..=n {
            d[i * (n + 1) + j] = (d[(i - 1) * (n + 1) + j - 1] + (a[i - 1] & 3 != b[j - 1] & 3) as u32)
            .min(d[(i - 1) * (n + 1) + j].min(d[i * (n + 1) + j - 1]) + 1);
        }
    }
}

/// Local alignment of two words, and the best score.
#[kernel]
pub fn alignment(n: usize, a: &[u8], b: &[u8], h: &mut [i32], best: &mut i32) {
    *best = 0;
    for i in 0..=n {
        h[i] = 0;
        h[i * (n + 1)] = 0;
    }
    for i in 1..=n {
        for j in 1..=n {
            h[i * (n + 1) + j] = match a[i - 1] & 3 == b[j - 1] & 3 {
                true => h[(i - 1) * (n + 1) + j - 1] + 3,
                false => (h[(i - 1) * (n + 1) + j].max(h[i * (n + 1) + j - 1]) - 2).max(0),
            };
            *best = (*best).max(h[i * (n + 1) + j]);
        }
    }
}

/// In place, capacities downwards.
#[kernel]
pub fn knapsack(items: usize, capacity: usize, value: &[u64], best: &mut [u64]) {
    for i in 0..items {
        let weight = i % 7 + 1;
        for c in (weight..=capacity).rev() {
            best[c] = best[c].max(best[c - weight].wrapping_add(value[i] >> 20));
        }
    }
}

/// The best order of a chain of products.
#[kernel]
pub fn parentheses(n: usize, p: &[u64], cost: &mut [u64]) {
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            cost[i * n + j] = u64::MAX;
            for k in i..j {
                cost[i * n + j] = cost[i * n + j].min(
                    (cost[i * n + k] >> 2) + (cost[(k + 1) * n + j] >> 2) + ((p[i] & 255) * (p[k + 1] & 255) * (p[j + 1] & 255)),
                );
            }
        }
    }
}

/// Iterates z to z * z + c on a grid, by `if` expressions on data.
#[kernel]
pub fn escape(n: usize, steps: usize, count: &mut [u32]) {
    for y in 0..n {
        for x in 0..n {
            let mut z: Complex<f64> = Complex::new(0.0, 0.0);
            for _ in 0..steps {
                z = if z.norm_sqr() < 4.0 {
                    z * z + Complex::new(x as f64 / 22.0 - 1.5, y as f64 / 22.0 - 1.0)
                } else {
                    z
                };
                count[y * n + x] ^= (z.norm_sqr() < 4.0) as u32 + 2;
            }
        }
    }
}

/// The pull of all bodies on each.
#[kernel]
pub fn bodies(n: usize, x: &[f64], force: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            if i != j {
                force[i] += (x[j] - x[i]) / ((x[j] - x[i]).abs().powi(3) + 0.01);
            }
        }
    }
}

/// Lanes that are mixed and shuffled.
#[kernel]
pub fn hash(rounds: usize, lane: &mut [u64]) {
    for r in 0..rounds {
        for i in 0..64 {
            lane[i] = (lane[i] ^ lane[(i + r) % 64].rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(r as u64);
        }
    }
}

/// One polynomial at many points.
#[kernel]
pub fn horner(points: usize, degree: usize, c: &[f64], x: &mut [f64]) {
    for p in 0..points {
        let mut value: f64 = 0.0;
        for k in (0..degree).rev() {
            value = value * x[p] + c[k];
        }
        x[p] = value.sin();
    }
}
