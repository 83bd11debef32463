// Written by superstep-gallery-generator; do not edit.
//! Random nests of three loops.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// A random nest over `f32`.
#[kernel]
pub fn nest_02(n: usize, m: usize, a: &mut [f32], b: &[f32], c: &mut [f32], s: &mut f32) {
    let mut w: [[f32; 17]; 17] = [[0.01_f32; 17]; 17];
    for i1 in m / 2..n {
        w[(i1 + 3 * i1) % 17][i1 - 1] = b[i1 * (n + 2) + i1].hypot(0.20_f32) - 0.75;
        for i2 in 0..i1 {
            {
                let t: f32 = a[i2].mul_add(0.19_f32, 0.5 * (if i2 > 0 { a[i2 - 1] } else { 0.10_f32 }));
                let t: f32 = if a[i1 + i1] > 0.0 && a[i2 + i2] > 0.0 { (if i1 > 0 { a[i1 - 1] } else { 0.59_f32 }) } else { 0.5 - a[i1 + i1] };
                w[i2][i2] = (c[i2] + a[i1 / 2]).sin();
            }
            for i3 in (0..n).rev() {
                a[i1 * (n + 2) + i3] = 0.5 * (a[2 * i2 + 1] + (if a[2 * i2 + 1] < c[i3 * (n + 2) + i3] { (if i1 > 0 { a[i1 - 1] } else { 0.07_f32 }) } else { 0.5 * a[2 * i2 + 1] }));
                w[n - i1][i1 - 1] += 0.25 * (match 0.84_f32 < c[(i1 + 3 * i3) % 17] { true => a[2 * i3 + 1], false => -0.84_f32 });
                *s /= 1.25 + (((i2 as f32 * 0.01) + a[i3]).sin()).abs();
            }
            w[i1 / 2][i2] = (*s).max(c[i1 - 1]);
        }
    }
    for i4 in 1..n - 1 {
        for i5 in (0..n).step_by(3) {
            let mut t6: f32 = 0.5 * ((a[i4 - 1].abs().sqrt() - 0.5 * a[i4 / 2]) + b[i4 * (n + 2) + i5]);
            for i7 in (i5 + 1..n + 2).rev() {
                c[n - i5] += 0.25 * (if (*s) < c[i7] { (*s) } else { 0.5 * (*s) });
                if (i7 + i4) % 2 == 0 && i7 != n / 2 {
                    t6 = if a[i7] > 0.0 && (i7 as f32 * 0.01) > 0.0 { a[i7] } else { 0.5 - a[i7] };
                } else {
                    w[i7 / 2][(i4 + 3 * i7) % 17] = (i4 as f32 * 0.01).powi(2) - 0.5 * (*s);
                }
            }
        }
        c[i4] += 0.25 * (0.20_f32 / (1.5 + w[n - i4][i4 / 2] * w[n - i4][i4 / 2]));
    }
    for i8 in (0..n).rev() {
        for i9 in (0..n).rev() {
            for i10 in (0..2 * m).rev().step_by(2) {
                if !(i10 == i8 + 1) {
                    a[2 * i8 + 1] = ((*s) + b[i8 + i8]).sin();
                    w[i8 + 1][i10] *= 0.5 + 0.25 * (if a[i8 + 1] < 0.69_f32 { c[i10 + 1] } else { 0.5 * a[i8 + 1] }).sin();
                }
            }
        }
        a[(i8 + 3 * i8) % 17] = if (i8 as f32 * 0.01) < w[i8][i8] { a[i8] } else { 0.5 * (i8 as f32 * 0.01) };
    }
}

