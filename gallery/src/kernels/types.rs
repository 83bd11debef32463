// Written by superstep-gallery-generator; do not edit.
//! One kernel for each type of data.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// Assignments of every form over `f64`.
#[kernel]
pub fn over_f64(n: usize, a: &mut [f64], b: &[f64], c: &mut [[f64; 3]; 5]) {
    for i in 1..n {
        a[i] = (match a[i] < a[i - 1] { true => b[i], false => -a[i] });
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (0.75 - a[n - 1 - i]);
    }
    for i in (1..n).step_by(6) {
        a[i] -= 0.25 * ((a[i - 1] * b[i] - 0.25 * a[i - 1]));
    }
    for i in (2..n).step_by(6) {
        a[i] *= 0.5 + 0.25 * ((a[i - 1].clamp(-0.5, 0.5) + 0.25 * b[i])).sin();
    }
    for i in (3..n).step_by(6) {
        a[i] *= 0.5 + 0.25 * (((b[i] - a[i - 1]).cos() * b[i])).sin();
    }
    for i in (4..n).step_by(6) {
        a[i] += 0.25 * ((match a[i - 1] < b[i] { true => a[i - 1], false => -b[i] }));
    }
    for i in (5..n).step_by(6) {
        a[i] *= 0.5 + 0.25 * ((a[i - 1] / (1.5 + b[i] * b[i]))).sin();
    }
    for i in (6..n).step_by(6) {
        a[i] += 0.25 * (((a[i - 1] + b[i]).sin()));
    }
    for i in 0..n {
        a[i] = (0.75 - a[3 * i % n]);
    }
}

/// Assignments of every form over `i32`.
#[kernel]
pub fn over_i32(n: usize, a: &mut [i32], b: &[i32], c: &mut [[i32; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i].rotate_left(3) ^ a[i - 1]);
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (a[n - 1 - i].swap_bytes().wrapping_add((i as i32)));
    }
    for i in (1..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (2..n).step_by(6) {
        a[i] <<= 1;
    }
    for i in (3..n).step_by(6) {
        a[i] ^= (a[i - 1].overflowing_add(b[i]).0);
    }
    for i in (4..n).step_by(6) {
        a[i] <<= 1;
    }
    for i in (5..n).step_by(6) {
        a[i] &= ((b[i].checked_mul(a[i - 1]).unwrap_or(b[i]))) | 90;
    }
    for i in (6..n).step_by(6) {
        a[i] &= ((a[i - 1].swap_bytes().wrapping_add(b[i]))) | 90;
    }
    for i in 0..n {
        a[i] = (c[4][2].wrapping_add(b[i]));
    }
}

/// Assignments of every form over `f32`.
#[kernel]
pub fn over_f32(n: usize, a: &mut [f32], b: &[f32], c: &mut [[f32; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1] / (1.5 + b[i] * b[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3].clamp(-0.5, 0.5) + 0.25 * a[n - 1 - i]);
    }
    for i in (1..n).step_by(6) {
        a[i] += 0.25 * ((0.75 - b[i]));
    }
    for i in (2..n).step_by(6) {
        a[i] *= 0.5 + 0.25 * ((a[i - 1].powi(2) - 0.5 * b[i])).sin();
    }
    for i in (3..n).step_by(6) {
        a[i] += 0.25 * ((a[i - 1].clamp(-0.5, 0.5) + 0.25 * b[i]));
    }
    for i in (4..n).step_by(6) {
        a[i] /= 1.25 + ((a[i - 1].powi(2) - 0.5 * b[i])).abs();
    }
    for i in (5..n).step_by(6) {
        a[i] -= 0.25 * ((b[i].abs().sqrt() - 0.5 * a[i - 1]));
    }
    for i in (6..n).step_by(6) {
        a[i] -= 0.25 * ((b[i].max(a[i - 1])));
    }
    for i in 0..n {
        a[i] = (if a[3 * i % n] > 0.0 && c[4][2] > 0.0 { b[i] } else { 0.5 - a[3 * i % n] });
    }
}

