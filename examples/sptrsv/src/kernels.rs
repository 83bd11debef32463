//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// Solves `l x = b` for a lower triangular `l` of `n` rows in compressed sparse row form.
///
/// The entries of row `i` are `row[i]..row[i + 1]`, its diagonal the last of them; `col` and `values` give the column and value of
/// each entry. The pattern (`row` and `col`) is control: one program is generated for it, and serves every `values` and `b`.
#[kernel]
pub fn sptrsv(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    values: &[f64],
    b: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        x[i] = b[i];
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e]];
        }
        x[i] /= values[row[i + 1] - 1];
    }
}
