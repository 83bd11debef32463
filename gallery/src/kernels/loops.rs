// Written by superstep-gallery-generator; do not edit.
//! Random loops.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

/// A random nest over `f64`.
#[kernel]
pub fn nest_00(n: usize, m: usize, a: &mut [f64], b: &[f64], c: &mut [f64], grid: &mut [[f64; 17]; 6], s: &mut f64) {
    for i1 in (0..n).rev() {
        a[(i1 + 3 * i1) % 17] = ((if i1 > 0 { a[i1 - 1] } else { 0.26_f64 }) - grid[i1 + 1][(i1 + 3 * i1) % 17]).cos() * 0.22_f64;
        {
            let t: f64 = if a[(i1 + 3 * i1) % 17] < b[i1 * (n + 2) + i1] { b[n - i1] } else { 0.5 * a[(i1 + 3 * i1) % 17] };
            let t: f64 = t / (1.5 + 0.17_f64 * 0.17_f64);
            *s = grid[i1 / 2][(i1 + 3 * i1) % 17].clamp(-0.5, 0.5) + 0.25 * b[2 * i1 + 1];
        }
        if (i1 + i1) % 2 == 0 && i1 != n / 2 {
            grid[i1 / 2][i1 + 1] = 0.05_f64.abs().sqrt() - 0.5 * a[i1];
        } else {
            a[i1 + i1] /= 1.25 + (if c[i1] > 0.0 && c[i1 / 2] > 0.0 { 0.32_f64 } else { 0.5 - c[i1] }).abs();
        }
    }
    for i2 in 1..=m {
        grid[i2 / 2][i2 - 1] = if c[(i2 + 3 * i2) % 17] < a[i2 / 2] { b[i2] } else { 0.5 * c[(i2 + 3 * i2) % 17] };
        a[i2 + i2] = grid[n - i2][n - i2].max(a[i2]);
    }
}

/// A random nest over `u8`.
#[kernel]
pub fn nest_03(n: usize, m: usize, a: &mut [u8], b: &[u8], c: &mut [u8], s: &mut u8) {
    for i1 in (0..2 * m).rev().step_by(2) {
        a[n - i1] = (c[i1] & b[i1 * (n + 2) + i1]) | !b[i1 + 1];
        a[i1 * (n + 2) + i1] = b[i1 * (n + 2) + i1] ^ ((*s) >> 1);
    }
    for i2 in (1..=n).rev() {
        *s <<= 1;
    }
}

/// A random nest over `bool`.
#[kernel]
pub fn nest_06(n: usize, a: &mut [bool], b: &[bool], c: &mut [bool], grid: &mut [[bool; 19]; 19], s: &mut bool) {
    let mut w: [bool; 9] = [false; 9];
    for i1 in (0..n).rev() {
        a[i1 * (n + 2) + i1] ^= (*s) != (c[n - i1] && b[2 * i1 + 1]);
        a[i1 * (n + 2) + i1] = if (i1 % 2 == 0) { (*s) } else { !c[i1] };
        grid[n - i1][i1 / 2] = grid[i1 / 2][i1] || (*s);
    }
    for i2 in (0..n).step_by(3) {
        w[i2 / 2] &= if (i2 % 2 == 0) { (*s) } else { !false };
        a[2 * i2 + 1] = grid[i2][i2 + 1] ^ false;
    }
    for i3 in 0..n {
        a[(i3 + 3 * i3) % 17] = if a[n - i3] { grid[i3 / 2][i3] } else { !(if i3 > 0 { a[i3 - 1] } else { true }) };
        c[i3] = a[(i3 + 3 * i3) % 17] || (if i3 > 0 { a[i3 - 1] } else { true });
    }
}

