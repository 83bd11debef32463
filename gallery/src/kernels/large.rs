// Written by superstep-gallery-generator; do not edit.
//! Kernels of more than 100000 tasks.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

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

/// A random nest over `f32`.
#[kernel]
pub fn large_nest_0(n: usize, a: &mut [f32], b: &[f32], c: &mut [f32], s: &mut f32) {
    let mut w: [f32; 331] = [0.61_f32; 331];
    for i1 in 0..n {
        for i2 in 0..n {
            a[i2 + i1] = if c[n - i1] > 0.0 && (if i1 > 0 { a[i1 - 1] } else { 0.72_f32 }) > 0.0 { w[i2 + 1] } else { 0.5 - c[n - i1] };
            if i2 > 0 {
                c[i1] = c[i2].abs().sqrt() - 0.5 * 0.89_f32;
            }
            a[i1 + 1] /= 1.25 + (a[2 * i1 + 1].min(a[(i2 + 3 * i1) % 17]) - 0.125).abs();
        }
    }
}

/// A random nest over `u32`.
#[kernel]
pub fn large_nest_1(n: usize, a: &mut [u32], b: &[u32], c: &mut [u32], grid: &mut [[u32; 1]; 1], s: &mut u32) {
    let mut w: [u32; 1] = [87_u32; 1];
    for i1 in (0..n).rev() {
        for i2 in 0..n {
            for i3 in (0..n).rev() {
                a[(i1 + 3 * i3) % 17] = (*s).overflowing_add((*s)).0;
                a[i3 / 2] = match c[i3 * (n + 2) + i3] & 3 { 0 => (i2 as u32), 1 => (if i1 > 0 { a[i1 - 1] } else { 78_u32 }), _ => c[i3 * (n + 2) + i3].wrapping_neg() };
            }
        }
    }
}

/// A random nest over `u16`.
#[kernel]
pub fn large_nest_2(n: usize, a: &mut [u16], b: &[u16], c: &mut [u16], s: &mut u16) {
    for i1 in 1..=n {
        for i2 in (0..n).rev() {
            a[(i1 + 3 * i2) % 17] %= (((c[(i2 + 3 * i2) % 17].rotate_left(3) ^ (*s)).min((*s)) ^ c[(i2 + 3 * i2) % 17]) & 31) + 3;
            {
                let t: u16 = b[i1 * (n + 2) + i2].wrapping_mul((i2 as u16)).wrapping_sub((*s));
                let t: u16 = (*s) ^ (c[i1 + i1] >> 1);
                c[i2] = b[(i2 + 3 * i2) % 17].checked_mul(t).unwrap_or((*s));
            }
            c[i1 + i1] = (i1 as u16) % ((c[2 * i1 + 1] & 15) + 2);
        }
    }
}

/// A random nest over `u8`.
#[kernel]
pub fn large_nest_3(n: usize, a: &mut [u8], b: &[u8], c: &mut [u8], s: &mut u8) {
    let mut w: [u8; 50] = [22_u8; 50];
    for i1 in 0..n {
        for i2 in 0..n {
            let mut t3: u8 = (i2 as u8).rotate_left(3) ^ c[i1 + 1];
            for i4 in (0..n).rev() {
                a[i4 * (n + 2) + i4] = (if i4 > 0 { a[i4 - 1] } else { 18_u8 }).overflowing_add(17_u8).0;
                w[i4] = c[2 * i2 + 1].min(b[i4 / 2]) ^ w[i2 / 2];
            }
        }
    }
}

/// A random nest over `Pair`.
#[kernel]
pub fn large_nest_4(n: usize, a: &mut [Pair], b: &[Pair], c: &mut [Pair], s: &mut Pair) {
    for i1 in (0..n).rev() {
        let mut t2: Pair = Pair { n: b[i1 * (n + 2) + i1].n.wrapping_add(1), ..(0.5 * ((Pair { x: 0.33, n: 33 }) + (Pair { x: 0.98, n: 98 }))) };
        for i3 in 1..=n {
            a[i3 * (n + 2) + i3] += 0.25 * (if (*s).n < b[i3].n { b[(i3 + 3 * i3) % 17] } else { (*s).mix((*s)) });
            a[i3 * (n + 2) + i3] = (Pair { x: c[2 * i1 + 1].x.max(a[i3 * (n + 2) + i3].x), n: (*s).n.rotate_right(1) }).mix(Pair { x: 0.5, n: 3 });
            *s = 0.5 * (a[i3 - 1] + c[i3 * (n + 2) + i3]);
        }
    }
}

/// A random nest over `usize`.
#[kernel]
pub fn large_nest_5(n: usize, a: &mut [usize], b: &[usize], c: &mut [usize], grid: &mut [[usize; 51]; 51], s: &mut usize) {
    let mut w: [usize; 51] = [71_usize; 51];
    for i1 in (0..n).rev() {
        let mut t2: usize = b[i1 + i1] ^ ((if i1 > 0 { a[i1 - 1] } else { 15_usize }) >> 1);
        for i3 in (0..n).rev() {
            c[i1 + 1] = a[i3 + 1].saturating_sub(w[n - i1]);
            for i4 in 1..=n {
                a[i3] &= (match (if i3 > 0 { a[i3 - 1] } else { 1_usize }) & 3 { 0 => b[i1 + 1], 1 => b[i4 * (n + 2) + i4], _ => (if i3 > 0 { a[i3 - 1] } else { 1_usize }).wrapping_neg() }) | 90;
                if (i4 + i1) % 2 == 0 && i4 != n / 2 {
                    w[i4] = (if i4 > 0 { a[i4 - 1] } else { 27_usize }) % ((w[i4] & 15) + 2);
                } else {
                    t2 /= ((grid[n - i3][n - i3] / ((b[i4 * (n + 2) + i4] & 7) + 1)) & 1) + 1;
                }
                grid[i4][(i3 + 3 * i3) % 17] = (i1 as usize).wrapping_mul(78_usize).wrapping_sub((if i3 > 0 { a[i3 - 1] } else { 1_usize }));
            }
        }
        w[i1] <<= 1;
    }
}
