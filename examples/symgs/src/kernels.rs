//! The kernels, as one writes them: sequential functions over compressed rows.

use superstep::kernel;

/// Errors of matrices that no sweep can be made with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// Another entry stands where the diagonal is taken to be.
    #[error("row {row}: the diagonal is elsewhere")]
    Diagonal {
        /// The row.
        row: usize,
    },
    /// A diagonal is zero, or not a number.
    #[error("row {row}: the diagonal is {value}")]
    Value {
        /// The row.
        row: usize,
        /// The diagonal.
        value: f64,
    },
}

/// Smooths `x` towards the solution of `A x = b`: one sweep of Gauss-Seidel forwards and one
/// backwards. Each row takes the newest values of all others. `diagonal` has the position of each
/// row's diagonal.
#[kernel(plan)]
pub fn sweep(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    #[values] a: &[f64],
    b: &[f64],
    x: &mut [f64],
) -> Result<(), Unfit> {
    for i in 0..n {
        #[guard]
        if col[diagonal[i]] != i {
            return Err(Unfit::Diagonal { row: i });
        }
        #[guard]
        if a[diagonal[i]] == 0.0 || a[diagonal[i]].is_nan() {
            return Err(Unfit::Value {
                row: i,
                value: a[diagonal[i]],
            });
        }
        let mut sum = b[i];
        for e in row[i]..row[i + 1] {
            sum -= a[e] * x[col[e]];
        }
        x[i] += sum / a[diagonal[i]];
    }
    for i in (0..n).rev() {
        let mut sum = b[i];
        for e in row[i]..row[i + 1] {
            sum -= a[e] * x[col[e]];
        }
        x[i] += sum / a[diagonal[i]];
    }
    Ok(())
}

/// Computes `r = b - A x`.
#[kernel(plan)]
pub fn residual(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] a: &[f64],
    b: &[f64],
    x: &[f64],
    r: &mut [f64],
) {
    for i in 0..n {
        let mut sum = b[i];
        for e in row[i]..row[i + 1] {
            sum -= a[e] * x[col[e]];
        }
        r[i] = sum;
    }
}