/// A random nest over `i8`.
#[kernel]
pub fn nest_09(n: usize, m: usize, a: &mut [i8], b: &[i8], c: &mut [i8], s: &mut i8) {
    for i1 in m / 2..n {
        a[i1 + i1] = (*s).swap_bytes().wrapping_add((match (if i1 > 0 { a[i1 - 1] } else { 74_i8 }) & 3 { 0 => b[i1], 1 => (*s), _ => (if i1 > 0 { a[i1 - 1] } else { 74_i8 }).wrapping_neg() }));
        if (i1 + i1) % 2 == 0 && i1 != n / 2 {
            *s >>= 1;
        } else {
            a[i1] <<= 1;
        }
    }
    for i2 in (0..n).step_by(3) {
        c[i2 / 2] = a[i2 + 1].min(a[i2]) ^ a[n - i2];
        if i2 > 0 {
            a[i2 / 2] = (*s).checked_mul(c[i2 * (n + 2) + i2]).unwrap_or(c[i2 * (n + 2) + i2]);
        }
    }
}

/// A random nest over `u16`.
#[kernel]
pub fn nest_12(n: usize, a: &mut [u16], b: &[u16], c: &mut [u16], s: &mut u16) {
    for i1 in (1..=n).rev() {
        a[(i1 + 3 * i1) % 17] /= ((((b[i1] & b[i1 + i1]) | !b[i1 / 2]).max(b[i1 / 2])) & 1) + 1;
        c[i1 - 1] = (*s).wrapping_add(a[i1 * (n + 2) + i1]);
        if i1 % 3 == 1 {
            c[i1 / 2] = ((if i1 > 0 { a[i1 - 1] } else { 98_u16 }) / ((10_u16 & 7) + 1)).wrapping_shl(((if i1 > 0 { a[i1 - 1] } else { 98_u16 }) & 3) as u32) ^ 10_u16;
        } else if i1 > i1 || n < 4 {
            a[i1 * (n + 2) + i1] &= ((i1 as u16).wrapping_add(((if i1 > 0 { a[i1 - 1] } else { 74_u16 }).wrapping_add((i1 as u16))))) | 90;
        }
    }
    for i2 in 0..n {
        a[i2 + 1] = b[i2].saturating_sub(a[i2 / 2]);
    }
    for i3 in 1..n - 1 {
        if !(i3 == i3 + 1) {
            c[i3 + i3] >>= 1;
            a[(i3 + 3 * i3) % 17] = b[i3 * (n + 2) + i3].wrapping_mul(b[i3]).wrapping_sub((i3 as u16));
        }
        if i3 % 3 == 1 {
            *s = 28_u16.rotate_left(3) ^ b[i3 + i3];
        } else if i3 > i3 || n < 4 {
            c[i3 - 1] |= (c[n - i3] ^ (a[i3 * (n + 2) + i3] >> 1)) & 5;
        }
    }
}

/// A random nest over `i32`.
#[kernel]
pub fn nest_15(n: usize, m: usize, a: &mut [i32], b: &[i32], c: &mut [i32], grid: &mut [[i32; 1]; 1], s: &mut i32) {
    let mut w: [i32; 19] = [84_i32; 19];
    for i1 in (0..2 * m).rev().step_by(2) {
        a[i1 / 2] = (*s).rotate_left(3) ^ (if i1 > 0 { a[i1 - 1] } else { 62_i32 });
        c[i1 + i1] = if a[i1 / 2] < (i1 as i32) { (37_i32.overflowing_add(a[i1 / 2]).0) } else { 37_i32.wrapping_add(1) };
    }
    for i2 in 1..=m {
        if (i2 + i2) % 2 == 0 && i2 != n / 2 {
            a[i2 * (n + 2) + i2] = b[i2 / 2].wrapping_add(4_i32);
        } else {
            w[i2 - 1] >>= 1;
        }
    }
}