/// Assignments of every form over `u8`.
#[kernel]
pub fn over_u8(n: usize, a: &mut [u8], b: &[u8], c: &mut [[u8; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1].saturating_sub(b[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3].max(a[n - 1 - i]));
    }
    for i in (1..n).step_by(6) {
        a[i] &= ((b[i].wrapping_shl((a[i - 1] & 3) as u32) ^ b[i])) | 90;
    }
    for i in (2..n).step_by(6) {
        a[i] |= ((if a[i - 1] < b[i] { a[i - 1] } else { b[i].wrapping_add(1) })) & 5;
    }
    for i in (3..n).step_by(6) {
        a[i] &= ((a[i - 1].wrapping_mul(b[i]).wrapping_sub(a[i - 1]))) | 90;
    }
    for i in (4..n).step_by(6) {
        a[i] /= (((match a[i - 1] & 3 { 0 => b[i], 1 => a[i - 1], _ => b[i].wrapping_neg() })) & 1) + 1;
    }
    for i in (5..n).step_by(6) {
        a[i] ^= ((b[i] & a[i - 1]) | !b[i]);
    }
    for i in (6..n).step_by(6) {
        a[i] %= (((a[i - 1].checked_mul(b[i]).unwrap_or(a[i - 1]))) & 31) + 3;
    }
    for i in 0..n {
        a[i] = (c[4][2].overflowing_add(b[i]).0);
    }
}