/// A random nest over `i64`.
#[kernel]
pub fn nest_05(n: usize, m: usize, a: &mut [i64], b: &[i64], c: &mut [i64], s: &mut i64) {
    for i1 in 1..n - 1 {
        for i2 in m / 2..n {
            let mut t3: i64 = a[i1 * (n + 2) + i2].rotate_left(3) ^ b[i2];
            for i4 in (0..n).rev() {
                a[i1 - 1] >>= 1;
                if (i4 + i1) % 2 == 0 && i4 != n / 2 {
                    t3 = c[i1 * (n + 2) + i4].wrapping_add(c[i4 * (n + 2) + i4]);
                } else {
                    t3 = a[i4].checked_mul(c[i1 - 1]).unwrap_or((if i1 > 0 { a[i1 - 1] } else { 64_i64 }));
                }
            }
        }
        a[i1 + i1] &= (((i1 as i64) & c[2 * i1 + 1]) | !c[i1 - 1]) | 90;
    }
    for i5 in 0..n {
        let mut t6: i64 = (*s) % (((if i5 > 0 { a[i5 - 1] } else { 85_i64 }) & 15) + 2);
        for i7 in (0..i5 + 2).step_by(2) {
            let mut t8: i64 = a[i5 + i5].wrapping_mul(b[i5 + i7]).wrapping_sub((a[i5 + i5].checked_mul(b[i5 + i7]).unwrap_or(a[(i5 + 3 * i5) % 17])));
            for i9 in 0..n {
                if i9 > 0 {
                    c[i5] %= ((match a[i5 + 1] & 3 { 0 => (i9 as i64), 1 => t8, _ => a[i5 + 1].wrapping_neg() }) & 31) + 3;
                }
                a[(i9 + 3 * i9) % 17] = match ((if i5 > 0 { a[i5 - 1] } else { 93_i64 }).max((i7 as i64))) & 3 { 0 => (i7 as i64), 1 => c[i7 * (n + 2) + i9], _ => (if i5 > 0 { a[i5 - 1] } else { 93_i64 }).wrapping_neg() };
            }
        }
    }
}

/// A random nest over `Pair`.
#[kernel]
pub fn nest_08(n: usize, a: &mut [Pair], b: &[Pair], c: &mut [Pair], s: &mut Pair) {
    let mut w: [Pair; 17] = [(Pair { x: 0.06, n: 6 }); 17];
    for i1 in (0..n).step_by(3) {
        for i2 in 0..=i1 {
            for i3 in (0..i2 + 2).step_by(2) {
                a[i1] = Pair { n: (if i1 > 0 { a[i1 - 1] } else { (Pair { x: 0.44, n: 44 }) }).n.wrapping_add(1), ..a[i3 * (n + 2) + i3] };
                c[n - i1] = (Pair { x: 0.5 * b[2 * i3 + 1].x, n: c[i1 * (n + 2) + i3].n ^ 5 }).mix(Pair { x: 0.5, n: 3 });
            }
        }
        {
            let t: Pair = (*s).mix((Pair { n: (*s).n.wrapping_add(1), ..b[i1] }));
            let t: Pair = Pair { n: b[2 * i1 + 1].n.wrapping_add(1), ..a[(i1 + 3 * i1) % 17] };
            w[(i1 + 3 * i1) % 17] += 0.25 * (Pair { n: (if i1 > 0 { a[i1 - 1] } else { (Pair { x: 0.18, n: 18 }) }).n.wrapping_add(1), ..(Pair { x: i1 as f64 * 0.01, n: i1 as u32 }) });
        }
    }
}

/// A random nest over `i16`.
#[kernel]
pub fn nest_11(n: usize, m: usize, a: &mut [i16], b: &[i16], c: &mut [i16], s: &mut i16) {
    let mut w: [i16; 17] = [40_i16; 17];
    for i1 in (0..2 * m).rev().step_by(2) {
        *s %= ((a[i1] % ((c[i1] & 15) + 2)) & 31) + 3;
        for i2 in i1..n + 1 {
            for i3 in 0..i2 {
                a[i3] = w[i3 / 2].wrapping_mul(a[i2 + i3]).wrapping_sub(w[i3]);
                *s = c[n - i2].saturating_sub(c[(i3 + 3 * i3) % 17]);
            }
            if i2 % 3 == 1 {
                c[2 * i1 + 1] = b[i2 * (n + 2) + i2].saturating_sub(b[n - i2]);
            } else if i2 > i1 || n < 4 {
                a[(i1 + 3 * i2) % 17] = c[i2 * (n + 2) + i2].rotate_left(3) ^ b[i2 * (n + 2) + i2];
            }
        }
    }
    for i4 in 0..n {
        for i5 in 1..n - 1 {
            let mut t6: i16 = c[n - i5].wrapping_shl(((*s) & 3) as u32) ^ w[n - i4];
            for i7 in (0..n).rev() {
                w[i7 + 1] = a[n - i4] % ((w[i7] & 15) + 2);
            }
        }
    }
    for i8 in m / 2..n {
        for i9 in 0..n {
            if !(i9 == i8 + 1) {
                a[i9] /= ((if (*s) < a[i8 * (n + 2) + i9] { w[n - i9] } else { (*s).wrapping_add(1) }) & 1) + 1;
                *s = (*s) / ((w[(i8 + 3 * i9) % 17] & 7) + 1);
            }
            for i10 in (i9 + 1..n + 2).rev() {
                if (i10 + i8) % 2 == 0 && i10 != n / 2 {
                    c[i10] = w[i10 / 2].checked_mul(b[i8 + i9]).unwrap_or(w[i8]);
                } else {
                    a[i10 + i10] = c[(i10 + 3 * i10) % 17].wrapping_shl((w[i8 / 2] & 3) as u32) ^ (*s);
                }
            }
        }
        c[i8 * (n + 2) + i8] ^= b[i8 - 1] ^ (a[i8 * (n + 2) + i8] >> 1);
    }
}

