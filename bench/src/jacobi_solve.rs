//! One Jacobi iteration of a dense system.

use rayon::prelude::*;
use superstep_example_jacobi_solve::{System, kernels, system};

use crate::contest::{Contest, Standing};

/// Runs the contest for `n` unknowns.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let System { a, b, x } = &system(n);
    let results = (vec![0.0; n], 0.0);
    let with = kernels::jacobi_solve::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    Contest::new("jacobi_solve", n, &results)
        .written(|(y, change)| kernels::jacobi_solve(n, a, b, x, y, change))
        .slices(|(y, change)| slices(n, a, b, x, y, change))
        .programs(exactly, at_most, |program, (y, change)| {
            program.run(n, a, b, x, y, change)
        })
        .rayon("rows", |(y, change)| rayon(n, 1, a, b, x, y, change))
        .rayon("halves", |(y, change)| {
            rayon(
                n,
                n.div_ceil(rayon::current_num_threads()),
                a,
                b,
                x,
                y,
                change,
            )
        })
        .run(rounds, busy)
}

/// Returns the unknown of row `i`.
fn unknown(i: usize, row: &[f64], b: f64, x: &[f64]) -> f64 {
    let products =
        |row: &[f64], x: &[f64], sum: f64| row.iter().zip(x).fold(sum, |sum, (a, x)| sum + a * x);
    let before = products(&row[..i], &x[..i], 0.0);
    (b - products(&row[i + 1..], &x[i + 1..], before)) / row[i]
}

/// Returns the Euclidean norm of `y - x`, summed in order.
fn distance(x: &[f64], y: &[f64]) -> f64 {
    y.iter()
        .zip(x)
        .fold(0.0, |sum, (y, x)| sum + (y - x) * (y - x))
        .sqrt()
}

fn slices(n: usize, a: &[f64], b: &[f64], x: &[f64], y: &mut [f64], change: &mut f64) {
    for (i, ((y, row), b)) in y.iter_mut().zip(a.chunks_exact(n)).zip(b).enumerate() {
        *y = unknown(i, row, *b, x);
    }
    *change = distance(x, y);
}

/// Runs a parallel loop over rows, at least `least` of them at a time; the sum of the norm keeps
/// its order.
fn rayon(n: usize, least: usize, a: &[f64], b: &[f64], x: &[f64], y: &mut [f64], change: &mut f64) {
    let rows = y
        .par_iter_mut()
        .zip(a.par_chunks_exact(n))
        .zip(b)
        .enumerate();
    rows.with_min_len(least)
        .for_each(|(i, ((y, row), b))| *y = unknown(i, row, *b, x));
    *change = distance(x, y);
}
