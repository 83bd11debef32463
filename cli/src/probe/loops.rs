//! Times of loops: each figure from loops that differ in one thing.

use std::hint::black_box;
use std::ops::Range;

use superstep_machine::Times;
use superstep_runtime::words::vectors::{unaligned, vectorised};

use super::fastest::fastest;

/// Words of an array that stays in the L1 cache.
const FEW: usize = 1024;

/// Words of an array that no core's own caches hold: 8 MB.
const MANY: usize = 1 << 20;

/// Share of the work that predictions take not to overlap. Of the units of a core that load, store
/// and compute, it is taken of all but the one that has most to do.
const BESIDE: f64 = 0.2;

/// Measures the fields of the result that loops tell; others have their defaults.
pub(super) fn measured() -> Times {
    let (word, operation, division) = words();
    Times {
        run: run(),
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
        line: 8.0
            * per_word_of_vectors(
                MANY,
                #[inline(always)]
                |x, y| x[0] += total(y),
            ),
        ..vectors()
    }
}

/// Returns the nanoseconds for each of the words of two arrays that `run` works on. The first array
/// begins where a cache line does; the second, as most do that a caller allocates, 16 bytes behind.
fn per_word(words: usize, mut run: impl FnMut(&mut [f64], &[f64])) -> f64 {
    let mut x = vec![1.5; words + LINE];
    let y = vec![1.25; words + LINE + 2];
    let x = &mut x[..];
    let (first, second) = (aligned(x), aligned(&y) + 2);
    let (x, y) = (&mut x[first..][..words], &y[second..][..words]);
    let repeated = (16 * FEW / words).max(1);
    let time = fastest(|| {
        for _ in 0..repeated {
            run(black_box(x), black_box(y));
        }
    });
    time / (repeated * words) as f64
}

/// Words of a cache line.
const LINE: usize = 8;

/// Returns the first word that begins a cache line, where that can be found out.
fn aligned(words: &[f64]) -> usize {
    words.as_ptr().align_offset(64) % LINE
}

/// Returns the same as [`per_word`] with the widest vectors. What is not inlined into the loop
/// would have narrower ones.
fn per_word_of_vectors(words: usize, run: impl Fn(&mut [f64], &[f64])) -> f64 {
    per_word(words, |x, y| {
        vectorised(
            x.len(),
            #[inline(always)]
            || run(x, y),
        );
    })
}

/// Measures 16 bytes loaded and stored, and operations on them, in vectorised loops.
fn vectors() -> Times {
    let load = per_word_of_vectors(
        FEW,
        #[inline(always)]
        |x, y| x[0] += total(y),
    );
    let aligned = per_word_of_vectors(
        FEW,
        #[inline(always)]
        |x, _| {
            black_box(total(x));
        },
    );
    let store = per_word_of_vectors(
        FEW,
        #[inline(always)]
        |x, _| {
            let first = x[0];
            x.iter_mut().for_each(|x| *x = first);
        },
    );
    let beside = BESIDE * (load + store);
    // Per word: eight operations, a load and a store.
    let polynomials = per_word_of_vectors(
        FEW,
        #[inline(always)]
        |x, y| {
            for (x, y) in x.iter_mut().zip(y) {
                *x = polynomial(*y);
            }
        },
    );
    let quotients = per_word_of_vectors(FEW, quotients);
    Times {
        vector_load: 2.0 * load,
        aligned_load: 2.0 * aligned,
        vector_store: 2.0 * store,
        vector_operation: 2.0 * (polynomials - beside).max(0.0) / 8.0,
        vector_division: 2.0 * (quotients - beside).max(0.0),
        ..Times::default()
    }
}

/// Measures the start of a run: the rows of a stencil, what their words take left out.
fn run() -> f64 {
    // A row that is written and four that are read: as many starts as predictions take that to be.
    const STARTS: f64 = 1.5;
    const ROWS: usize = 8;
    let row = |inner: usize| {
        let n = inner + 2;
        let mut to = vec![0.0; n * ROWS];
        let from = vec![1.5; n * (ROWS + 2)];
        let rows = fastest(|| {
            for (i, to) in black_box(&mut to).chunks_exact_mut(n).enumerate() {
                let [above, here, below] =
                    [i, i + 1, i + 2].map(|i| &black_box(&from)[i * n..][..n]);
                vectorised(
                    inner,
                    #[inline(always)]
                    || stencil(above, here, below, to),
                );
            }
        });
        rows / ROWS as f64
    };
    let [short, long] = [64, 192].map(row);
    ((3.0 * short - long) / 2.0).max(0.0) / STARTS
}

/// Computes the inner words of a row, as generated programs write them.
#[inline(always)]
fn stencil(above: &[f64], here: &[f64], below: &[f64], to: &mut [f64]) {
    let inner = to.len() - 2;
    let to = &mut to[1..=inner];
    let from = [&above[1..], here, &here[2..], &below[1..]].map(|words| &words[..inner]);
    let first = unaligned(to);
    points(from, to, 0..first);
    points(from, to, first..inner);
}

#[inline(always)]
fn points([above, left, right, below]: [&[f64]; 4], to: &mut [f64], some: Range<usize>) {
    for x in some {
        to[x] = 0.25 * (above[x] + left[x] + right[x] + below[x]);
    }
}

/// Measures a word moved, an operation and a division, in loops that are not vectorised.
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

/// Computes the sum of the polynomials of `N` numbers near every third one.
fn polynomials<const N: usize>(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.chunks_exact_mut(3).zip(y.chunks_exact(3)) {
        x[0] = (0..N).map(|n| polynomial(y[n])).sum();
    }
}

/// Computes eight operations.
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

/// Returns a sum that waits for nothing: as many at a time as four of the widest vectors hold.
#[inline(always)]
fn total(y: &[f64]) -> f64 {
    let mut sums = [0.0; 32];
    for y in y.chunks_exact(32) {
        for (sum, y) in sums.iter_mut().zip(y) {
            *sum += y;
        }
    }
    sums.iter().sum()
}
