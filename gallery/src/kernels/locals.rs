// Written by superstep-gallery-generator; do not edit.
//! Local arrays, temporaries, scalars in and out.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// The second of a value's two equal copies: a pure function.
fn twice<T: Copy>(value: T) -> T {
    [value, value][1]
}

/// One of two values.
fn later<T>(first: T, second: T, choice: usize) -> T {
    if choice % 3 == 0 { first } else { second }
}

/// A local array that is overwritten again and again.
#[kernel]
pub fn ring(n: usize, a: &mut [f64]) {
    let mut ring: [f64; 8] = [0.19_f64; 8];
    for i in 0..n {
        ring[i % 8] = (ring[i % 8].max(a[i]));
        a[i] = ring[(i + 3) % 8];
    }
}

/// A local array that is overwritten again and again.
#[kernel]
pub fn ring_too(n: usize, a: &mut [bool]) {
    let mut ring: [bool; 8] = [false; 8];
    for i in 0..n {
        ring[i % 8] = (a[i] != (ring[(i + 5) % 8] && ring[i % 8]));
        a[i] = ring[(i + 3) % 8];
    }
}

/// Through a local nested array and back, block by block.
#[kernel]
pub fn blocks(n: usize, a: &mut [Complex<f64>]) {
    let mut block: [[Complex<f64>; 4]; 4] = [[Complex::new(0.12, -0.5); 4]; 4];
    for top in (0..n).step_by(4) {
        for left in (0..n).step_by(4) {
            for i in 0..4 {
                for j in 0..4 {
                    block[i][j] = (0.5 * (block[j][i] + a[(top + i) * n + left + j]));
                }
            }
            for i in 0..4 {
                for j in 0..4 {
                    a[(top + i) * n + left + j] = (block[i][j].conj() - a[(top + i) * n + left + j].scale(0.5));
                }
            }
        }
    }
}

/// Through a local nested array and back, block by block.
#[kernel]
pub fn blocks_too(n: usize, a: &mut [u64]) {
    let mut block: [[u64; 4]; 4] = [[87_u64; 4]; 4];
    for top in (0..n).step_by(4) {
        for left in (0..n).step_by(4) {
            for i in 0..4 {
                for j in 0..4 {
                    block[i][j] = (a[(top + i) * n + left + j] % ((block[j][i] & 15) + 2));
                }
            }
            for i in 0..4 {
                for j in 0..4 {
                    a[(top + i) * n + left + j] = (match a[(top + i) * n + left + j] & 3 { 0 => block[j][i], 1 => block[i][j], _ => a[(top + i) * n + left + j].wrapping_neg() });
                }
            }
        }
    }
}

/// Names that hide one another, in nested blocks.
#[kernel]
pub fn shadows(n: usize, a: &mut [Pair], b: &[Pair]) {
    for i in 0..n {
        let t: Pair = (b[i].mix(a[i]));
        {
            let t: Pair = (Pair { n: t.n.wrapping_add(1), ..b[i + 1] });
            let t: Pair = (Pair { x: 0.5 * t.x, n: a[i + 1].n ^ 5 });
            a[i + 1] = t;
        }
        let i = n - 1 - i;
        a[i] = (a[i].mix(t));
    }
}

/// Names that hide one another, in nested blocks.
#[kernel]
pub fn shadows_too(n: usize, a: &mut [f64], b: &[f64]) {
    for i in 0..n {
        let t: f64 = (b[i].abs().sqrt() - 0.5 * a[i]);
        {
            let t: f64 = (0.75 - b[i + 1]);
            let t: f64 = (a[i + 1] * t - 0.25 * a[i + 1]);
            a[i + 1] = t;
        }
        let i = n - 1 - i;
        a[i] = (t.hypot(a[i]) - 0.75);
    }
}

/// One temporary for everything, and a chain through it.
#[kernel]
pub fn reused(n: usize, a: &mut [u16], b: &[u16]) {
    let mut t: u16 = 36_u16;
    for i in 0..n {
        for j in 0..i {
            t = (t.min(a[i]) ^ b[j]);
            t |= ((a[j] ^ (b[i] >> 1))) & 5;
            a[j] = t;
        }
        if i % 4 == 0 {
            t = b[i];
        }
    }
}

/// One temporary for everything, and a chain through it.
#[kernel]
pub fn reused_too(n: usize, a: &mut [Complex<f64>], b: &[Complex<f64>]) {
    let mut t: Complex<f64> = Complex::new(0.99, -0.5);
    for i in 0..n {
        for j in 0..i {
            t = (if b[j].re < t.re { a[i] } else { b[j] * Complex::i() });
            t /= 1.5 + ((Complex::new(b[i].re, -a[j].im))).norm_sqr();
            a[j] = t;
        }
        if i % 4 == 0 {
            t = b[i];
        }
    }
}