/// A random nest over `Complex<f64>`.
#[kernel]
pub fn nest_18(n: usize, m: usize, a: &mut [Complex<f64>], b: &[Complex<f64>], c: &mut [Complex<f64>], s: &mut Complex<f64>) {
    let mut w: [Complex<f64>; 25] = [Complex::new(0.42, -0.5); 25];
    for i1 in 1..n - 1 {
        a[2 * i1 + 1] -= 0.25 * (Complex::new((*s).re, -w[i1].im));
        if i1 % 3 == 1 {
            w[n - i1] *= 0.5 * (a[i1].conj() - b[i1].scale(0.5));
        } else if i1 > i1 || n < 4 {
            w[i1] = c[2 * i1 + 1] / (2.0 + a[i1].norm_sqr());
        }
    }
    for i2 in m / 2..n {
        if !(i2 == i2 + 1) {
            c[(i2 + 3 * i2) % 17] += 0.25 * (if (*s).re < w[(i2 + 3 * i2) % 17].re { (*s) } else { (*s) * Complex::i() });
            w[i2] = 0.7 * (w[n - i2] * w[(i2 + 3 * i2) % 17]);
        }
    }
}

/// A random nest over `u32`.
#[kernel]
pub fn nest_21(n: usize, a: &mut [u32], b: &[u32], c: &mut [u32], s: &mut u32) {
    for i1 in 0..n {
        a[i1 * (n + 2) + i1] = (*s).min(a[n - i1]) ^ (b[i1 * (n + 2) + i1].rotate_left(3) ^ (*s));
        c[i1 * (n + 2) + i1] = (if i1 > 0 { a[i1 - 1] } else { 38_u32 }).wrapping_shl((a[i1] & 3) as u32) ^ c[i1 * (n + 2) + i1];
    }
}

/// A random nest over `u64`.
#[kernel]
pub fn nest_24(n: usize, a: &mut [u64], b: &[u64], c: &mut [u64], grid: &mut [[u64; 41]; 42], s: &mut u64) {
    let mut w: [u64; 42] = [74_u64; 42];
    for i1 in (0..n).rev() {
        a[i1 * (n + 2) + i1] = if 49_u64 < c[(i1 + 3 * i1) % 17] { b[2 * i1 + 1] } else { 49_u64.wrapping_add(1) };
        w[n - i1] = grid[n - i1][i1].max(grid[i1][i1 / 2]);
    }
}

/// A random nest over `usize`.
#[kernel]
pub fn nest_27(n: usize, m: usize, a: &mut [usize], b: &[usize], c: &mut [usize], grid: &mut [[usize; 30]; 30], s: &mut usize) {
    let mut w: [[usize; 29]; 30] = [[61_usize; 29]; 30];
    for i1 in (0..n).rev() {
        a[i1 + i1] = w[i1 / 2][i1 / 2].rotate_left(3) ^ (if i1 > 0 { a[i1 - 1] } else { 71_usize });
        w[i1][i1] ^= match a[i1 / 2] & 3 { 0 => (a[i1 / 2].checked_mul(36_usize).unwrap_or((i1 as usize))), 1 => 36_usize, _ => (i1 as usize).wrapping_neg() };
        grid[i1 + 1][i1 / 2] = w[n - i1][i1 / 2].wrapping_mul((if i1 > 0 { a[i1 - 1] } else { 42_usize })).wrapping_sub((match w[n - i1][i1 / 2] & 3 { 0 => (if i1 > 0 { a[i1 - 1] } else { 42_usize }), 1 => a[i1 + i1], _ => w[n - i1][i1 / 2].wrapping_neg() }));
    }
    for i2 in 1..=m {
        if i2 % 3 == 1 {
            *s = (if i2 > 0 { a[i2 - 1] } else { 27_usize }) % ((20_usize & 15) + 2);
        } else if i2 > i2 || n < 4 {
            c[2 * i2 + 1] &= (a[2 * i2 + 1] % ((b[i2 * (n + 2) + i2] & 15) + 2)) | 90;
        }
        {
            let t: usize = (*s).saturating_sub(grid[i2 / 2][i2]);
            let t: usize = a[(i2 + 3 * i2) % 17].swap_bytes().wrapping_add(c[i2 * (n + 2) + i2]);
            c[(i2 + 3 * i2) % 17] = (w[(i2 + 3 * i2) % 17][(i2 + 3 * i2) % 17].checked_mul(a[i2 + i2]).unwrap_or(c[i2])).wrapping_mul(c[i2]).wrapping_sub(w[(i2 + 3 * i2) % 17][(i2 + 3 * i2) % 17]);
        }
    }
    for i3 in (0..n).rev() {
        c[n - i3] = (*s).checked_mul(a[i3 / 2]).unwrap_or((if i3 > 0 { a[i3 - 1] } else { 28_usize }));
    }
}

