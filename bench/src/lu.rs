//! LU factorisation without pivoting.

use rayon::prelude::*;
use superstep_example_lu::{kernels, matrix};

use crate::contest::{Contest, Standing, prepared};

/// Runs the contest for matrices of `n` rows.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let a = matrix(n);
    let with = kernels::lu::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    let plan = kernels::lu::plan(n).exactly(2).build();
    Contest::new("lu", n, &a)
        .written(|a| kernels::lu(n, a))
        .slices(|a| slices(n, a))
        .programs(exactly, at_most, |program, a| program.run(n, a))
        .planned(|a| prepared(&plan).run(a))
        .rayon("rows", |a| rayon_rows(n, a))
        .rayon("halves", |a| rayon_halves(n, a))
        .run(rounds, busy)
}

/// Divides `row[0]` by the pivot `above[0]` and subtracts that multiple of the rest of `above` from
/// the rest of `row`.
fn eliminate(row: &mut [f64], above: &[f64]) {
    row[0] /= above[0];
    let (factor, rest) = (row[0], &mut row[1..]);
    for (x, u) in rest.iter_mut().zip(&above[1..]) {
        *x -= factor * u;
    }
}

fn slices(n: usize, a: &mut [f64]) {
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        for row in below.chunks_exact_mut(n) {
            eliminate(&mut row[k..], &above[k * n + k..]);
        }
    }
}

/// Runs a parallel loop over the rows below each pivot.
fn rayon_rows(n: usize, a: &mut [f64]) {
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        below
            .par_chunks_exact_mut(n)
            .for_each(|row| eliminate(&mut row[k..], &above[k * n + k..]));
    }
}

/// Runs as many blocks of rows as there are threads, below each pivot.
fn rayon_halves(n: usize, a: &mut [f64]) {
    for k in 0..n - 1 {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let rows = (n - k - 1).div_ceil(rayon::current_num_threads());
        below.par_chunks_mut(rows * n).for_each(|block| {
            for row in block.chunks_exact_mut(n) {
                eliminate(&mut row[k..], &above[k * n + k..]);
            }
        });
    }
}