/// Scalars in by value, out by reference.
#[kernel]
pub fn scalars(n: usize, weight: f32, a: &mut [f32], total: &mut f32, last: &mut f32) {
    for i in 0..n {
        *total -= 0.25 * ((if weight > 0.0 && a[i] > 0.0 { weight } else { 0.5 - weight }));
        a[i] = (a[i].mul_add((*last), 0.5 * weight));
        *last = a[i];
    }
}

/// Scalars in by value, out by reference.
#[kernel]
pub fn scalars_too(n: usize, weight: Pair, a: &mut [Pair], total: &mut Pair, last: &mut Pair) {
    for i in 0..n {
        *total = ((weight.mix(a[i]))).mix(Pair { x: 0.5, n: 3 });
        a[i] = (if a[i].n < (*last).n { weight } else { a[i].mix(a[i]) });
        *last = a[i];
    }
}

/// Nested fixed arrays, in and out.
#[kernel]
pub fn nested(cube: &mut [[[bool; 4]; 4]; 5], plane: &mut [[bool; 4]; 4], line: &[bool; 4]) {
    for i in 1..5 {
        for j in 0..4 {
            for k in 0..4 {
                cube[i][j][k] = (cube[i][j][k] && !plane[j][k] || cube[i - 1][k][j]);
            }
        }
    }
    for j in 0..4 {
        for k in (0..4).rev() {
            plane[j][k] = (match (cube[4][j][k], cube[0][k][j]) { (true, false) => line[j], (x, y) => x == y });
        }
    }
}

/// Nested fixed arrays, in and out.
#[kernel]
pub fn nested_too(cube: &mut [[[u16; 4]; 4]; 5], plane: &mut [[u16; 4]; 4], line: &[u16; 4]) {
    for i in 1..5 {
        for j in 0..4 {
            for k in 0..4 {
                cube[i][j][k] = (if cube[i][j][k] < plane[j][k] { cube[i - 1][k][j] } else { cube[i][j][k].wrapping_add(1) });
            }
        }
    }
    for j in 0..4 {
        for k in (0..4).rev() {
            plane[j][k] = (line[j].saturating_sub(cube[4][j][k]));
        }
    }
}

/// A running value for each row, and one over all rows.
#[kernel]
pub fn running(n: usize, m: usize, a: &[u64], b: &[u64], sums: &mut [u64], all: &mut u64) {
    *all = 45_u64;
    for i in 0..n {
        let mut sum: u64 = 45_u64;
        for j in 0..m {
            sum &= ((a[i * m + j].max(b[j]))) | 90;
        }
        sums[i] = sum;
        *all = (sum.overflowing_add((*all)).0);
    }
}

/// A running value for each row, and one over all rows.
#[kernel]
pub fn running_too(n: usize, m: usize, a: &[f32], b: &[f32], sums: &mut [f32], all: &mut f32) {
    *all = 0.85_f32;
    for i in 0..n {
        let mut sum: f32 = 0.85_f32;
        for j in 0..m {
            sum %= 1.0 + ((b[j] * a[i * m + j] - 0.25 * b[j])).abs();
        }
        sums[i] = sum;
        *all = (sum.min((*all)) - 0.125);
    }
}

/// Control values as operands, and reads that control guards.
#[kernel]
pub fn operands(n: usize, a: &mut [f64], b: &[f64]) {
    for i in 0..n {
        a[i] = ((i * i) as f64 * 0.01);
    }
    for i in (0..n).rev() {
        a[i] = (if a[i] < ((n - i) as f64 * 0.01) { a[i / 2] } else { 0.5 * a[i] });
    }
    for i in 0..n {
        a[i] = ((if i % 3 == 0 { b[i] } else { a[i] }) / (1.5 + (if i > 0 { a[i - 1] } else { b[0] }) * (if i > 0 { a[i - 1] } else { b[0] })));
    }
}

/// Control values as operands, and reads that control guards.
#[kernel]
pub fn operands_too(n: usize, a: &mut [bool], b: &[bool]) {
    for i in 0..n {
        a[i] = ((i * i) % 2 == 0);
    }
    for i in (0..n).rev() {
        a[i] = (((n - i) % 2 == 0) ^ a[i / 2]);
    }
    for i in 0..n {
        a[i] = ((if i % 3 == 0 { b[i] } else { a[i] }) != ((if i > 0 { a[i - 1] } else { b[0] }) && (if i % 3 == 0 { b[i] } else { a[i] })));
    }
}

/// Calls a pure function of the module.
#[kernel]
pub fn helper(n: usize, a: &mut [Complex<f64>]) {
    for i in 1..n {
        a[i] = (0.7 * (twice(a[i]) * a[n - 1 - i]));
        a[i - 1] = later(a[i - 1], twice(a[i]), i);
    }
}

/// Calls a pure function of the module.
#[kernel]
pub fn helper_too(n: usize, a: &mut [u64]) {
    for i in 1..n {
        a[i] = (a[n - 1 - i] ^ (twice(a[i]) >> 1));
        a[i - 1] = later(a[i - 1], twice(a[i]), i);
    }
}