/// A random nest over `f64`.
#[kernel]
pub fn nest_14(n: usize, m: usize, a: &mut [f64], b: &[f64], c: &mut [f64], grid: &mut [[f64; 17]; 17], s: &mut f64) {
    for i1 in m / 2..n {
        let mut t2: f64 = if grid[i1][i1] > 0.0 && grid[(i1 + 3 * i1) % 17][i1] > 0.0 { b[n - i1] } else { 0.5 - grid[i1][i1] };
        for i3 in (0..i1 + 2).step_by(2) {
            for i4 in 0..i3 {
                a[i4 / 2] = 0.5 * (c[2 * i1 + 1] + (if i3 > 0 { a[i3 - 1] } else { 0.32_f64 }));
                if (i4 + i1) % 2 == 0 && i4 != n / 2 {
                    c[i1] %= 1.0 + ((0.5 * (0.57_f64 + (*s))).abs().sqrt() - 0.5 * 0.57_f64).abs();
                } else {
                    grid[i1 / 2][n - i4] *= 0.5 + 0.25 * ((*s).abs().sqrt() - 0.5 * a[i1]).sin();
                }
            }
        }
    }
    for i5 in (1..=n).rev() {
        grid[i5 / 2][n - i5] = grid[i5][(i5 + 3 * i5) % 17] * (((*s) + grid[i5 / 2][n - i5]).sin()) - 0.25 * (*s);
        for i6 in (i5 + 1..n + 2).rev() {
            let mut t7: f64 = 0.75 - c[i6 / 2];
            for i8 in 0..i6 {
                t7 = 0.75 - (i6 as f64 * 0.01);
            }
        }
    }
    for i9 in (0..n).rev() {
        c[i9] += 0.25 * (b[i9 * (n + 2) + i9] / (1.5 + (b[i9 * (n + 2) + i9].min(a[2 * i9 + 1]) - 0.125) * (b[i9 * (n + 2) + i9].min(a[2 * i9 + 1]) - 0.125)));
        for i10 in 0..n {
            let k11 = i10 / 2 + 1;
            c[i9] /= 1.25 + (if grid[n - k11][k11] > 0.0 && a[i9] > 0.0 { (*s) } else { 0.5 - grid[n - k11][k11] }).abs();
            for i12 in 0..i10 {
                {
                    let t: f64 = grid[i12][i12 + 1].powi(2) - 0.5 * grid[i12][i12 / 2];
                    let t: f64 = a[(i10 + 3 * i10) % 17].mul_add(((c[n - i9] - a[(i10 + 3 * i10) % 17]).cos() * a[i9]), 0.5 * a[i9]);
                    a[2 * i9 + 1] /= 1.25 + (match (i12 as f64 * 0.01) < b[(i9 + 3 * i10) % 17] { true => (i10 as f64 * 0.01), false => -(i12 as f64 * 0.01) }).abs();
                }
            }
        }
    }
}

