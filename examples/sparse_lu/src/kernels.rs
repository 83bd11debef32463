//! A step of Newton's method as sequential functions, which are planned when the program runs.
//!
//! Rows are compressed. The factors' pattern is symmetric and has that of the Jacobian in it:
//! `start` and `col` have their entries, row by row, `diagonal` the position of each row's pivot.

use superstep::kernel;

/// Least absolute value of a pivot: smaller ones need another order. Those of a network are about
/// 1.
const LEAST: f64 = 1e-12;

/// A pivot that is too small for the fixed order.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("node {node}: the pivot {pivot:e} is too small")]
pub struct SmallPivot {
    /// The node, in the order of elimination.
    pub node: usize,
    /// The pivot.
    pub pivot: f64,
}

/// Evaluates the equations and their Jacobian at `x`: `f` is what flows in less what flows out.
///
/// Node `i` has a flow `g (x_i + x_i^3 / 3)` to the ground, and `w d / sqrt(1 + d^2)` to node `j`,
/// `d` being `x_i - x_j`. `node` and `weight` list them, row by row, with `g` as the weight of the
/// node itself; `to` has the position of each in the factors, where `a` gets the slopes.
#[kernel(plan)]
pub fn evaluate(
    n: usize,
    #[structure] row: &[usize],
    #[structure] node: &[usize],
    #[structure] to: &[usize],
    #[structure] start: &[usize],
    #[structure] diagonal: &[usize],
    weight: &[f64],
    source: &[f64],
    x: &[f64],
    f: &mut [f64],
    a: &mut [f64],
) {
    for i in 0..n {
        for e in start[i]..start[i + 1] {
            a[e] = 0.0;
        }
        let mut flow = 0.0;
        let mut slope = 0.0;
        for e in row[i]..row[i + 1] {
            if node[e] == i {
                flow += weight[e] * x[i] * (1.0 + x[i] * x[i] / 3.0);
                slope += weight[e] * (1.0 + x[i] * x[i]);
            } else {
                let difference = x[i] - x[node[e]];
                let root = (1.0 + difference * difference).sqrt();
                let steep = weight[e] / (root * root * root);
                flow += weight[e] * difference / root;
                slope += steep;
                a[to[e]] = -steep;
            }
        }
        a[diagonal[i]] = slope;
        f[i] = source[i] - flow;
    }
}

/// Factors the Jacobian in place into `L` and `U`, whose diagonal is 1, with pivots on its
/// diagonal. Each row takes out those before it in which it has entries. (KLU does the same by
/// columns.)
///
/// `part` and `of` are those of [`superstep_sparse::Updates`], `first` and `place` their places: an
/// iteration is a part of a row. The last part has the pivot, and gives up if it is too small.
#[kernel(plan)]
pub fn refactor(
    parts: usize,
    #[structure] start: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    #[structure] part: &[usize],
    #[structure] of: &[u32],
    #[structure] first: &[usize],
    #[structure] place: &[u32],
    a: &mut [f64],
) -> Result<(), SmallPivot> {
    for p in 0..parts {
        let pivot = diagonal[of[p] as usize];
        let mut update = first[p];
        for e in part[p]..part[p + 1].min(pivot) {
            let k = col[e];
            let factor = a[e];
            for f in diagonal[k] + 1..start[k + 1] {
                a[place[update] as usize] -= factor * a[f];
                update += 1;
            }
        }
        if part[p + 1] > pivot {
            #[guard]
            if a[pivot].abs() < LEAST || a[pivot].is_nan() {
                return Err(SmallPivot {
                    node: of[p] as usize,
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

/// Solves `L U x = b` in place of `b`: forwards with `L`, backwards with `U`.
#[kernel(plan)]
pub fn solve(
    n: usize,
    #[structure] start: &[usize],
    #[structure] col: &[usize],
    #[structure] diagonal: &[usize],
    a: &[f64],
    x: &mut [f64],
) -> Result<(), SmallPivot> {
    for i in 0..n {
        #[guard]
        if a[diagonal[i]].abs() < LEAST || a[diagonal[i]].is_nan() {
            return Err(SmallPivot {
                node: i,
                pivot: a[diagonal[i]],
            });
        }
        let mut sum = x[i];
        for e in start[i]..diagonal[i] {
            sum -= a[e] * x[col[e]];
        }
        x[i] = sum / a[diagonal[i]];
    }
    for i in (0..n).rev() {
        let mut sum = x[i];
        for e in diagonal[i] + 1..start[i + 1] {
            sum -= a[e] * x[col[e]];
        }
        x[i] = sum;
    }
    Ok(())
}