/// A random nest over `f32`.
#[kernel]
pub fn nest_30(n: usize, m: usize, a: &mut [f32], b: &[f32], c: &mut [f32], grid: &mut [[f32; 17]; 17], s: &mut f32) {
    for i1 in m / 2..n {
        a[n - i1] = grid[(i1 + 3 * i1) % 17][(i1 + 3 * i1) % 17].min(c[i1 - 1]) - 0.125;
        *s = (*s).powi(2) - 0.5 * b[i1];
    }
    for i2 in 1..=m {
        if !(i2 == i2 + 1) {
            c[i2 * (n + 2) + i2] *= 0.5 + 0.25 * (match b[n - i2] < (c[(i2 + 3 * i2) % 17] * (*s) - 0.25 * b[n - i2]) { true => c[(i2 + 3 * i2) % 17], false => -(*s) }).sin();
            grid[i2][(i2 + 3 * i2) % 17] += 0.25 * ((((*s) / (1.5 + (*s) * (*s))) + (*s)).sin());
        }
        if i2 % 3 == 1 {
            c[i2] -= 0.25 * (if (i2 as f32 * 0.01) > 0.0 && (*s) > 0.0 { (*s) } else { 0.5 - (i2 as f32 * 0.01) });
        } else if i2 > i2 || n < 4 {
            *s *= 0.5 + 0.25 * (0.10_f32.powi(2) - 0.5 * b[i2]).sin();
        }
    }
    for i3 in (1..=n).rev() {
        a[i3 + i3] = grid[i3][i3].mul_add(grid[i3 - 1][i3], 0.5 * b[i3]);
        grid[i3][i3 - 1] *= 0.5 + 0.25 * ((b[i3 - 1].max(0.12_f32)).powi(2) - 0.5 * 0.12_f32).sin();
    }
}

/// A random nest over `i64`.
#[kernel]
pub fn nest_33(n: usize, m: usize, a: &mut [i64], b: &[i64], c: &mut [i64], s: &mut i64) {
    for i1 in (0..2 * m).rev().step_by(2) {
        a[(i1 + 3 * i1) % 17] <<= 1;
        if i1 > 0 {
            c[2 * i1 + 1] = b[2 * i1 + 1].wrapping_add(36_i64);
        }
        c[i1 * (n + 2) + i1] >>= 1;
    }
    for i2 in (1..=n).rev() {
        {
            let t: i64 = a[i2 / 2].wrapping_add((i2 as i64));
            let t: i64 = c[i2].max(c[i2 * (n + 2) + i2]);
            c[(i2 + 3 * i2) % 17] = (if i2 > 0 { a[i2 - 1] } else { 6_i64 }).wrapping_mul(((if i2 > 0 { a[i2 - 1] } else { 6_i64 }).wrapping_add(b[i2]))).wrapping_sub(b[i2]);
        }
    }
    for i3 in 0..n {
        if i3 % 3 == 1 {
            a[i3 + 1] %= (((if i3 > 0 { a[i3 - 1] } else { 58_i64 }).checked_mul(a[i3]).unwrap_or(b[n - i3])) & 31) + 3;
        } else if i3 > i3 || n < 4 {
            a[i3 * (n + 2) + i3] = ((*s) & (*s)) | !27_i64;
        }
        c[2 * i3 + 1] = (if i3 > 0 { a[i3 - 1] } else { 48_i64 }).swap_bytes().wrapping_add(a[i3 / 2]);
    }
}