/// A random nest over `u8`.
#[kernel]
pub fn nest_17(n: usize, m: usize, a: &mut [u8], b: &[u8], c: &mut [u8], grid: &mut [[u8; 9]; 5], s: &mut u8) {
    let mut w: [u8; 17] = [63_u8; 17];
    for i1 in m / 2..n {
        for i2 in 0..n {
            for i3 in (i2 + 1..n + 2).rev() {
                a[i1 * (n + 2) + i3] <<= 1;
                w[i3 - 1] = 28_u8.saturating_sub(w[i2 / 2]);
            }
        }
    }
    for i4 in 1..n - 1 {
        let mut t5: u8 = (i4 as u8) % ((a[n - i4] & 15) + 2);
        for i6 in (0..2 * m).rev().step_by(2) {
            for i7 in (i6..=n).rev().step_by(2) {
                a[(i7 + 3 * i4) % 17] = c[i7 / 2] % ((w[i7 / 2] & 15) + 2);
            }
            a[2 * i4 + 1] = match w[i4 - 1] & 3 { 0 => 78_u8, 1 => (i4 as u8), _ => w[i4 - 1].wrapping_neg() };
        }
    }
    for i8 in m / 2..n {
        for i9 in 1..=m {
            let k10 = i9 / 2 + 1;
            c[i9 * (n + 2) + k10] |= ((*s) % ((b[k10] & 15) + 2)) & 5;
            for i11 in (0..2 * m).rev().step_by(2) {
                if (i11 + i8) % 2 == 0 && i11 != n / 2 {
                    grid[i9 - 1][i9 - 1] = w[(i8 + 3 * i8) % 17].wrapping_add((i8 as u8));
                } else {
                    *s <<= 1;
                }
            }
            a[i9 / 2] = a[i9].wrapping_mul((if i9 > 0 { a[i9 - 1] } else { 16_u8 })).wrapping_sub(a[2 * i9 + 1]);
        }
    }
}

/// A random nest over `bool`.
#[kernel]
pub fn nest_20(n: usize, m: usize, a: &mut [bool], b: &[bool], c: &mut [bool], grid: &mut [[bool; 17]; 10], s: &mut bool) {
    let mut w: [bool; 10] = [false; 10];
    for i1 in 1..=m {
        for i2 in m / 2..n {
            for i3 in (0..i2 + 2).step_by(2) {
                a[i1 * (n + 2) + i3] = match (a[i2 / 2], (*s)) { (true, false) => grid[i2][i3], (x, y) => x == y };
                if !(i3 == i1 + 1) {
                    c[i1 / 2] ^= c[2 * i2 + 1] != (grid[i3 / 2][(i2 + 3 * i3) % 17] && (*s));
                    c[i3] = b[i3] != (a[i3] && (match (a[i3], (if i3 > 0 { a[i3 - 1] } else { false })) { (true, false) => b[i3], (x, y) => x == y }));
                }
            }
        }
    }
    for i4 in (0..n).rev() {
        let mut t5: bool = !((if i4 > 0 { a[i4 - 1] } else { true }) != ((*s) && (*s)));
        for i6 in i4..n + 1 {
            w[i6] ^= w[i6 / 2] ^ a[i4 + 1];
            for i7 in m / 2..n {
                if i7 % 3 == 1 {
                    c[2 * i7 + 1] = ((*s) != (b[2 * i7 + 1] && c[2 * i7 + 1])) || b[2 * i7 + 1];
                } else if i7 > i4 || n < 4 {
                    grid[i4 + 1][i6 / 2] = w[n - i6] ^ false;
                }
                {
                    let t: bool = match ((if i4 > 0 { a[i4 - 1] } else { false }), (*s)) { (true, false) => c[n - i6], (x, y) => x == y };
                    let t: bool = ((*s) ^ w[i7]) && !(*s) || w[i7];
                    *s = if false { b[i7 * (n + 2) + i7] } else { !(*s) };
                }
            }
        }
    }
}

/// A random nest over `i8`.
#[kernel]
pub fn nest_23(n: usize, m: usize, a: &mut [i8], b: &[i8], c: &mut [i8], s: &mut i8) {
    let mut w: [i8; 7] = [86_i8; 7];
    for i1 in (0..n).rev() {
        let mut t2: i8 = a[2 * i1 + 1].min(b[2 * i1 + 1]) ^ (i1 as i8);
        for i3 in 0..i1 {
            for i4 in 1..=m {
                a[i4 * (n + 2) + i4] = c[i4 / 2].overflowing_add((c[i4 / 2].swap_bytes().wrapping_add(c[i3 * (n + 2) + i4]))).0;
                a[i1 + i1] %= ((if ((i1 as i8).min(c[i4 * (n + 2) + i4]) ^ b[2 * i1 + 1]) < b[2 * i1 + 1] { (i1 as i8) } else { c[i4 * (n + 2) + i4].wrapping_add(1) }) & 31) + 3;
                w[n - i4] &= (b[i4 / 2].wrapping_add(b[i4 / 2])) | 90;
            }
        }
    }
    for i5 in 0..n {
        let mut t6: i8 = (w[i5 + 1] & (*s)) | !a[i5];
        for i7 in (1..=n).rev() {
            let mut t8: i8 = b[i7] ^ ((if i7 > 0 { a[i7 - 1] } else { 73_i8 }) >> 1);
            for i9 in 1..n - 1 {
                c[i7 / 2] = c[i7 / 2].saturating_sub((i9 as i8));
                c[i7 * (n + 2) + i9] = (*s) / (((77_i8.saturating_sub((*s))) & 7) + 1);
            }
        }
        w[i5] = c[n - i5] % ((b[i5 + i5] & 15) + 2);
    }
}

