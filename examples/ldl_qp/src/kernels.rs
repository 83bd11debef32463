//! Refactorisation and solve of a symmetric matrix, `L D L'`, as sequential functions that are
//! planned when the program runs.
//!
//! `L` stands in `a` in compressed sparse columns, which begin where `column` says. The first entry
//! of each is that of `D`, as the diagonal of `L` is 1. `row` has the beginnings of the rows, the
//! diagonal last: entry `r` stands in column `col[r]`, at position `at[r]` of `a`.

use superstep::kernel;

/// A pivot of the wrong sign, zero or not a number: the quadratic cost is not convex.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the quadratic cost is not convex: pivot {pivot:e} of column {column} has the wrong sign")]
pub struct WrongSign {
    /// The column, in the order of elimination.
    pub column: usize,
    /// The pivot.
    pub pivot: f64,
}

/// Factors the matrix in place, left-looking: each column takes out those before it that have an
/// entry in its row. A pivot that has not its `sign`, 1 or -1, ends it.
///
/// `part`, `of`, `first` and `run` are those of [`superstep_sparse::Updates`]. An iteration
/// updates a column by the columns of a part of its row; the last part divides it by its pivot.
#[kernel(plan)]
pub fn refactor(
    parts: usize,
    #[structure] column: &[usize],
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] at: &[usize],
    #[structure] part: &[usize],
    #[structure] of: &[u32],
    #[structure] first: &[usize],
    #[structure] run: &[[u32; 2]],
    sign: &[f64],
    a: &mut [f64],
) -> Result<(), WrongSign> {
    for p in 0..parts {
        let j = of[p] as usize;
        let last = row[j + 1] - 1;
        let mut next = first[p];
        for r in part[p]..part[p + 1].min(last) {
            let factor = a[at[r]] * a[column[col[r]]];
            let mut from = at[r];
            while from < column[col[r] + 1] {
                let to = run[next][0] as usize;
                let length = run[next][1] as usize;
                for e in 0..length {
                    a[to + e] -= a[from + e] * factor;
                }
                from += length;
                next += 1;
            }
        }
        if part[p + 1] > last {
            let pivot = a[column[j]];
            #[guard]
            if pivot * sign[j] <= 0.0 || pivot.is_nan() {
                return Err(WrongSign { column: j, pivot });
            }
            for e in column[j] + 1..column[j + 1] {
                a[e] /= pivot;
            }
        }
    }
    Ok(())
}

/// Solves `L D L' x = b` in place: `x` is `b` at first. It goes by the rows of `L`, by `D`, and for
/// `L'` by the columns of `L`. `below` has the row of each entry of `a`. A pivot of zero ends it.
#[kernel(plan)]
pub fn solve(
    n: usize,
    #[structure] column: &[usize],
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] at: &[usize],
    #[structure] below: &[usize],
    a: &[f64],
    x: &mut [f64],
) -> Result<(), WrongSign> {
    for i in 0..n {
        let mut sum = x[i];
        for r in row[i]..row[i + 1] - 1 {
            sum -= a[at[r]] * x[col[r]];
        }
        x[i] = sum;
    }
    for i in 0..n {
        let pivot = a[column[i]];
        #[guard]
        if pivot == 0.0 || pivot.is_nan() {
            return Err(WrongSign { column: i, pivot });
        }
        x[i] /= pivot;
    }
    for j in (0..n).rev() {
        let mut sum = x[j];
        for e in column[j] + 1..column[j + 1] {
            sum -= a[e] * x[below[e]];
        }
        x[j] = sum;
    }
    Ok(())
}
