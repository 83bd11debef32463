//! The product of two dense matrices.

use rayon::prelude::*;
use superstep_example_matmul::{factors, kernels};

use crate::contest::{Contest, Standing, prepared};

/// Runs the contest for matrices of `n` rows.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let [a, b] = &factors(n);
    let product = vec![0.0; n * n];
    let with = kernels::matmul::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    let plan = kernels::matmul::plan(n).exactly(2).build();
    Contest::new("matmul", n, &product)
        .written(|c| kernels::matmul(n, a, b, c))
        .slices(|c| slices(n, a, b, c))
        .programs(exactly, at_most, |program, c| program.run(n, a, b, c))
        .planned(|c| prepared(&plan).run(a, b, c))
        .rayon("rows", |c| {
            let rows = c.par_chunks_exact_mut(n).zip(a.par_chunks_exact(n));
            rows.for_each(|(c, a)| row(n, a, b, c));
        })
        .rayon("halves", |c| {
            let words = n.div_ceil(rayon::current_num_threads()) * n;
            let blocks = c.par_chunks_mut(words).zip(a.par_chunks(words));
            blocks.for_each(|(c, a)| slices(n, a, b, c));
        })
        .run(rounds, busy)
}

/// Computes one row of the product: multiples of the rows of `b`, in order.
fn row(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    c.fill(0.0);
    for (a, b) in a.iter().zip(b.chunks_exact(n)) {
        for (c, b) in c.iter_mut().zip(b) {
            *c += a * b;
        }
    }
}

fn slices(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        row(n, a, b, c);
    }
}