/// A random nest over `u16`.
#[kernel]
pub fn nest_26(n: usize, m: usize, a: &mut [u16], b: &[u16], c: &mut [u16], grid: &mut [[u16; 9]; 17], s: &mut u16) {
    let mut w: [u16; 7] = [27_u16; 7];
    for i1 in 1..=m {
        for i2 in m / 2..n {
            let mut t3: u16 = match (*s) & 3 { 0 => (*s), 1 => grid[(i1 + 3 * i2) % 17][i2 - 1], _ => (*s).wrapping_neg() };
            for i4 in 0..=i2 {
                a[(i2 + 3 * i2) % 17] >>= 1;
                grid[i4 / 2][i4 / 2] ^= (if b[n - i2] < (*s) { (if i1 > 0 { a[i1 - 1] } else { 90_u16 }) } else { b[n - i2].wrapping_add(1) }).checked_mul(b[n - i2]).unwrap_or((*s));
            }
        }
    }
}

/// A random nest over `i32`.
#[kernel]
pub fn nest_29(n: usize, m: usize, a: &mut [i32], b: &[i32], c: &mut [i32], s: &mut i32) {
    let mut w: [[i32; 6]; 17] = [[16_i32; 6]; 17];
    for i1 in m / 2..n {
        for i2 in 0..=i1 {
            let mut t3: i32 = c[i1 * (n + 2) + i2] % ((b[(i1 + 3 * i2) % 17] & 15) + 2);
            for i4 in (i2..=n).rev().step_by(2) {
                a[i4] = (t3 & c[i1 - 1]) | !(if i4 > 0 { a[i4 - 1] } else { 6_i32 });
                if i4 > 0 {
                    w[(i1 + 3 * i1) % 17][i1] /= ((c[i2 * (n + 2) + i4].checked_mul(66_i32).unwrap_or(t3)) & 1) + 1;
                }
            }
            c[i2 * (n + 2) + i2] &= (c[n - i2].wrapping_mul(b[(i1 + 3 * i2) % 17]).wrapping_sub((i2 as i32))) | 90;
        }
    }
    for i5 in (0..n).step_by(3) {
        let mut t6: i32 = match (if i5 > 0 { a[i5 - 1] } else { 86_i32 }) & 3 { 0 => (if i5 > 0 { a[i5 - 1] } else { 60_i32 }), 1 => b[2 * i5 + 1], _ => (if i5 > 0 { a[i5 - 1] } else { 86_i32 }).wrapping_neg() };
        for i7 in (i5..=n).rev().step_by(2) {
            for i8 in 0..n {
                w[i8][i5 / 2] /= ((match (if i7 > 0 { a[i7 - 1] } else { 48_i32 }) & 3 { 0 => (if i8 > 0 { a[i8 - 1] } else { 16_i32 }), 1 => w[n - i7][i5], _ => (if i7 > 0 { a[i7 - 1] } else { 48_i32 }).wrapping_neg() }) & 1) + 1;
                w[i5][n - i8] = a[i8].checked_mul((if i8 > 0 { a[i8 - 1] } else { 44_i32 })).unwrap_or(a[i8]);
            }
        }
    }
}

