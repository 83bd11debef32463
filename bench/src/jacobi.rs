//! Sweeps of the five-point stencil.

use rayon::prelude::*;
use superstep_example_jacobi::{grid, kernels};

use crate::contest::{Contest, Standing, prepared};

/// Sweeps there and as many back, so that the result is in the first grid: ten in all, as in the
/// example. Not tuned.
const SWEEPS: usize = 5;

/// Runs the contest over an `n` x `n` grid.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let grids = (grid(n), grid(n));
    let with = kernels::jacobi::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    let plan = kernels::jacobi::plan(n, SWEEPS).exactly(2).build();
    Contest::new("jacobi", format_args!("{n}, {} sweeps", 2 * SWEEPS), &grids)
        .written(|(u, v)| kernels::jacobi(n, SWEEPS, u, v))
        .slices(|(u, v)| back_and_forth(u, v, |from, to| slices(n, from, to)))
        .programs(exactly, at_most, |program, (u, v)| {
            program.run(n, SWEEPS, u, v)
        })
        .planned(|(u, v)| prepared(&plan).run(u, v))
        .rayon("rows", |(u, v)| {
            back_and_forth(u, v, |from, to| rayon_rows(n, from, to))
        })
        .rayon("halves", |(u, v)| {
            back_and_forth(u, v, |from, to| rayon_halves(n, from, to))
        })
        .run(rounds, busy)
}

fn back_and_forth(u: &mut [f64], v: &mut [f64], sweep: impl Fn(&[f64], &mut [f64])) {
    for _ in 0..SWEEPS {
        sweep(u, v);
        sweep(v, u);
    }
}

/// Computes the inner points of row `i` of the next grid.
fn row(n: usize, i: usize, from: &[f64], to: &mut [f64]) {
    let [above, here, below] = [i - 1, i, i + 1].map(|i| &from[i * n..(i + 1) * n]);
    let across = here.iter().zip(&here[2..]);
    let along = above[1..].iter().zip(&below[1..]);
    for ((to, (left, right)), (up, down)) in to[1..n - 1].iter_mut().zip(across).zip(along) {
        *to = 0.25 * (up + left + right + down);
    }
}

fn slices(n: usize, from: &[f64], to: &mut [f64]) {
    for (i, to) in to.chunks_exact_mut(n).enumerate().take(n - 1).skip(1) {
        row(n, i, from, to);
    }
}

/// Runs a parallel loop over rows.
fn rayon_rows(n: usize, from: &[f64], to: &mut [f64]) {
    to.par_chunks_exact_mut(n)
        .enumerate()
        .take(n - 1)
        .skip(1)
        .for_each(|(i, to)| row(n, i, from, to));
}

/// Runs as many blocks of rows as there are threads.
fn rayon_halves(n: usize, from: &[f64], to: &mut [f64]) {
    let rows = (n - 2).div_ceil(rayon::current_num_threads());
    to[n..(n - 1) * n]
        .par_chunks_mut(rows * n)
        .enumerate()
        .for_each(|(block, to)| {
            for (i, to) in to.chunks_exact_mut(n).enumerate() {
                row(n, 1 + block * rows + i, from, to);
            }
        });
}
