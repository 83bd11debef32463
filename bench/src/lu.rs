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
        .rayon("halves", |a| rayon_halves(n, 0, a))
        .rayon("wide halves", |a| rayon_halves(n, WIDE, a))
        .run(rounds, busy)
}

/// Words below a pivot that one thread takes alone, at most. It needs some 1.7 microseconds for
/// them (0.2 ns each in the slice form), in which rayon wakes another thread. This form is rayon's
/// fastest of LU 128 and LU 256 (`superstep-bench speed --kernel lu`).
const WIDE: usize = 1 << 13;

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

/// Runs as many blocks of rows as there are threads, below each pivot; one where at most `wide`
/// words are left.
fn rayon_halves(n: usize, wide: usize, a: &mut [f64]) {
    for k in 0..n - 1 {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let rows = n - k - 1;
        let blocks = match rows * rows <= wide {
            true => 1,
            false => rayon::current_num_threads(),
        };
        let rows = rows.div_ceil(blocks);
        below.par_chunks_mut(rows * n).for_each(|block| {
            for row in block.chunks_exact_mut(n) {
                eliminate(&mut row[k..], &above[k * n + k..]);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Form<'f> = &'f dyn Fn(&mut [f64]);

    #[test]
    fn peers_give_the_bits_of_the_kernel() {
        for n in [1, 2, 3, 40] {
            let mut expected = matrix(n);
            kernels::lu(n, &mut expected);
            let forms: [Form<'_>; 5] = [
                &|a| slices(n, a),
                &|a| rayon_rows(n, a),
                &|a| rayon_halves(n, 0, a),
                &|a| rayon_halves(n, 100, a),
                &|a| rayon_halves(n, WIDE, a),
            ];
            for form in forms {
                let mut a = matrix(n);
                form(&mut a);
                assert_eq!(a, expected);
            }
        }
    }
}