/// A random nest over `Complex<f64>`.
#[kernel]
pub fn nest_32(n: usize, m: usize, a: &mut [Complex<f64>], b: &[Complex<f64>], c: &mut [Complex<f64>], grid: &mut [[Complex<f64>; 17]; 17], s: &mut Complex<f64>) {
    let mut w: [Complex<f64>; 17] = [Complex::new(0.08, -0.5); 17];
    for i1 in 1..n - 1 {
        for i2 in 1..n - 1 {
            for i3 in (0..n).step_by(3) {
                a[i2 + i1] = 0.5 * (Complex::new(i1 as f64 * 0.01, 0.5) + b[i2 * (n + 2) + i3]);
                if (i3 + i1) % 2 == 0 && i3 != n / 2 {
                    c[(i2 + 3 * i3) % 17] *= 0.5 * (if w[i3 / 2].re < b[n - i3].re { (if i3 > 0 { a[i3 - 1] } else { Complex::new(0.77, -0.5) }) } else { w[i3 / 2] * Complex::i() });
                } else {
                    grid[n - i3][i2 - 1] = 0.7 * ((if i2 > 0 { a[i2 - 1] } else { Complex::new(0.21, -0.5) }) * grid[i3][i3]);
                }
                grid[i3][(i1 + 3 * i3) % 17] *= 0.5 * (if (Complex::new(a[(i2 + 3 * i3) % 17].im * c[i1 * (n + 2) + i3].re, grid[n - i3][i3].re.sin())).re < grid[n - i3][i3].re { a[(i2 + 3 * i3) % 17] } else { c[i1 * (n + 2) + i3] * Complex::i() });
            }
        }
    }
    for i4 in m / 2..n {
        let mut t5: Complex<f64> = w[i4] / (2.0 + (*s).norm_sqr());
        for i6 in (i4 + 1..n + 2).rev() {
            c[i6] /= 1.5 + (0.5 * ((if grid[(i4 + 3 * i4) % 17][i4 / 2].re < grid[i4 - 1][i4 / 2].re { Complex::new(i6 as f64 * 0.01, 0.5) } else { grid[(i4 + 3 * i4) % 17][i4 / 2] * Complex::i() }) + Complex::new(i6 as f64 * 0.01, 0.5))).norm_sqr();
            for i7 in (i6 + 1..n + 2).rev() {
                grid[i6][i6 - 1] = Complex::new(Complex::new(0.33, -0.5).im * w[i7 / 2].re, grid[i7 - 1][(i7 + 3 * i4) % 17].re.sin());
            }
        }
    }
    for i8 in (0..2 * m).rev().step_by(2) {
        for i9 in (i8 + 1..n + 2).rev() {
            let mut t10: Complex<f64> = (*s) / (2.0 + c[i8 * (n + 2) + i9].norm_sqr());
            for i11 in 1..=m {
                t10 = 0.7 * ((if i8 > 0 { a[i8 - 1] } else { Complex::new(0.80, -0.5) }) * b[i11 / 2]);
                a[i9 * (n + 2) + i11] -= 0.25 * (grid[(i11 + 3 * i8) % 17][i11].conj() - a[(i8 + 3 * i9) % 17].scale(0.5));
            }
        }
    }
}

/// A random nest over `u32`.
#[kernel]
pub fn nest_35(n: usize, m: usize, a: &mut [u32], b: &[u32], c: &mut [u32], grid: &mut [[u32; 17]; 12], s: &mut u32) {
    let mut w: [[u32; 17]; 13] = [[92_u32; 17]; 13];
    for i1 in 1..=m {
        let mut t2: u32 = if b[n - i1] < w[i1 - 1][(i1 + 3 * i1) % 17] { (*s) } else { b[n - i1].wrapping_add(1) };
        for i3 in 1..n - 1 {
            grid[i1 / 2][(i3 + 3 * i1) % 17] |= (c[(i3 + 3 * i3) % 17] / (((*s) & 7) + 1)) & 5;
            for i4 in (0..2 * m).rev().step_by(2) {
                a[i4] = (a[(i1 + 3 * i3) % 17] & a[i1 * (n + 2) + i4]) | !(if i3 > 0 { a[i3 - 1] } else { 15_u32 });
                w[i4 + 1][i4 / 2] = w[n - i1][(i4 + 3 * i3) % 17].saturating_sub(grid[n - i4][i1 - 1]);
                if i4 > 0 {
                    a[(i4 + 3 * i1) % 17] = grid[i1 / 2][i4 / 2].swap_bytes().wrapping_add((*s));
                }
            }
        }
        if i1 % 3 == 1 {
            a[(i1 + 3 * i1) % 17] = 93_u32.wrapping_add(t2);
        } else if i1 > i1 || n < 4 {
            a[i1] &= (b[i1 * (n + 2) + i1].rotate_left(3) ^ grid[n - i1][(i1 + 3 * i1) % 17]) | 90;
        }
    }
}
