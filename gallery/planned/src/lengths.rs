//! Kernels with arrays whose lengths plans are compared with: of any number, and of one that is known.

use superstep::kernel;

/// Adds to each word those that its row names, from an array that is only read, and what all share.
/// That is a number that is computed before, from a word of its own.
#[kernel(plan)]
pub fn gathered(
    n: usize,
    #[structure] from: &[u32],
    #[values] by: &[f64],
    weights: &[f64],
    b: &[[f64; 2]],
    x: &mut [f64],
) {
    let share = weights[n + 2];
    for i in 0..n {
        x[i] += share * by[from[i] as usize] + b[from[i] as usize / 2][1];
    }
}

/// Doubles words: as many as control says, of arrays whose lengths are control, too.
#[kernel(plan)]
pub fn doubled(n: usize, a: &[f64], twice: &mut [f64], table: &[f64; 6]) {
    assert!(a.len() + twice.len() > 0);
    for i in 0..n {
        twice[i] = 2.0 * a[i] + table[i];
    }
}

/// Sums the beginnings of an array: a range of words for each.
#[kernel(plan)]
pub fn beginnings(n: usize, a: &[f64], sums: &mut [f64]) {
    assert!(!a.is_empty());
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..2 * i {
            sum += a[k];
        }
        sums[i] = sum;
    }
}

/// Doubles words by the places that structure names.
#[kernel(plan)]
pub fn placed(n: usize, #[structure] at: &[usize], #[values] a: &[f64], x: &mut [f64]) {
    assert!(x.len() * a.len() > 0);
    for i in 0..n {
        x[at[i]] = 2.0 * a[at[i]];
    }
}
