// Written by superstep-gallery-generator; do not edit.
//! Random nests of two loops.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// A random nest over `i32`.
#[kernel]
pub fn nest_01(n: usize, m: usize, a: &mut [i32], b: &[i32], c: &mut [i32], s: &mut i32) {
    let mut w: [i32; 21] = [99_i32; 21];
    for i1 in (0..n).step_by(3) {
        let mut t2: i32 = 75_i32 ^ (b[i1 + 1] >> 1);
        for i3 in 0..=i1 {
            a[i1 * (n + 2) + i3] = (b[n - i3].swap_bytes().wrapping_add((i3 as i32))).swap_bytes().wrapping_add((i3 as i32));
            w[i3] ^= a[i3].min(((*s).max(a[i3]))) ^ (*s);
            a[2 * i3 + 1] = match b[i1 / 2] & 3 { 0 => t2, 1 => c[i3], _ => b[i1 / 2].wrapping_neg() };
        }
        c[2 * i1 + 1] = ((44_i32 & w[i1]) | !58_i32).swap_bytes().wrapping_add(58_i32);
    }
    for i4 in 1..=m {
        let k5 = i4 / 2 + 1;
        if k5 > 0 {
            w[k5] = if c[i4 + k5] < (if k5 > 0 { a[k5 - 1] } else { 26_i32 }) { w[k5] } else { c[i4 + k5].wrapping_add(1) };
        }
        for i6 in (1..=n).rev() {
            *s ^= 75_i32 ^ (b[n - i6] >> 1);
        }
        w[(i4 + 3 * i4) % 17] >>= 1;
    }
}

/// A random nest over `Complex<f64>`.
#[kernel]
pub fn nest_04(n: usize, m: usize, a: &mut [Complex<f64>], b: &[Complex<f64>], c: &mut [Complex<f64>], grid: &mut [[Complex<f64>; 20]; 20], s: &mut Complex<f64>) {
    for i1 in (0..n).step_by(3) {
        let k2 = i1 / 2 + 1;
        grid[k2][n - k2] = c[k2 * (n + 2) + k2].conj() - c[k2 / 2].scale(0.5);
        for i3 in i1..n + 1 {
            a[i3 / 2] -= 0.25 * (0.5 * (grid[i3][n - i1] + a[n - i1]));
            c[i1 * (n + 2) + i3] += 0.25 * (0.7 * ((*s) * c[i3 * (n + 2) + i3]));
        }
    }
    for i4 in 1..=m {
        let mut t5: Complex<f64> = 0.5 * (c[i4 * (n + 2) + i4] + (*s));
        for i6 in (0..2 * m).rev().step_by(2) {
            if !(i6 == i4 + 1) {
                grid[i6 + 1][i6] = 0.7 * (t5 * a[2 * i4 + 1]);
                a[n - i4] = 0.5 * (b[(i4 + 3 * i4) % 17] + t5);
            }
        }
    }
}

/// A random nest over `u32`.
#[kernel]
pub fn nest_07(n: usize, m: usize, a: &mut [u32], b: &[u32], c: &mut [u32], s: &mut u32) {
    let mut w: [u32; 19] = [68_u32; 19];
    for i1 in m / 2..n {
        for i2 in (0..2 * m).rev().step_by(2) {
            a[i1] |= (b[i2 * (n + 2) + i2].swap_bytes().wrapping_add(a[i2 + i2])) & 5;
            if (i2 + i1) % 2 == 0 && i2 != n / 2 {
                c[i2] |= (w[i2 + 1] ^ ((i1 as u32) >> 1)) & 5;
            } else {
                c[i1 * (n + 2) + i2] = w[i2 / 2].max((a[2 * i1 + 1].saturating_sub(w[i1 / 2])));
            }
        }
    }
}

