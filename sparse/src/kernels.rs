//! The kernels, as one writes them: sequential functions over compressed rows or columns.

use superstep::kernel;

/// Solves `L x = b`. Each row of `L` ends with its diagonal.
#[kernel(plan)]
pub fn forward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        let last = row[i + 1] - 1;
        let mut sum = b[i];
        for e in row[i]..last {
            sum -= values[e] * x[col[e]];
        }
        x[i] = sum / values[last];
    }
}

/// Solves `L' x = b` with the arrays of `L`, in place of `b`: each unknown is taken out of the
/// equations before it.
#[kernel(plan)]
pub fn backward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] values: &[f64],
    x: &mut [f64],
) {
    for i in (0..n).rev() {
        let last = row[i + 1] - 1;
        x[i] /= values[last];
        for e in row[i]..last {
            x[col[e]] -= values[e] * x[i];
        }
    }
}

/// Factors a matrix in place into `L` and `U` on its own pattern: ILU(0). `diagonal` has the
/// position of each row's diagonal; that of `L` is 1.
#[kernel(plan)]
pub fn ilu0(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    a: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..diagonal[i] {
            let k = col[e];
            a[e] /= a[diagonal[k]];
            let mut at = e + 1;
            for f in diagonal[k] + 1..row[k + 1] {
                while at < row[i + 1] && col[at] < col[f] {
                    at += 1;
                }
                if at < row[i + 1] && col[at] == col[f] {
                    a[at] -= a[e] * a[f];
                }
            }
        }
    }
}

/// Factors a symmetric matrix, given by its lower triangle, in place into `L` on its own pattern:
/// IC(0). Each row ends with its diagonal.
#[kernel(plan)]
pub fn ic0(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], a: &mut [f64]) {
    for i in 0..n {
        let last = row[i + 1] - 1;
        for e in row[i]..last {
            let j = col[e];
            let end = row[j + 1] - 1;
            let mut sum = a[e];
            let mut at = row[i];
            for f in row[j]..end {
                while col[at] < col[f] {
                    at += 1;
                }
                if col[at] == col[f] {
                    sum -= a[at] * a[f];
                }
            }
            a[e] = sum / a[end];
        }
        let mut sum = a[last];
        for e in row[i]..last {
            sum -= a[e] * a[e];
        }
        a[last] = sum.sqrt();
    }
}

/// Smooths `x` towards the solution of `A x = b` by a sweep of Gauss-Seidel forwards and one
/// backwards.
#[kernel(plan)]
pub fn symgs(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        let mut sum = b[i];
        for e in row[i]..row[i + 1] {
            if e != diagonal[i] {
                sum -= values[e] * x[col[e]];
            }
        }
        x[i] = sum / values[diagonal[i]];
    }
    for i in (0..n).rev() {
        let mut sum = b[i];
        for e in row[i]..row[i + 1] {
            if e != diagonal[i] {
                sum -= values[e] * x[col[e]];
            }
        }
        x[i] = sum / values[diagonal[i]];
    }
}

/// Factors a matrix anew in place into `L` and `U`, left-looking by columns, on the pattern of its
/// factors: `column` and `row` have the entries of both, which are zero where the matrix has none.
///
/// `diagonal` has the position of each column's diagonal; that of `L` is 1. `part` and `of` are those
/// of [`Updates`](crate::Updates), `first` and `place` their [places](crate::Updates::places): an
/// iteration is a part of a column, and a dense column to gather updates in would be one for all
/// iterations.
#[kernel(plan)]
pub fn lu(
    parts: usize,
    #[structure] column: &[usize],
    #[structure] row: &[usize],
    #[structure] diagonal: &[usize],
    #[structure] part: &[usize],
    #[structure] of: &[u32],
    #[structure] first: &[usize],
    #[structure] place: &[u32],
    a: &mut [f64],
) {
    for p in 0..parts {
        let pivot = diagonal[of[p] as usize];
        let mut update = first[p];
        for e in part[p]..part[p + 1].min(pivot) {
            let k = row[e];
            let factor = a[e];
            for f in diagonal[k] + 1..column[k + 1] {
                a[place[update] as usize] -= a[f] * factor;
                update += 1;
            }
        }
        for e in part[p].max(pivot + 1)..part[p + 1] {
            a[e] /= a[pivot];
        }
    }
}
