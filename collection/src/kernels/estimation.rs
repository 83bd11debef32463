//! Control, estimation and optimisation.

use superstep::kernel;

/// Filters `steps` measurements `y` of a system of `n` states (Kalman): predicts by `f` and `q`,
/// and corrects by the row `h` with noise `r`.
///
/// The state `x` and its covariance `p` are kept; `t` (n x n) and `gain` (n) are scratch.
#[kernel]
pub fn kalman(
    n: usize,
    steps: usize,
    f: &[f64],
    q: &[f64],
    h: &[f64],
    r: f64,
    y: &[f64],
    x: &mut [f64],
    p: &mut [f64],
    t: &mut [f64],
    gain: &mut [f64],
) {
    for step in 0..steps {
        for i in 0..n {
            gain[i] = 0.0;
            for j in 0..n {
                gain[i] += f[i * n + j] * x[j];
            }
        }
        for i in 0..n {
            x[i] = gain[i];
        }
        for i in 0..n {
            for j in 0..n {
                t[i * n + j] = 0.0;
                for k in 0..n {
                    t[i * n + j] += f[i * n + k] * p[k * n + j];
                }
            }
        }
        for i in 0..n {
            for j in 0..n {
                p[i * n + j] = q[i * n + j];
                for k in 0..n {
                    p[i * n + j] += t[i * n + k] * f[j * n + k];
                }
            }
        }
        let mut s = r;
        let mut residual = y[step];
        for i in 0..n {
            gain[i] = 0.0;
            for j in 0..n {
                gain[i] += p[i * n + j] * h[j];
            }
            s += h[i] * gain[i];
            residual -= h[i] * x[i];
        }
        for i in 0..n {
            x[i] += gain[i] / s * residual;
            for j in 0..n {
                p[i * n + j] -= gain[i] * gain[j] / s;
            }
        }
    }
}

/// Iterates the discrete equation of Riccati for `n` states and one input, `steps` times: `p`
/// becomes the cost of the optimal regulator. `t` (n x n) and `w` (n) are scratch.
#[kernel]
pub fn riccati(
    n: usize,
    steps: usize,
    a: &[f64],
    b: &[f64],
    q: &[f64],
    r: f64,
    p: &mut [f64],
    t: &mut [f64],
    w: &mut [f64],
) {
    for _ in 0..steps {
        // t = P A, w = A' P B
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += p[i * n + k] * a[k * n + j];
                }
                t[i * n + j] = sum;
            }
        }
        let mut s = r;
        for i in 0..n {
            for j in 0..n {
                s += b[i] * p[i * n + j] * b[j];
            }
        }
        for i in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += t[k * n + i] * b[k];
            }
            w[i] = sum;
        }
        for i in 0..n {
            for j in 0..n {
                let mut sum = q[i * n + j] - w[i] * w[j] / s;
                for k in 0..n {
                    sum += a[k * n + i] * t[k * n + j];
                }
                p[i * n + j] = sum;
            }
        }
    }
}

/// One step of an affine-scaling interior point method for `min c'x, A x = b, x >= 0` from the
/// feasible point `x`: `m` constraints, `n` variables.
///
/// `normal` (m x m) and `y` (m) become the factored normal equations and the multipliers, `d` (n)
/// the direction.
#[kernel]
pub fn interior(
    m: usize,
    n: usize,
    a: &[f64],
    c: &[f64],
    x: &mut [f64],
    normal: &mut [f64],
    y: &mut [f64],
    d: &mut [f64],
) {
    for i in 0..m {
        for j in 0..=i {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * x[k] * x[k] * a[j * n + k];
            }
            normal[i * m + j] = sum;
        }
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[i * n + k] * x[k] * x[k] * c[k];
        }
        y[i] = sum;
    }
    for j in 0..m {
        for k in 0..j {
            normal[j * m + j] -= normal[j * m + k] * normal[j * m + k];
        }
        normal[j * m + j] = normal[j * m + j].sqrt();
        for i in j + 1..m {
            for k in 0..j {
                normal[i * m + j] -= normal[i * m + k] * normal[j * m + k];
            }
            normal[i * m + j] /= normal[j * m + j];
        }
    }
    for i in 0..m {
        for k in 0..i {
            y[i] -= normal[i * m + k] * y[k];
        }
        y[i] /= normal[i * m + i];
    }
    for i in (0..m).rev() {
        for k in i + 1..m {
            y[i] -= normal[k * m + i] * y[k];
        }
        y[i] /= normal[i * m + i];
    }
    let mut longest = 0.0f64;
    for k in 0..n {
        d[k] = c[k];
        for i in 0..m {
            d[k] -= a[i * n + k] * y[i];
        }
        d[k] *= -x[k] * x[k];
        longest = longest.max(-d[k] / x[k]);
    }
    for k in 0..n {
        x[k] += 0.9 * d[k] / longest;
    }
}