/// A random nest over `u64`.
#[kernel]
pub fn nest_10(n: usize, a: &mut [u64], b: &[u64], c: &mut [u64], grid: &mut [[u64; 11]; 10], s: &mut u64) {
    let mut w: [u64; 17] = [19_u64; 17];
    for i1 in (0..n).rev() {
        let mut t2: u64 = c[(i1 + 3 * i1) % 17].wrapping_add((if i1 > 0 { a[i1 - 1] } else { 69_u64 }));
        for i3 in (0..n).rev() {
            a[i1 * (n + 2) + i3] |= (((*s) & grid[i1 / 2][n - i3]) | !(*s)) & 5;
            t2 |= ((i3 as u64).wrapping_shl((grid[i3][i1] & 3) as u32) ^ a[n - i1]) & 5;
        }
        w[(i1 + 3 * i1) % 17] |= (w[n - i1].wrapping_add(w[(i1 + 3 * i1) % 17])) & 5;
    }
}

/// A random nest over `usize`.
#[kernel]
pub fn nest_13(n: usize, a: &mut [usize], b: &[usize], c: &mut [usize], grid: &mut [[usize; 18]; 17], s: &mut usize) {
    let mut w: [usize; 19] = [95_usize; 19];
    for i1 in (0..n).rev() {
        for i2 in i1..n + 1 {
            a[i1 / 2] = ((if i2 > 0 { a[i2 - 1] } else { 87_usize }).rotate_left(3) ^ (*s)).min(a[i2 * (n + 2) + i2]) ^ (if i2 > 0 { a[i2 - 1] } else { 87_usize });
            {
                let t: usize = w[i2 + 1] / ((5_usize & 7) + 1);
                let t: usize = (*s).rotate_left(3) ^ ((*s).max((if i2 > 0 { a[i2 - 1] } else { 25_usize })));
                w[i2 / 2] <<= 1;
            }
        }
    }
    for i3 in 0..n {
        let mut t4: usize = (*s).wrapping_shl(((*s) & 3) as u32) ^ grid[i3][n - i3];
        for i5 in (i3..=n).rev().step_by(2) {
            c[i5 * (n + 2) + i5] %= ((match 22_usize & 3 { 0 => (i5 as usize), 1 => w[(i5 + 3 * i5) % 17], _ => ((i5 as usize) ^ (w[(i5 + 3 * i5) % 17] >> 1)).wrapping_neg() }) & 31) + 3;
        }
    }
}

/// A random nest over `f32`.
#[kernel]
pub fn nest_16(n: usize, m: usize, a: &mut [f32], b: &[f32], c: &mut [f32], grid: &mut [[f32; 17]; 9], s: &mut f32) {
    let mut w: [[f32; 17]; 17] = [[0.19_f32; 17]; 17];
    for i1 in 0..n {
        let mut t2: f32 = (w[n - i1][n - i1] + b[(i1 + 3 * i1) % 17]).sin();
        for i3 in i1..n + 1 {
            a[i1 + i1] %= 1.0 + (grid[n - i1][i3 / 2].abs().sqrt() - 0.5 * (0.5 * (c[i3 * (n + 2) + i3] + (if i1 > 0 { a[i1 - 1] } else { 0.43_f32 })))).abs();
            if i3 % 3 == 1 {
                a[i3 * (n + 2) + i3] = if (i1 as f32 * 0.01) > 0.0 && 0.36_f32 > 0.0 { w[i3 / 2][i1 + 1] } else { 0.5 - (i1 as f32 * 0.01) };
            } else if i3 > i1 || n < 4 {
                grid[i3][(i3 + 3 * i1) % 17] /= 1.25 + (a[i1 + 1].mul_add(t2, 0.5 * grid[i1 / 2][(i3 + 3 * i3) % 17])).abs();
            }
            c[i1 * (n + 2) + i3] = match c[(i1 + 3 * i3) % 17] < w[i1 + 1][i3 + 1] { true => (i3 as f32 * 0.01), false => -c[(i1 + 3 * i3) % 17] };
        }
    }
    for i4 in (0..2 * m).rev().step_by(2) {
        for i5 in 0..i4 {
            if !(i5 == i4 + 1) {
                a[i5 + 1] -= 0.25 * ((if i4 > 0 { a[i4 - 1] } else { 0.25_f32 }) * w[(i5 + 3 * i4) % 17][i5] - 0.25 * grid[i5][i5]);
                w[i4][(i5 + 3 * i5) % 17] = if b[i4] < (if i5 > 0 { a[i5 - 1] } else { 0.61_f32 }) { c[(i5 + 3 * i4) % 17] } else { 0.5 * b[i4] };
            }
            w[i5][i5] /= 1.25 + (b[2 * i4 + 1].max(c[i4])).abs();
        }
    }
}

