// Written by superstep-gallery-generator; do not edit.
//! Ranges and strides of every kind, and loops without any.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// Signed counters that run below zero.
#[kernel]
pub fn downwards(n: usize, a: &mut [u64], b: &[u64]) {
    for stride in 1..6 {
        let mut k: i64 = n as i64 - 1;
        while k >= 0 {
            a[k as usize] = (b[(n as i64 - 1 - k) as usize].min(a[k as usize]) ^ b[(n as i64 - 1 - k) as usize]);
            k -= stride;
        }
    }
    for k in (-3..n as i64 - 3).rev() {
        if k < 0 {
            a[(k + 3) as usize] = b[(-k) as usize];
        }
    }
}

/// Signed counters that run below zero.
#[kernel]
pub fn downwards_too(n: usize, a: &mut [i32], b: &[i32]) {
    for stride in 1..6 {
        let mut k: i64 = n as i64 - 1;
        while k >= 0 {
            a[k as usize] = (a[k as usize].wrapping_shl((b[(n as i64 - 1 - k) as usize] & 3) as u32) ^ a[k as usize]);
            k -= stride;
        }
    }
    for k in (-3..n as i64 - 3).rev() {
        if k < 0 {
            a[(k + 3) as usize] = b[(-k) as usize];
        }
    }
}

/// Sizes and counters of narrow types.
#[kernel]
pub fn narrow(m: u8, k: i32, a: &mut [usize], b: &[usize]) {
    for i in (0..m).step_by(k as usize) {
        a[i as usize] = (a[i as usize].swap_bytes().wrapping_add(b[(i ^ 3) as usize]));
    }
    for i in -k..=k {
        if i != 0 {
            a[(i + k) as usize] = b[(i * i) as usize];
        }
    }
}

/// Sizes and counters of narrow types.
#[kernel]
pub fn narrow_too(m: u8, k: i32, a: &mut [Complex<f64>], b: &[Complex<f64>]) {
    for i in (0..m).step_by(k as usize) {
        a[i as usize] = (b[(i ^ 3) as usize] / (2.0 + b[m as usize].norm_sqr()));
    }
    for i in -k..=k {
        if i != 0 {
            a[(i + k) as usize] = b[(i * i) as usize];
        }
    }
}

/// Walks a square inwards.
#[kernel]
pub fn spiral(n: usize, a: &mut [f32], b: &[f32]) {
    let mut visited = [false; 144];
    let mut i: usize = 0;
    let mut j: usize = 0;
    let mut direction = 0;
    let mut last = 0;
    for step in 0..n * n {
        a[i * n + j] = ((a[i * n + j] + a[last]).sin());
        visited[i * n + j] = true;
        last = i * n + j;
        let blocked = if direction == 0 { j + 1 == n || visited[i * n + j + 1] } else if direction == 1 { i + 1 == n || visited[(i + 1) * n + j] } else if direction == 2 { j == 0 || visited[i * n + j - 1] } else { i == 0 || visited[(i - 1) * n + j] };
        if blocked {
            direction = (direction + 1) % 4;
        }
        if direction == 0 {
            j += 1;
        } else if direction == 1 {
            i += 1;
        } else if direction == 2 {
            j = j.wrapping_sub(1);
        } else {
            i = i.wrapping_sub(1);
        }
    }
}

/// Walks a square inwards.
#[kernel]
pub fn spiral_too(n: usize, a: &mut [u32], b: &[u32]) {
    let mut visited = [false; 144];
    let mut i: usize = 0;
    let mut j: usize = 0;
    let mut direction = 0;
    let mut last = 0;
    for step in 0..n * n {
        a[i * n + j] = (b[step % 7].overflowing_add(a[i * n + j]).0);
        visited[i * n + j] = true;
        last = i * n + j;
        let blocked = if direction == 0 { j + 1 == n || visited[i * n + j + 1] } else if direction == 1 { i + 1 == n || visited[(i + 1) * n + j] } else if direction == 2 { j == 0 || visited[i * n + j - 1] } else { i == 0 || visited[(i - 1) * n + j] };
        if blocked {
            direction = (direction + 1) % 4;
        }
        if direction == 0 {
            j += 1;
        } else if direction == 1 {
            i += 1;
        } else if direction == 2 {
            j = j.wrapping_sub(1);
        } else {
            i = i.wrapping_sub(1);
        }
    }
}

/// Indices by shifts and exclusive or.
#[kernel]
pub fn gray(rounds: usize, a: &mut [i64]) {
    for round in 0..rounds {
        let bit = 1 << (round % 6);
        for i in 0..64 {
            if i & bit == 0 {
                a[i ^ (i >> 1)] = (a[(i ^ bit) & 63] % ((a[i ^ (i >> 1)] & 15) + 2));
            }
        }
    }
}

