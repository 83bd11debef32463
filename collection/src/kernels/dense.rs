//! Dense linear algebra. Matrices are row-major, but where it says otherwise.

use superstep::kernel;

/// Factors the symmetric `n` x `n` matrix `a`, whose lower triangle becomes L (Cholesky).
#[kernel]
pub fn cholesky(n: usize, a: &mut [f64]) {
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = if i == j {
                sum.sqrt()
            } else {
                sum / a[j * n + j]
            };
        }
    }
}

/// Makes an upper triangle of a matrix of `n` rows by rotations of neighbouring rows (Givens).
#[kernel]
pub fn givens(n: usize, a: &mut [f64]) {
    for j in 0..n - 1 {
        for i in (j + 1..n).rev() {
            let length =
                (a[(i - 1) * n + j] * a[(i - 1) * n + j] + a[i * n + j] * a[i * n + j]).sqrt();
            let c = a[(i - 1) * n + j] / length;
            let s = a[i * n + j] / length;
            for k in j..n {
                let upper = c * a[(i - 1) * n + k] + s * a[i * n + k];
                a[i * n + k] = c * a[i * n + k] - s * a[(i - 1) * n + k];
                a[(i - 1) * n + k] = upper;
            }
        }
    }
}

/// Factors a matrix of `m` rows and `n` columns into Q and R by reflections (Householder): R
/// replaces the upper triangle, the reflections the rest, scaled by `tau`.
#[kernel]
pub fn householder(m: usize, n: usize, a: &mut [f64], tau: &mut [f64]) {
    for k in 0..n {
        let mut square = 0.0;
        for i in k..m {
            square += a[i * n + k] * a[i * n + k];
        }
        let norm = square.sqrt();
        let alpha = if a[k * n + k] > 0.0 { -norm } else { norm };
        let pivot = a[k * n + k] - alpha;
        for i in k + 1..m {
            a[i * n + k] /= pivot;
        }
        a[k * n + k] = alpha;
        tau[k] = -pivot / alpha;
        for j in k + 1..n {
            let mut dot = a[k * n + j];
            for i in k + 1..m {
                dot += a[i * n + k] * a[i * n + j];
            }
            dot *= tau[k];
            a[k * n + j] -= dot;
            for i in k + 1..m {
                a[i * n + j] -= dot * a[i * n + k];
            }
        }
    }
}

/// Reduces the `n` x `n` matrix `a` to Hessenberg form by reflections; `v` has `n` words of
/// scratch.
#[kernel]
pub fn hessenberg(n: usize, a: &mut [f64], v: &mut [f64]) {
    for k in 0..n - 2 {
        let mut square = 0.0;
        for i in k + 1..n {
            v[i] = a[i * n + k];
            square += v[i] * v[i];
        }
        let norm = square.sqrt();
        let alpha = if v[k + 1] > 0.0 { -norm } else { norm };
        let beta = 1.0 / (alpha * (alpha - v[k + 1]));
        v[k + 1] -= alpha;
        for j in k..n {
            let mut dot = 0.0;
            for i in k + 1..n {
                dot += v[i] * a[i * n + j];
            }
            for i in k + 1..n {
                a[i * n + j] -= beta * dot * v[i];
            }
        }
        for i in 0..n {
            let mut dot = 0.0;
            for j in k + 1..n {
                dot += a[i * n + j] * v[j];
            }
            for j in k + 1..n {
                a[i * n + j] -= beta * dot * v[j];
            }
        }
    }
}

/// Makes the `n` columns of the column-major `a` orthogonal by sweeps of plane rotations (Jacobi,
/// one-sided). Their lengths are then the singular values; each has `m` words.
#[kernel]
pub fn svd(m: usize, n: usize, sweeps: usize, a: &mut [f64]) {
    for _ in 0..sweeps {
        for p in 0..n - 1 {
            for q in p + 1..n {
                let mut alpha = 0.0;
                let mut beta = 0.0;
                let mut gamma = 0.0;
                for i in 0..m {
                    alpha += a[p * m + i] * a[p * m + i];
                    beta += a[q * m + i] * a[q * m + i];
                    gamma += a[p * m + i] * a[q * m + i];
                }
                let zeta = (beta - alpha) / (2.0 * gamma);
                let t = if gamma == 0.0 {
                    0.0
                } else {
                    zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt())
                };
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                for i in 0..m {
                    let left = a[p * m + i];
                    a[p * m + i] = c * left - s * a[q * m + i];
                    a[q * m + i] = s * left + c * a[q * m + i];
                }
            }
        }
    }
}

/// Solves an upper triangle of `n` rows in place of the right-hand side `x`.
#[kernel]
pub fn backward(n: usize, u: &[f64], x: &mut [f64]) {
    for i in (0..n).rev() {
        let mut sum = x[i];
        for j in i + 1..n {
            sum -= u[i * n + j] * x[j];
        }
        x[i] = sum / u[i * n + i];
    }
}

/// Inverts an `n` x `n` matrix in place, without pivoting (Gauss and Jordan).
#[kernel]
pub fn inverse(n: usize, a: &mut [f32]) {
    for k in 0..n {
        let pivot = 1.0 / a[k * n + k];
        a[k * n + k] = 1.0;
        for j in 0..n {
            a[k * n + j] *= pivot;
        }
        for i in 0..n {
            if i != k {
                let factor = a[i * n + k];
                a[i * n + k] = 0.0;
                for j in 0..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
    }
}

/// Multiplies `n` x `n` matrices: `c = a b`.
#[kernel]
pub fn multiply(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// The exponential of the `n` x `n` matrix `a`: `terms` of the series of `a` / 2^`squarings`, which
/// is then squared. `power` and `t` are scratch.
#[kernel]
pub fn exponential(
    n: usize,
    terms: usize,
    squarings: usize,
    a: &[f64],
    e: &mut [f64],
    power: &mut [f64],
    t: &mut [f64],
) {
    let scale = 1.0 / (1u64 << squarings) as f64;
    for i in 0..n {
        for j in 0..n {
            e[i * n + j] = if i == j { 1.0 } else { 0.0 };
            power[i * n + j] = e[i * n + j];
        }
    }
    for k in 1..=terms {
        multiply(n, power, a, t);
        for i in 0..n * n {
            power[i] = t[i] * scale / k as f64;
            e[i] += power[i];
        }
    }
    for _ in 0..squarings {
        multiply(n, e, e, t);
        for i in 0..n * n {
            e[i] = t[i];
        }
    }
}
