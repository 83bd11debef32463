//! What loops take: each figure from loops that differ in one thing.

use std::hint::black_box;

use superstep_machine::Times;
use superstep_runtime::words::vectors::vectorised;

use super::fastest;

/// Words of an array that stays in the first level cache.
const FEW: usize = 1024;

/// Words of an array that no core's own caches hold: 8 MB.
const MANY: usize = 1 << 20;

/// The fields of the result that loops tell; others have their defaults.
pub(super) fn measured() -> Times {
    let (vector, vector_operation) = vectors();
    let (word, operation, division) = words();
    Times {
        vector,
        vector_operation,
        vector_division: 2.0 * (per_word_of_vectors(FEW, quotients) - vector).max(0.0),
        word,
        operation,
        division,
        wait: per_word(FEW, |x, _| x[0] = x.iter().fold(0.0, |sum, x| sum + x)),
        wait_division: per_word(FEW, |x, _| {
            x[0] = x.iter().fold(1.5, |quotient, x| x / quotient)
        }),
        // No order of two instructions each can be changed.
        wait_integer: 0.5
            * per_word(FEW, |x, _| {
                let last = x
                    .iter()
                    .fold(1, |last: u64, x| last.rotate_left(1) ^ x.to_bits());
                black_box(last);
            }),
        line: 8.0 * per_word_of_vectors(MANY, |x, y| x[0] += total(y)),
        ..Times::default()
    }
}

/// Nanoseconds for each of the words of two arrays that `run` works on.
fn per_word(words: usize, mut run: impl FnMut(&mut [f64], &[f64])) -> f64 {
    let mut x = vec![1.5; words];
    let y = vec![1.25; words];
    let repeated = (16 * FEW / words).max(1);
    let time = fastest(|| {
        for _ in 0..repeated {
            run(black_box(&mut x), black_box(&y));
        }
    });
    time / (repeated * words) as f64
}

/// The same, with the widest vectors.
fn per_word_of_vectors(words: usize, run: impl Fn(&mut [f64], &[f64])) -> f64 {
    per_word(words, |x, y| {
        vectorised(
            #[inline(always)]
            || run(x, y),
        );
    })
}

/// 16 bytes moved, and an operation on them, in vectorised loops.
fn vectors() -> (f64, f64) {
    // Per word: 24 bytes and an operation.
    let sums = per_word_of_vectors(FEW, |x, y| x.iter_mut().zip(y).for_each(|(x, y)| *x += y));
    // Per word: 16 bytes and eight operations.
    let polynomials = per_word_of_vectors(FEW, |x, y| {
        for (x, y) in x.iter_mut().zip(y) {
            *x = polynomial(*y);
        }
    });
    let operation = (polynomials - sums * 2.0 / 3.0) / (4.0 - 1.0 / 3.0);
    let operation = operation.max(0.0);
    (((sums - 0.5 * operation) / 1.5).max(0.0), operation)
}

/// A word moved, an operation and a division, in loops that are not vectorised.
fn words() -> (f64, f64, f64) {
    // Every third word, which no vector instruction loads at once.
    let used = (FEW / 3) as f64 / FEW as f64;
    let copies = per_word(FEW, |x, y| {
        for (x, y) in x.chunks_exact_mut(3).zip(y.chunks_exact(3)) {
            x[0] = y[0];
        }
    });
    // Eight operations hide behind the copies; seventeen and twenty-six do not.
    let [two, three] =
        [polynomials::<2>, polynomials::<3>].map(|polynomials| per_word(FEW, polynomials));
    let quotients = per_word(FEW, |x, y| {
        for (x, y) in x.chunks_exact_mut(3).zip(y.chunks_exact(3)) {
            x[0] = 1.0 / black_box(y[0]);
        }
    });
    let [copies, two, three, quotients] = [copies, two, three, quotients].map(|time| time / used);
    let operation = (three - two) / 9.0;
    (
        0.5 * copies,
        operation.max(0.0),
        (quotients - copies).max(0.0),
    )
}

/// The sum of the polynomials of `N` numbers near every third one.
fn polynomials<const N: usize>(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.chunks_exact_mut(3).zip(y.chunks_exact(3)) {
        x[0] = (0..N).map(|n| polynomial(y[n])).sum();
    }
}

/// Eight operations.
#[inline(always)]
fn polynomial(y: f64) -> f64 {
    (((y * 0.5 + 1.5) * y + 0.25) * y - 0.75) * y + 1.0
}

#[inline(always)]
fn quotients(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = 1.0 / y;
    }
}

/// A sum that waits for nothing: eight at a time.
#[inline(always)]
fn total(y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for y in y.chunks_exact(8) {
        for (sum, y) in sums.iter_mut().zip(y) {
            *sum += y;
        }
    }
    sums.iter().sum()
}