/// Indices by shifts and exclusive or.
#[kernel]
pub fn gray_too(rounds: usize, a: &mut [u64]) {
    for round in 0..rounds {
        let bit = 1 << (round % 6);
        for i in 0..64 {
            if i & bit == 0 {
                a[i ^ (i >> 1)] = (a[(i ^ bit) & 63].checked_mul(a[i ^ (i >> 1)]).unwrap_or(a[i]));
            }
        }
    }
}

/// Bounds computed by methods and by `if` expressions.
#[kernel]
pub fn windows(n: usize, reach: usize, a: &mut [Pair], b: &[Pair]) {
    for i in 0..n {
        let low = i.saturating_sub(reach);
        let high = (i + reach + 1).min(n);
        for j in low..high {
            a[i] = (Pair { x: b[j].x.max(a[i].x), n: b[low].n.rotate_right(1) });
        }
        let mirrored = if i < n / 2 { i } else { n - 1 - i };
        a[mirrored] = b[i.abs_diff(reach).pow(2) % n];
    }
}

/// Bounds computed by methods and by `if` expressions.
#[kernel]
pub fn windows_too(n: usize, reach: usize, a: &mut [usize], b: &[usize]) {
    for i in 0..n {
        let low = i.saturating_sub(reach);
        let high = (i + reach + 1).min(n);
        for j in low..high {
            a[i] = (b[j].overflowing_add(a[i]).0);
        }
        let mirrored = if i < n / 2 { i } else { n - 1 - i };
        a[mirrored] = b[i.abs_diff(reach).pow(2) % n];
    }
}

/// A loop nest in tiles, the last of them short.
#[kernel]
pub fn tiles(n: usize, tile: usize, a: &mut [i16], b: &[i16]) {
    for top in (0..n).step_by(tile) {
        for left in (0..n).step_by(tile) {
            for i in top..n.min(top + tile) {
                for j in left..n.min(left + tile) {
                    a[i * n + j] = (b[j * n + i] / ((a[j * n + i] & 7) + 1));
                }
            }
        }
    }
}

/// A loop nest in tiles, the last of them short.
#[kernel]
pub fn tiles_too(n: usize, tile: usize, a: &mut [f32], b: &[f32]) {
    for top in (0..n).step_by(tile) {
        for left in (0..n).step_by(tile) {
            for i in top..n.min(top + tile) {
                for j in left..n.min(left + tile) {
                    a[i * n + j] = (a[i * n + j].powi(2) - 0.5 * b[j * n + i]);
                }
            }
        }
    }
}

/// Loops that only a `break` ends.
#[kernel]
pub fn forever(n: usize, a: &mut [f64], b: &[f64]) {
    let mut k = 0;
    let mut step = 1;
    'outer: loop {
        let mut turns = 0;
        loop {
            a[k] = (b[k].abs().sqrt() - 0.5 * a[k]);
            k = (k + step) % n;
            turns += 1;
            if turns == 7 {
                break;
            }
            if k == n - 1 && step > 3 {
                break 'outer;
            }
        }
        step += 2;
        if step > 15 {
            break 'outer;
        }
    }
}

/// Loops that only a `break` ends.
#[kernel]
pub fn forever_too(n: usize, a: &mut [i64], b: &[i64]) {
    let mut k = 0;
    let mut step = 1;
    'outer: loop {
        let mut turns = 0;
        loop {
            a[k] = (a[(k + step) % n] % ((b[k] & 15) + 2));
            k = (k + step) % n;
            turns += 1;
            if turns == 7 {
                break;
            }
            if k == n - 1 && step > 3 {
                break 'outer;
            }
        }
        step += 2;
        if step > 15 {
            break 'outer;
        }
    }
}

/// The length of a slice decides.
#[kernel]
pub fn measured(rounds: usize, b: &[u8], a: &mut [u8]) {
    for round in 0..rounds {
        for i in 0..b.len() * 3 {
            a[i + round] = (if b[i % b.len()] < b[b.len() - 1] { a[i] } else { b[i % b.len()].wrapping_add(1) });
        }
    }
}

/// The length of a slice decides.
#[kernel]
pub fn measured_too(rounds: usize, b: &[Pair], a: &mut [Pair]) {
    for round in 0..rounds {
        for i in 0..b.len() * 3 {
            a[i + round] = (Pair { n: a[i].n.wrapping_add(1), ..b[i % b.len()] });
        }
    }
}
