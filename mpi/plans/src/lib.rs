//! Kernels whose plans are made at run time: those of the gallery, and factorisations of sparse
//! matrices.

use superstep::kernel;

/// Kernels with arrays of their own.
#[path = "../../../gallery/planned/src/common.rs"]
pub mod common;
/// Kernels over patterns.
#[path = "../../../gallery/planned/src/kernels.rs"]
pub mod kernels;

/// Factors a matrix in place into `L` and `U` on its own pattern: ILU(0).
#[kernel(plan)]
pub fn ilu0(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[structure] diagonal: &[usize],
    a: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..diagonal[i] {
            let k = col[e] as usize;
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
pub fn ic0(n: usize, #[structure] row: &[usize], #[structure] col: &[u32], a: &mut [f64]) {
    for i in 0..n {
        let last = row[i + 1] - 1;
        for e in row[i]..last {
            let end = row[col[e] as usize + 1] - 1;
            let mut sum = a[e];
            let mut at = row[i];
            for f in row[col[e] as usize]..end {
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
        a[last] = sum.abs().sqrt();
    }
}

/// Swaps words through a number of scratch.
#[kernel(plan)]
pub fn swapped(n: usize, #[scratch] kept: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        kept[i % 3] = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept[i % 3];
    }
}