/// Assignments of every form over `Complex<f64>`.
#[kernel]
pub fn over_complex(n: usize, a: &mut [Complex<f64>], b: &[Complex<f64>], c: &mut [[Complex<f64>; 3]; 5]) {
    for i in 1..n {
        a[i] = (0.5 * (b[i] + a[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (0.7 * (a[n - 1 - i] * Complex::new(i as f64 * 0.01, 0.5)));
    }
    for i in (1..n).step_by(6) {
        a[i] /= 1.5 + ((0.5 * (a[i - 1] + b[i]))).norm_sqr();
    }
    for i in (2..n).step_by(6) {
        a[i] -= 0.25 * ((if a[i - 1].re < b[i].re { a[i - 1] } else { b[i] * Complex::i() }));
    }
    for i in (3..n).step_by(6) {
        a[i] += 0.25 * ((Complex::new(a[i - 1].re, -b[i].im)));
    }
    for i in (4..n).step_by(6) {
        a[i] *= 0.5 * ((Complex::new(b[i].im * a[i - 1].re, b[i].re.sin())));
    }
    for i in (5..n).step_by(6) {
        a[i] /= 1.5 + ((0.5 * (a[i - 1] + b[i]))).norm_sqr();
    }
    for i in (6..n).step_by(6) {
        a[i] /= 1.5 + ((b[i].conj() - a[i - 1].scale(0.5))).norm_sqr();
    }
    for i in 0..n {
        a[i] = (b[i].conj() - a[3 * i % n].scale(0.5));
    }
}

/// Assignments of every form over `i64`.
#[kernel]
pub fn over_i64(n: usize, a: &mut [i64], b: &[i64], c: &mut [[i64; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1].swap_bytes().wrapping_add(b[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = ((i as i64).wrapping_mul(c[i % 5][i / 5 % 3]).wrapping_sub(a[n - 1 - i]));
    }
    for i in (1..n).step_by(6) {
        a[i] /= (((if a[i - 1] < b[i] { a[i - 1] } else { b[i].wrapping_add(1) })) & 1) + 1;
    }
    for i in (2..n).step_by(6) {
        a[i] &= ((b[i].rotate_left(3) ^ a[i - 1])) | 90;
    }
    for i in (3..n).step_by(6) {
        a[i] |= ((b[i].wrapping_mul(a[i - 1]).wrapping_sub(b[i]))) & 5;
    }
    for i in (4..n).step_by(6) {
        a[i] ^= (a[i - 1].overflowing_add(b[i]).0);
    }
    for i in (5..n).step_by(6) {
        a[i] /= (((b[i].checked_mul(a[i - 1]).unwrap_or(b[i]))) & 1) + 1;
    }
    for i in (6..n).step_by(6) {
        a[i] &= ((if a[i - 1] < b[i] { a[i - 1] } else { b[i].wrapping_add(1) })) | 90;
    }
    for i in 0..n {
        a[i] = (a[3 * i % n] % ((c[4][2] & 15) + 2));
    }
}

/// Assignments of every form over `bool`.
#[kernel]
pub fn over_bool(n: usize, a: &mut [bool], b: &[bool], c: &mut [[bool; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i] ^ a[i - 1]);
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3] || a[n - 1 - i]);
    }
    for i in (1..n).step_by(6) {
        a[i] |= (a[i - 1] ^ b[i]);
    }
    for i in (2..n).step_by(6) {
        a[i] &= (a[i - 1] || b[i]);
    }
    for i in (3..n).step_by(6) {
        a[i] |= (match (a[i - 1], b[i]) { (true, false) => a[i - 1], (x, y) => x == y });
    }
    for i in (4..n).step_by(6) {
        a[i] &= (if a[i - 1] { b[i] } else { !a[i - 1] });
    }
    for i in (5..n).step_by(6) {
        a[i] |= (a[i - 1] && !b[i] || a[i - 1]);
    }
    for i in (6..n).step_by(6) {
        a[i] |= (b[i] || a[i - 1]);
    }
    for i in 0..n {
        a[i] = (!b[i]);
    }
}

/// Assignments of every form over `u32`.
#[kernel]
pub fn over_u32(n: usize, a: &mut [u32], b: &[u32], c: &mut [[u32; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i].max(a[i - 1]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3].checked_mul(a[n - 1 - i]).unwrap_or((i as u32)));
    }
    for i in (1..n).step_by(6) {
        a[i] %= (((b[i].rotate_left(3) ^ a[i - 1])) & 31) + 3;
    }
    for i in (2..n).step_by(6) {
        a[i] %= (((b[i].wrapping_shl((a[i - 1] & 3) as u32) ^ b[i])) & 31) + 3;
    }
    for i in (3..n).step_by(6) {
        a[i] |= ((a[i - 1].swap_bytes().wrapping_add(b[i]))) & 5;
    }
    for i in (4..n).step_by(6) {
        a[i] ^= (a[i - 1] ^ (b[i] >> 1));
    }
    for i in (5..n).step_by(6) {
        a[i] |= ((match a[i - 1] & 3 { 0 => b[i], 1 => a[i - 1], _ => b[i].wrapping_neg() })) & 5;
    }
    for i in (6..n).step_by(6) {
        a[i] %= (((a[i - 1] ^ (b[i] >> 1))) & 31) + 3;
    }
    for i in 0..n {
        a[i] = (a[3 * i % n].min(c[4][2]) ^ b[i]);
    }
}

/// Assignments of every form over `Pair`.
#[kernel]
pub fn over_pair(n: usize, a: &mut [Pair], b: &[Pair], c: &mut [[Pair; 3]; 5]) {
    for i in 1..n {
        a[i] = (if b[i].n < a[i].n { a[i - 1] } else { b[i].mix(b[i]) });
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (a[n - 1 - i].mix((Pair { x: i as f64 * 0.01, n: i as u32 })));
    }
    for i in (1..n).step_by(6) {
        a[i] = ((0.5 * (a[i - 1] + b[i]))).mix(Pair { x: 0.5, n: 3 });
    }
    for i in (2..n).step_by(6) {
        a[i] = ((Pair { x: 0.5 * a[i - 1].x, n: b[i].n ^ 5 })).mix(Pair { x: 0.5, n: 3 });
    }
    for i in (3..n).step_by(6) {
        a[i] = ((b[i].mix(a[i - 1]))).mix(Pair { x: 0.5, n: 3 });
    }
    for i in (4..n).step_by(6) {
        a[i] = ((if a[i - 1].n < b[i].n { a[i - 1] } else { b[i].mix(a[i - 1]) })).mix(Pair { x: 0.5, n: 3 });
    }
    for i in (5..n).step_by(6) {
        a[i] += 0.25 * ((Pair { x: 0.5 * b[i].x, n: a[i - 1].n ^ 5 }));
    }
    for i in (6..n).step_by(6) {
        a[i] += 0.25 * ((if a[i - 1].n < b[i].n { a[i - 1] } else { b[i].mix(a[i - 1]) }));
    }
    for i in 0..n {
        a[i] = (Pair { n: c[4][2].n.wrapping_add(1), ..b[i] });
    }
}

/// Assignments of every form over `i8`.
#[kernel]
pub fn over_i8(n: usize, a: &mut [i8], b: &[i8], c: &mut [[i8; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1] ^ (b[i] >> 1));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3].min(a[n - 1 - i]) ^ (i as i8));
    }
    for i in (1..n).step_by(6) {
        a[i] <<= 1;
    }
    for i in (2..n).step_by(6) {
        a[i] |= ((a[i - 1].wrapping_mul(b[i]).wrapping_sub(a[i - 1]))) & 5;
    }
    for i in (3..n).step_by(6) {
        a[i] /= (((b[i] ^ (a[i - 1] >> 1))) & 1) + 1;
    }
    for i in (4..n).step_by(6) {
        a[i] |= ((a[i - 1].saturating_sub(b[i]))) & 5;
    }
    for i in (5..n).step_by(6) {
        a[i] /= (((a[i - 1].max(b[i]))) & 1) + 1;
    }
    for i in (6..n).step_by(6) {
        a[i] %= (((b[i].max(a[i - 1]))) & 31) + 3;
    }
    for i in 0..n {
        a[i] = (c[4][2].wrapping_shl((b[i] & 3) as u32) ^ a[3 * i % n]);
    }
}

