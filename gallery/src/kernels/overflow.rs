// Written by superstep-gallery-generator; do not edit.
//! Arithmetic that overflows: a panic where overflow is checked.

#![allow(unused, clippy::all)]

use superstep::kernel;

/// Overflows at 13 factorial.
#[kernel]
pub fn factorials(n: usize, a: &mut [i32]) {
    a[0] = 1;
    for i in 1..n {
        a[i] = a[i - 1] * i as i32;
    }
}

/// Overflows at the fourteenth.
#[kernel]
pub fn fibonacci_numbers(n: usize, a: &mut [u8]) {
    a[0] = 1;
    a[1] = 1;
    for i in 2..n {
        a[i] = a[i - 1] + a[i - 2];
    }
}

/// Subtracts below zero.
#[kernel]
pub fn negated_minimum(n: usize, a: &mut [u64]) {
    for i in 0..n {
        a[i] = i as u64;
        a[i] -= 3;
    }
}

/// Overflows in a running sum.
#[kernel]
pub fn summed_squares(n: usize, a: &mut [i16], sum: &mut i16) {
    *sum = 0;
    for i in 0..n {
        a[i] = (i * i) as i16;
        *sum += a[i];
    }
    for i in 0..n {
        a[i] ^= *sum;
    }
}
