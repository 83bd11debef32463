//! The kernels, as one writes them: sequential functions over compressed rows.

use superstep::kernel;

/// Errors of matrices that have no incomplete factor, or of rows that do not end as they must.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// A row does not end with its diagonal.
    #[error("row {row} does not end with its diagonal")]
    Diagonal {
        /// The row.
        row: usize,
    },
    /// A pivot is not positive.
    #[error("row {row}: the pivot {pivot} is not positive")]
    NotPositive {
        /// The row.
        row: usize,
        /// The pivot, whose root would be the factor's diagonal; in a solve, that diagonal.
        pivot: f64,
    },
}

/// Factors a symmetric matrix, given by its lower triangle, in place into `L` on the same pattern:
/// IC(0). The columns of each row ascend, and the last is its diagonal.
#[kernel(plan)]
pub fn factor(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    l: &mut [f64],
) -> Result<(), Unfit> {
    for i in 0..n {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(Unfit::Diagonal { row: i });
        }
        for e in row[i]..last {
            // Of rows i and j, the entries in common columns.
            let j = col[e];
            let end = row[j + 1] - 1;
            let mut at = row[i];
            for f in row[j]..end {
                while col[at] < col[f] {
                    at += 1;
                }
                if col[at] == col[f] {
                    l[e] -= l[at] * l[f];
                }
            }
            l[e] /= l[end];
            l[last] -= l[e] * l[e];
        }
        #[guard]
        if l[last] <= 0.0 || l[last].is_nan() {
            return Err(Unfit::NotPositive {
                row: i,
                pivot: l[last],
            });
        }
        l[last] = l[last].sqrt();
    }
    Ok(())
}

/// Solves `L L' z = r`: one plan for both. Each row of `L` ends with its diagonal.
///
/// `L'` is solved by the rows of `L`: each unknown, once found, is taken out of those before it.
#[kernel(plan)]
pub fn precondition(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] l: &[f64],
    r: &[f64],
    z: &mut [f64],
) -> Result<(), Unfit> {
    for i in 0..n {
        let last = row[i + 1] - 1;
        #[guard]
        if col[last] != i {
            return Err(Unfit::Diagonal { row: i });
        }
        #[guard]
        if l[last] <= 0.0 || l[last].is_nan() {
            return Err(Unfit::NotPositive {
                row: i,
                pivot: l[last],
            });
        }
        let mut sum = r[i];
        for e in row[i]..last {
            sum -= l[e] * z[col[e]];
        }
        z[i] = sum / l[last];
    }
    for i in (0..n).rev() {
        let last = row[i + 1] - 1;
        z[i] /= l[last];
        for e in row[i]..last {
            z[col[e]] -= l[e] * z[i];
        }
    }
    Ok(())
}

/// Computes `q = A p`.
#[kernel(plan)]
pub fn product(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    #[values] a: &[f64],
    p: &[f64],
    q: &mut [f64],
) {
    for i in 0..n {
        let mut sum = 0.0;
        for e in row[i]..row[i + 1] {
            sum += a[e] * p[col[e]];
        }
        q[i] = sum;
    }
}
