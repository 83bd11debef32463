//! The kernels, as one writes them: sequential functions over compressed rows or columns.
//!
//! Each looks whether the diagonal is where it takes it for and whether it can divide by it. It
//! ends with the first row where not.

use superstep::kernel;

/// Errors of matrices that a kernel cannot solve with, or factor.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// Another entry stands where the kernel looks for the diagonal.
    #[error("row {row}: the diagonal is not where it must be")]
    Diagonal {
        /// The row; of [`lu()`] also the column.
        row: usize,
    },
    /// A pivot is zero or, where its root is taken, below; or it is not a number.
    #[error("row {row}: the pivot is {pivot}")]
    Pivot {
        /// The row; of [`lu()`] also the column.
        row: usize,
        /// The pivot.
        pivot: f64,
    },
}

/// Solves `L x = b`. Each row of `L` ends with its diagonal.
///
/// # Errors
/// If a row does not, or a diagonal is zero.
///
/// ```
/// use superstep_sparse::kernels::{RowError, forward};
///
/// let (row, values, b, mut x) = ([0, 1, 3], [1.0, 2.0, 4.0], [1.0, 10.0], [0.0; 2]);
/// forward(2, &row, &[0, 0, 1], &values, &b, &mut x)?;
/// assert_eq!(x, [1.0, 2.0]);
/// let diagonal_first = forward(2, &row, &[0, 1, 0], &values, &b, &mut x);
/// assert_eq!(diagonal_first, Err(RowError::Diagonal { row: 1 }));
/// # Ok::<(), RowError>(())
/// ```
#[kernel(plan)]
pub fn forward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) -> Result<(), RowError> {
    for i in 0..n {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(RowError::Diagonal { row: i });
        }
        #[guard]
        if values[last] == 0.0 || values[last].is_nan() {
            return Err(RowError::Pivot {
                row: i,
                pivot: values[last],
            });
        }
        let mut sum = b[i];
        for e in row[i]..last {
            sum -= values[e] * x[col[e]];
        }
        x[i] = sum / values[last];
    }
    Ok(())
}

/// Right-hand sides of [`forward_columns()`]: as many doubles as a vector register of 32 bytes has.
pub const COLUMNS: usize = 4;

/// Solves `L X = B` with arrays as those of [`forward()`], in place of `B`: rows have [`COLUMNS`]
/// words each.
///
/// # Errors
/// If a row does not end with its diagonal, or a diagonal is zero.
#[kernel(plan)]
pub fn forward_columns(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] values: &[f64],
    x: &mut [[f64; COLUMNS]],
) -> Result<(), RowError> {
    for i in 0..n {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(RowError::Diagonal { row: i });
        }
        #[guard]
        if values[last] == 0.0 || values[last].is_nan() {
            return Err(RowError::Pivot {
                row: i,
                pivot: values[last],
            });
        }
        for e in row[i]..last {
            for k in 0..COLUMNS {
                x[i][k] -= values[e] * x[col[e]][k];
            }
        }
        for k in 0..COLUMNS {
            x[i][k] /= values[last];
        }
    }
    Ok(())
}

/// Solves `L' x = b` with the arrays of `L`, in place of `b`: each unknown is taken out of the
/// equations before it.
///
/// # Errors
/// If a row does not end with its diagonal, or a diagonal is zero.
#[kernel(plan)]
pub fn backward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] values: &[f64],
    x: &mut [f64],
) -> Result<(), RowError> {
    for i in (0..n).rev() {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(RowError::Diagonal { row: i });
        }
        #[guard]
        if values[last] == 0.0 || values[last].is_nan() {
            return Err(RowError::Pivot {
                row: i,
                pivot: values[last],
            });
        }
        x[i] /= values[last];
        for e in row[i]..last {
            x[col[e]] -= values[e] * x[i];
        }
    }
    Ok(())
}

/// Factors a matrix in place into `L` and `U` on its own pattern: ILU(0). `diagonal` has the
/// position of each row's diagonal; that of `L` is 1.
///
/// # Errors
/// If a diagonal is elsewhere, or a pivot is zero.
#[kernel(plan)]
pub fn ilu0(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    a: &mut [f64],
) -> Result<(), RowError> {
    for i in 0..n {
        #[guard]
        if col[diagonal[i]] != i {
            return Err(RowError::Diagonal { row: i });
        }
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
        #[guard]
        if a[diagonal[i]] == 0.0 || a[diagonal[i]].is_nan() {
            return Err(RowError::Pivot {
                row: i,
                pivot: a[diagonal[i]],
            });
        }
    }
    Ok(())
}

/// Factors a symmetric matrix, given by its lower triangle, in place into `L` on its own pattern:
/// IC(0). Each row ends with its diagonal.
///
/// # Errors
/// If a row does not, or a pivot is not positive, as those of an indefinite matrix.
#[kernel(plan)]
pub fn ic0(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    a: &mut [f64],
) -> Result<(), RowError> {
    for i in 0..n {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(RowError::Diagonal { row: i });
        }
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
        #[guard]
        if sum <= 0.0 || sum.is_nan() {
            return Err(RowError::Pivot { row: i, pivot: sum });
        }
        a[last] = sum.sqrt();
    }
    Ok(())
}

/// Smooths `x` towards the solution of `A x = b` by a sweep of Gauss-Seidel forwards and one
/// backwards. `diagonal` has the position of each row's diagonal.
///
/// # Errors
/// If a diagonal is elsewhere, or zero.
#[kernel(plan)]
pub fn symgs(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) -> Result<(), RowError> {
    for i in 0..n {
        #[guard]
        if col[diagonal[i]] != i {
            return Err(RowError::Diagonal { row: i });
        }
        #[guard]
        if values[diagonal[i]] == 0.0 || values[diagonal[i]].is_nan() {
            return Err(RowError::Pivot {
                row: i,
                pivot: values[diagonal[i]],
            });
        }
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
    Ok(())
}

/// Factors a matrix anew in place into `L` and `U`, left-looking by columns, on the pattern of its
/// factors: `column` and `row` have the entries of both, which are zero where the matrix has none.
///
/// `diagonal` has the position of each column's diagonal; that of `L` is 1. `part` and `of` are
/// those of [`Updates`](crate::Updates), `first` and `place` their
/// [places](crate::Updates::places). An iteration is a part of a column: a dense column to gather
/// updates in would be one for all iterations.
///
/// # Errors
/// If a diagonal is elsewhere, or a pivot is zero.
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
) -> Result<(), RowError> {
    for p in 0..parts {
        let own = of[p] as usize;
        let pivot = diagonal[own];
        #[guard]
        if row[pivot] != own {
            return Err(RowError::Diagonal { row: own });
        }
        let mut update = first[p];
        for e in part[p]..part[p + 1].min(pivot) {
            let k = row[e];
            let factor = a[e];
            for f in diagonal[k] + 1..column[k + 1] {
                a[place[update] as usize] -= a[f] * factor;
                update += 1;
            }
        }
        if part[p + 1] > pivot {
            #[guard]
            if a[pivot] == 0.0 || a[pivot].is_nan() {
                return Err(RowError::Pivot {
                    row: own,
                    pivot: a[pivot],
                });
            }
            for e in part[p].max(pivot + 1)..part[p + 1] {
                a[e] /= a[pivot];
            }
        }
    }
    Ok(())
}
