//! Banded and structured systems.

use superstep::kernel;

/// Solves `systems` tridiagonal systems of `n` unknowns, one after the other in each array, in
/// place of the right-hand sides `x` (Thomas). `c` is scratch.
#[kernel]
pub fn tridiagonal(
    systems: usize,
    n: usize,
    lower: &[f64],
    diagonal: &[f64],
    upper: &[f64],
    x: &mut [f64],
    c: &mut [f64],
) {
    for s in 0..systems {
        let first = s * n;
        c[first] = upper[first] / diagonal[first];
        x[first] /= diagonal[first];
        for i in first + 1..first + n {
            let pivot = diagonal[i] - lower[i] * c[i - 1];
            c[i] = upper[i] / pivot;
            x[i] = (x[i] - lower[i] * x[i - 1]) / pivot;
        }
        for i in (first..first + n - 1).rev() {
            x[i] -= c[i] * x[i + 1];
        }
    }
}

/// Solves `systems` symmetric pentadiagonal systems of `n` unknowns side by side, unknown `i` of
/// all systems together: `d` is the diagonal, `e` and `f` are those beside it, and `x` the
/// right-hand sides. All become what they are in L D L'.
#[kernel]
pub fn pentadiagonal(
    systems: usize,
    n: usize,
    d: &mut [f32],
    e: &mut [f32],
    f: &mut [f32],
    x: &mut [f32],
) {
    for i in 0..n {
        for s in 0..systems {
            let at = i * systems + s;
            if i >= 2 {
                let far = at - 2 * systems;
                d[at] -= f[far] * f[far] * d[far];
                x[at] -= f[far] * x[far];
            }
            if i >= 1 {
                let near = at - systems;
                d[at] -= e[near] * e[near] * d[near];
                e[at] -= f[near] * e[near] * d[near];
                x[at] -= e[near] * x[near];
            }
            e[at] /= d[at];
            f[at] /= d[at];
        }
    }
    for i in (0..n).rev() {
        for s in 0..systems {
            let at = i * systems + s;
            x[at] /= d[at];
            if i + 1 < n {
                x[at] -= e[at] * x[at + systems];
            }
            if i + 2 < n {
                x[at] -= f[at] * x[at + 2 * systems];
            }
        }
    }
}

/// The coefficients of the natural cubic spline through `n` points: in `b`, `c` and `d` those of
/// the first to third power. `t` is scratch.
#[kernel]
pub fn spline(
    n: usize,
    x: &[f64],
    y: &[f64],
    b: &mut [f64],
    c: &mut [f64],
    d: &mut [f64],
    t: &mut [f64],
) {
    t[0] = 0.0;
    c[0] = 0.0;
    for i in 1..n - 1 {
        let left = x[i] - x[i - 1];
        let right = x[i + 1] - x[i];
        let slope = 3.0 * ((y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left);
        let pivot = 2.0 * (x[i + 1] - x[i - 1]) - left * t[i - 1];
        t[i] = right / pivot;
        c[i] = (slope - left * c[i - 1]) / pivot;
    }
    c[n - 1] = 0.0;
    for i in (0..n - 1).rev() {
        let step = x[i + 1] - x[i];
        c[i] -= t[i] * c[i + 1];
        b[i] = (y[i + 1] - y[i]) / step - step * (c[i + 1] + 2.0 * c[i]) / 3.0;
        d[i] = (c[i + 1] - c[i]) / (3.0 * step);
    }
}

/// The coefficients `a` of the best linear prediction of order `n` from the autocorrelation `r`
/// (Levinson and Durbin), and the `error` that remains.
#[kernel]
pub fn levinson(n: usize, r: &[f64], a: &mut [f64], error: &mut f64) {
    *error = r[0];
    a[0] = 1.0;
    for k in 1..=n {
        let mut sum = r[k];
        for j in 1..k {
            sum += a[j] * r[k - j];
        }
        let reflection = -sum / *error;
        for j in 1..k.div_ceil(2) {
            let left = a[j];
            a[j] += reflection * a[k - j];
            a[k - j] += reflection * left;
        }
        if k % 2 == 0 {
            a[k / 2] += reflection * a[k / 2];
        }
        a[k] = reflection;
        *error *= 1.0 - reflection * reflection;
    }
}
