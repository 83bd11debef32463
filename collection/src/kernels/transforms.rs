//! Transforms and networks over a power of two.

use num_complex::Complex;
use superstep::kernel;

/// The prime of the number-theoretic transform: 119 * 2^23 + 1.
pub const PRIME: u64 = 998_244_353;

/// Transforms `n` numbers below [`PRIME`] by the powers `root[i]` of an `n`-th root of unity, in
/// place: the result is in bit-reversed order.
#[kernel]
pub fn ntt(n: usize, root: &[u64], x: &mut [u64]) {
    let mut half = n / 2;
    while half > 0 {
        for first in (0..n).step_by(2 * half) {
            for i in 0..half {
                let a = x[first + i];
                let b = x[first + half + i];
                x[first + i] = (a + b) % PRIME;
                x[first + half + i] = (a + PRIME - b) * root[i * (n / 2 / half)] % PRIME;
            }
        }
        half /= 2;
    }
}

/// Transforms `n` integers in place (Walsh and Hadamard).
#[kernel]
pub fn hadamard(n: usize, x: &mut [i32]) {
    let mut half = 1;
    while half < n {
        for first in (0..n).step_by(2 * half) {
            for i in first..first + half {
                let a = x[i];
                let b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
        half *= 2;
    }
}

/// Sorts `n` numbers by Batcher's bitonic network.
#[kernel]
pub fn bitonic(n: usize, x: &mut [f32]) {
    let mut block = 2;
    while block <= n {
        let mut distance = block / 2;
        while distance > 0 {
            for i in 0..n {
                let other = i ^ distance;
                if other > i {
                    let low = x[i].min(x[other]);
                    let high = x[i].max(x[other]);
                    x[i] = if i & block == 0 { low } else { high };
                    x[other] = if i & block == 0 { high } else { low };
                }
            }
            distance /= 2;
        }
        block *= 2;
    }
}

/// Applies gates to `bits` quantum bits: gate `g` is the matrix `gate[g]` on the bit `target[g]`.
#[kernel]
pub fn gates(
    bits: usize,
    #[structure] target: &[usize],
    gate: &[[Complex<f64>; 4]],
    state: &mut [Complex<f64>],
) {
    for g in 0..target.len() {
        let bit = 1 << target[g];
        for i in 0..1 << bits {
            if i & bit == 0 {
                let zero = state[i];
                let one = state[i | bit];
                state[i] = gate[g][0] * zero + gate[g][1] * one;
                state[i | bit] = gate[g][2] * zero + gate[g][3] * one;
            }
        }
    }
}
