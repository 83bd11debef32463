//! The fast Fourier transform.

use num_complex::Complex;
use rayon::prelude::*;
use superstep_example_fft::{kernels, signal, twiddles};

use crate::contest::{Contest, Standing, prepared};

/// Words below which the recursive form stays sequential.
const CUTOFF: usize = 1024;

/// Runs the contest for `n` numbers.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let (x, twiddles) = (signal(n), &twiddles(n)[..]);
    let with = kernels::fft::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    let plan = kernels::fft::plan(n).exactly(2).build();
    Contest::new("fft", n, &x)
        .written(|x| kernels::fft(n, twiddles, x))
        .slices(|x| slices(twiddles, x))
        .programs(exactly, at_most, |program, x| program.run(n, twiddles, x))
        .planned(|x| prepared(&plan).run(twiddles, x))
        .rayon("stages", |x| rayon_stages(twiddles, x))
        .rayon("recursive", |x| {
            reverse_bits(x);
            rayon_recursive(twiddles, x);
        })
        .run(rounds, busy)
}

fn reverse_bits(x: &mut [Complex<f64>]) {
    let unused = x.len().leading_zeros() + 1;
    for i in 0..x.len() {
        let j = i.reverse_bits() >> unused;
        if i < j {
            x.swap(i, j);
        }
    }
}

fn butterfly(even: &mut Complex<f64>, odd: &mut Complex<f64>, twiddle: &Complex<f64>) {
    let turned = twiddle * *odd;
    *odd = *even - turned;
    *even += turned;
}

/// Merges the transforms of the two halves of `x` into that of `x`.
fn combine(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    let stride = 2 * twiddles.len() / x.len();
    let (even, odd) = x.split_at_mut(x.len() / 2);
    for ((even, odd), twiddle) in even
        .iter_mut()
        .zip(odd)
        .zip(twiddles.iter().step_by(stride))
    {
        butterfly(even, odd, twiddle);
    }
}

/// Combines as [`combine`] does, in as many pieces as there are threads.
fn combine_in_pieces(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    let stride = 2 * twiddles.len() / x.len();
    let piece = (x.len() / 2).div_ceil(rayon::current_num_threads());
    let (even, odd) = x.split_at_mut(x.len() / 2);
    even.par_chunks_mut(piece)
        .zip(odd.par_chunks_mut(piece))
        .enumerate()
        .for_each(|(p, (even, odd))| {
            let twiddles = twiddles.iter().step_by(stride).skip(p * piece);
            for ((even, odd), twiddle) in even.iter_mut().zip(odd).zip(twiddles) {
                butterfly(even, odd, twiddle);
            }
        });
}

fn slices(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    reverse_bits(x);
    stages(twiddles, x);
}

/// Combines blocks of two numbers, of four, and so on, one block after the other.
fn stages(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    let mut block = 2;
    while block <= x.len() {
        for x in x.chunks_exact_mut(block) {
            combine(twiddles, x);
        }
        block *= 2;
    }
}

/// Runs a parallel loop in each stage: over blocks while there are many, within the block at last.
fn rayon_stages(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    reverse_bits(x);
    let threads = rayon::current_num_threads();
    let mut block = 2;
    while block <= x.len() {
        let blocks = x.len() / block;
        if blocks >= threads {
            x.par_chunks_exact_mut(block)
                .with_min_len(blocks.div_ceil(threads))
                .for_each(|x| combine(twiddles, x));
        } else {
            combine_in_pieces(twiddles, x);
        }
        block *= 2;
    }
}

/// Transforms both halves side by side, then combines them in pieces. Expects bit-reversed order.
fn rayon_recursive(twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    if x.len() <= CUTOFF {
        return stages(twiddles, x);
    }
    let (first, second) = x.split_at_mut(x.len() / 2);
    rayon::join(
        || rayon_recursive(twiddles, first),
        || rayon_recursive(twiddles, second),
    );
    if x.len() > 4 * CUTOFF {
        combine_in_pieces(twiddles, x);
    } else {
        combine(twiddles, x);
    }
}