/// A random nest over `i64`.
#[kernel]
pub fn nest_19(n: usize, m: usize, a: &mut [i64], b: &[i64], c: &mut [i64], s: &mut i64) {
    let mut w: [i64; 22] = [98_i64; 22];
    for i1 in 1..=m {
        let k2 = i1 / 2 + 1;
        if !(k2 == i1 + 1) {
            w[k2] = a[k2 / 2].wrapping_shl((a[k2] & 3) as u32) ^ b[i1];
            *s >>= 1;
        }
        for i3 in 1..n - 1 {
            a[i3] = w[n - i3].checked_mul((*s)).unwrap_or((if (*s) < 96_i64 { w[n - i3] } else { (*s).wrapping_add(1) }));
            c[i3 - 1] = (*s) % (((i3 as i64) & 15) + 2);
        }
    }
}

/// A random nest over `Pair`.
#[kernel]
pub fn nest_22(n: usize, a: &mut [Pair], b: &[Pair], c: &mut [Pair], grid: &mut [[Pair; 12]; 13], s: &mut Pair) {
    let mut w: [Pair; 17] = [(Pair { x: 0.21, n: 21 }); 17];
    for i1 in (0..n).rev() {
        let mut t2: Pair = Pair { x: 0.5 * grid[i1][i1 + 1].x, n: b[i1 + 1].n ^ 5 };
        for i3 in i1..n + 1 {
            a[n - i1] = if (if i1 > 0 { a[i1 - 1] } else { (Pair { x: 0.37, n: 37 }) }).n < (Pair { x: 0.08, n: 8 }).n { w[(i1 + 3 * i3) % 17] } else { (if i1 > 0 { a[i1 - 1] } else { (Pair { x: 0.37, n: 37 }) }).mix((if i1 > 0 { a[i1 - 1] } else { (Pair { x: 0.37, n: 37 }) })) };
            grid[i3 + 1][i1 + 1] = Pair { x: b[i3].x.max((Pair { x: 0.48, n: 48 }).x), n: grid[i1][i3].n.rotate_right(1) };
        }
        if (i1 + i1) % 2 == 0 && i1 != n / 2 {
            c[i1 + 1] = if (Pair { x: 0.42, n: 42 }).n < grid[i1][i1].n { w[i1 / 2] } else { (Pair { x: 0.42, n: 42 }).mix((Pair { x: 0.42, n: 42 })) };
        } else {
            c[i1 * (n + 2) + i1] = (if grid[i1 / 2][i1].n < (Pair { x: 0.5 * w[i1 / 2].x, n: grid[i1 / 2][i1].n ^ 5 }).n { w[(i1 + 3 * i1) % 17] } else { w[i1 / 2].mix(grid[i1 / 2][i1]) }).mix(Pair { x: 0.5, n: 3 });
        }
    }
}