/// Assignments of every form over `u64`.
#[kernel]
pub fn over_u64(n: usize, a: &mut [u64], b: &[u64], c: &mut [[u64; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1].saturating_sub(b[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = ((i as u64).checked_mul(c[i % 5][i / 5 % 3]).unwrap_or(a[n - 1 - i]));
    }
    for i in (1..n).step_by(6) {
        a[i] ^= (a[i - 1] ^ (b[i] >> 1));
    }
    for i in (2..n).step_by(6) {
        a[i] |= ((a[i - 1].wrapping_mul(b[i]).wrapping_sub(a[i - 1]))) & 5;
    }
    for i in (3..n).step_by(6) {
        a[i] &= ((if b[i] < a[i - 1] { b[i] } else { a[i - 1].wrapping_add(1) })) | 90;
    }
    for i in (4..n).step_by(6) {
        a[i] %= (((match a[i - 1] & 3 { 0 => b[i], 1 => a[i - 1], _ => b[i].wrapping_neg() })) & 31) + 3;
    }
    for i in (5..n).step_by(6) {
        a[i] /= (((b[i].rotate_left(3) ^ a[i - 1])) & 1) + 1;
    }
    for i in (6..n).step_by(6) {
        a[i] &= ((b[i].wrapping_mul(a[i - 1]).wrapping_sub(b[i]))) | 90;
    }
    for i in 0..n {
        a[i] = (a[3 * i % n].checked_mul(c[4][2]).unwrap_or(b[i]));
    }
}

/// Assignments of every form over `i16`.
#[kernel]
pub fn over_i16(n: usize, a: &mut [i16], b: &[i16], c: &mut [[i16; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1] / ((b[i] & 7) + 1));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (c[i % 5][i / 5 % 3].min(a[n - 1 - i]) ^ (i as i16));
    }
    for i in (1..n).step_by(6) {
        a[i] %= (((b[i].overflowing_add(a[i - 1]).0)) & 31) + 3;
    }
    for i in (2..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (3..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (4..n).step_by(6) {
        a[i] &= ((a[i - 1] % ((b[i] & 15) + 2))) | 90;
    }
    for i in (5..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (6..n).step_by(6) {
        a[i] /= (((b[i] ^ (a[i - 1] >> 1))) & 1) + 1;
    }
    for i in 0..n {
        a[i] = (c[4][2].wrapping_mul(b[i]).wrapping_sub(a[3 * i % n]));
    }
}

/// Assignments of every form over `u16`.
#[kernel]
pub fn over_u16(n: usize, a: &mut [u16], b: &[u16], c: &mut [[u16; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i] ^ (a[i - 1] >> 1));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (a[n - 1 - i].min((i as u16)) ^ c[i % 5][i / 5 % 3]);
    }
    for i in (1..n).step_by(6) {
        a[i] /= (((a[i - 1].wrapping_shl((b[i] & 3) as u32) ^ a[i - 1])) & 1) + 1;
    }
    for i in (2..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (3..n).step_by(6) {
        a[i] /= (((b[i].saturating_sub(a[i - 1]))) & 1) + 1;
    }
    for i in (4..n).step_by(6) {
        a[i] <<= 1;
    }
    for i in (5..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (6..n).step_by(6) {
        a[i] /= (((b[i] ^ (a[i - 1] >> 1))) & 1) + 1;
    }
    for i in 0..n {
        a[i] = (c[4][2].min(b[i]) ^ a[3 * i % n]);
    }
}

/// Assignments of every form over `usize`.
#[kernel]
pub fn over_usize(n: usize, a: &mut [usize], b: &[usize], c: &mut [[usize; 3]; 5]) {
    for i in 1..n {
        a[i] = (a[i - 1].max(b[i]));
    }
    for i in (0..n).rev() {
        c[i % 5][i / 5 % 3] = (if (i as usize) < c[i % 5][i / 5 % 3] { a[n - 1 - i] } else { (i as usize).wrapping_add(1) });
    }
    for i in (1..n).step_by(6) {
        a[i] /= (((a[i - 1].overflowing_add(b[i]).0)) & 1) + 1;
    }
    for i in (2..n).step_by(6) {
        a[i] >>= 1;
    }
    for i in (3..n).step_by(6) {
        a[i] &= ((a[i - 1].wrapping_shl((b[i] & 3) as u32) ^ a[i - 1])) | 90;
    }
    for i in (4..n).step_by(6) {
        a[i] &= ((b[i].overflowing_add(a[i - 1]).0)) | 90;
    }
    for i in (5..n).step_by(6) {
        a[i] &= ((a[i - 1].wrapping_mul(b[i]).wrapping_sub(a[i - 1]))) | 90;
    }
    for i in (6..n).step_by(6) {
        a[i] ^= (b[i].swap_bytes().wrapping_add(a[i - 1]));
    }
    for i in 0..n {
        a[i] = (a[3 * i % n] % ((c[4][2] & 15) + 2));
    }
}
