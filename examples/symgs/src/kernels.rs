//! The kernels, as one writes them: sequential functions over compressed rows.

use superstep::kernel;

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
) {
    for i in 0..n {
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