/// A random nest over `i16`.
#[kernel]
pub fn nest_25(n: usize, a: &mut [i16], b: &[i16], c: &mut [i16], s: &mut i16) {
    let mut w: [i16; 7] = [96_i16; 7];
    for i1 in (0..n).rev() {
        {
            let t: i16 = match w[i1 / 2] & 3 { 0 => a[2 * i1 + 1], 1 => c[i1 * (n + 2) + i1], _ => w[i1 / 2].wrapping_neg() };
            let t: i16 = (i1 as i16).rotate_left(3) ^ (*s);
            w[n - i1] %= ((if (i1 as i16) < c[n - i1] { b[(i1 + 3 * i1) % 17] } else { (i1 as i16).wrapping_add(1) }) & 31) + 3;
        }
        for i2 in i1..n + 1 {
            a[i1 + 1] = if c[(i2 + 3 * i1) % 17] < (if i2 > 0 { a[i2 - 1] } else { 45_i16 }) { (a[n - i1].wrapping_mul(c[(i2 + 3 * i1) % 17]).wrapping_sub((if i2 > 0 { a[i2 - 1] } else { 45_i16 }))) } else { a[n - i1].wrapping_add(1) };
            c[i2 * (n + 2) + i2] = (24_i16 & (i2 as i16)) | !(c[(i1 + 3 * i2) % 17].min(24_i16) ^ (i2 as i16));
            c[i1 * (n + 2) + i2] /= ((b[i1 + 1].overflowing_add(a[n - i2]).0) & 1) + 1;
        }
        a[i1 + 1] = b[i1 * (n + 2) + i1].rotate_left(3) ^ b[n - i1];
    }
}

/// A random nest over `f64`.
#[kernel]
pub fn nest_28(n: usize, m: usize, a: &mut [f64], b: &[f64], c: &mut [f64], s: &mut f64) {
    let mut w: [[f64; 20]; 18] = [[0.20_f64; 20]; 18];
    for i1 in 1..n - 1 {
        for i2 in (0..2 * m).rev().step_by(2) {
            a[i2 + i1] = match 0.58_f64 < c[i1 / 2] { true => (i1 as f64 * 0.01), false => -0.58_f64 };
            w[i2 / 2][(i1 + 3 * i2) % 17] += 0.25 * (b[i2 * (n + 2) + i2].mul_add(a[i2 + 1], 0.5 * a[i1 + i2]));
        }
    }
    for i3 in 1..n - 1 {
        let mut t4: f64 = if c[i3 * (n + 2) + i3] < (if i3 > 0 { a[i3 - 1] } else { 0.84_f64 }) { (i3 as f64 * 0.01) } else { 0.5 * c[i3 * (n + 2) + i3] };
        for i5 in 1..=m {
            if i5 % 3 == 1 {
                w[i5][i5] = 0.86_f64.max(0.01_f64);
            } else if i5 > i3 || n < 4 {
                a[i5 * (n + 2) + i5] = (b[i3].abs().sqrt() - 0.5 * w[i5][(i3 + 3 * i5) % 17]).clamp(-0.5, 0.5) + 0.25 * w[i5][(i3 + 3 * i5) % 17];
            }
        }
        w[i3][(i3 + 3 * i3) % 17] = c[i3].min(a[i3 * (n + 2) + i3]) - 0.125;
    }
    for i6 in (1..=n).rev() {
        a[2 * i6 + 1] = if (if i6 > 0 { a[i6 - 1] } else { 0.52_f64 }) > 0.0 && b[i6 + i6] > 0.0 { a[(i6 + 3 * i6) % 17] } else { 0.5 - (if i6 > 0 { a[i6 - 1] } else { 0.52_f64 }) };
        for i7 in 1..n - 1 {
            *s -= 0.25 * (((*s) + (if i6 > 0 { a[i6 - 1] } else { 0.30_f64 })).sin());
            w[i7][i6] = 0.75 - ((*s).min((i6 as f64 * 0.01)) - 0.125);
        }
    }
}

/// A random nest over `u8`.
#[kernel]
pub fn nest_31(n: usize, m: usize, a: &mut [u8], b: &[u8], c: &mut [u8], grid: &mut [[u8; 8]; 17], s: &mut u8) {
    let mut w: [u8; 15] = [92_u8; 15];
    for i1 in (1..=n).rev() {
        for i2 in 0..n {
            a[n - i2] = match (b[n - i1].wrapping_shl((grid[i1 / 2][i2 / 2] & 3) as u32) ^ (*s)) & 3 { 0 => (*s), 1 => b[n - i1], _ => grid[i1 / 2][i2 / 2].wrapping_neg() };
            w[i2] /= ((w[n - i1] % ((grid[(i1 + 3 * i1) % 17][i1 / 2] & 15) + 2)) & 1) + 1;
        }
    }
    for i3 in (0..2 * m).rev().step_by(2) {
        for i4 in i3..n + 1 {
            *s = (a[n - i3] / ((c[i4 * (n + 2) + i4] & 7) + 1)).checked_mul(c[i4 * (n + 2) + i4]).unwrap_or(a[i3 + i3]);
            w[i4] = a[n - i4].wrapping_shl(((i4 as u8) & 3) as u32) ^ a[n - i4];
        }
        c[i3 / 2] = a[i3 * (n + 2) + i3].checked_mul((a[i3 + i3].saturating_sub((*s)))).unwrap_or(a[i3 + i3]);
    }
}

/// A random nest over `bool`.
#[kernel]
pub fn nest_34(n: usize, m: usize, a: &mut [bool], b: &[bool], c: &mut [bool], grid: &mut [[bool; 17]; 17], s: &mut bool) {
    for i1 in (0..n).rev() {
        let mut t2: bool = (*s) || ((*s) && !(*s) || grid[(i1 + 3 * i1) % 17][i1 + 1]);
        for i3 in 0..=i1 {
            a[i1 * (n + 2) + i3] |= if (*s) { (i1 % 2 == 0) } else { !((i1 % 2 == 0) && !b[2 * i1 + 1] || (*s)) };
            a[i1 * (n + 2) + i3] = if (i3 % 2 == 0) { (i1 % 2 == 0) } else { !(*s) };
            if !(i3 == i1 + 1) {
                a[i1 + i3] = a[i3] && !b[i1 + 1] || grid[i3][i3];
                a[i3] = !grid[i3 + 1][(i3 + 3 * i1) % 17];
            }
        }
        if !(i1 == i1 + 1) {
            grid[i1][n - i1] ^= !c[i1];
            c[n - i1] = (if i1 > 0 { a[i1 - 1] } else { true }) ^ c[i1];
        }
    }
    for i4 in (0..n).rev() {
        let mut t5: bool = match (b[i4 + i4], a[i4 + 1]) { (true, false) => grid[i4][i4], (x, y) => x == y };
        for i6 in (0..i4 + 2).step_by(2) {
            c[(i4 + 3 * i6) % 17] &= !a[i4 * (n + 2) + i6];
            if i6 > 0 {
                c[i4 * (n + 2) + i6] ^= !b[2 * i4 + 1];
            }
        }
    }
    for i7 in (0..2 * m).rev().step_by(2) {
        let mut t8: bool = (*s) || grid[(i7 + 3 * i7) % 17][i7];
        for i9 in (1..=n).rev() {
            {
                let t: bool = if a[2 * i7 + 1] { (if i9 > 0 { a[i9 - 1] } else { true }) } else { !(if i9 > 0 { a[i9 - 1] } else { false }) };
                let t: bool = (if i7 > 0 { a[i7 - 1] } else { false }) ^ a[i9];
                c[i7 * (n + 2) + i9] = match ((b[i9 * (n + 2) + i9] || grid[i9][(i7 + 3 * i9) % 17]), grid[i9][(i7 + 3 * i9) % 17]) { (true, false) => b[i7 + i7], (x, y) => x == y };
            }
            t8 = ((if i7 > 0 { a[i7 - 1] } else { true }) && !a[n - i9] || a[i7 / 2]) != ((if i7 > 0 { a[i7 - 1] } else { true }) && a[n - i9]);
        }
    }
}
