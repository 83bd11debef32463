//! Kernels that programs are slower at than the function, and two at which they are faster.

use superstep::kernel;

/// Finds all shortest paths in a graph of `n` nodes (Floyd and Warshall).
#[kernel]
pub fn floyd(n: usize, distance: &mut [f64]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                distance[i * n + j] =
                    distance[i * n + j].min(distance[i * n + k] + distance[k * n + j]);
            }
        }
    }
}

/// Solves a sparse lower triangle in place, whose diagonal is last in each row.
#[kernel]
pub fn substitution(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    values: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e]];
        }
        x[i] /= values[row[i + 1] - 1];
    }
}

/// Propagates the covariance of a filter with 12 states: P = F P F' + Q, in `steps` steps.
#[kernel]
pub fn covariance(steps: usize, f: &[f64], q: &[f64], p: &mut [f64], t: &mut [f64]) {
    for _ in 0..steps {
        for i in 0..12 {
            for j in 0..12 {
                t[i * 12 + j] = 0.0;
                for k in 0..12 {
                    t[i * 12 + j] += f[i * 12 + k] * p[k * 12 + j];
                }
            }
        }
        for i in 0..12 {
            for j in 0..12 {
                p[i * 12 + j] = q[i * 12 + j];
                for k in 0..12 {
                    p[i * 12 + j] += t[i * 12 + k] * f[j * 12 + k];
                }
            }
        }
    }
}

/// Makes an upper triangle of a matrix of `n` rows, by plane rotations of neighbouring rows (Givens).
#[kernel]
pub fn givens(n: usize, a: &mut [f64]) {
    for j in 0..n - 1 {
        for i in (j + 1..n).rev() {
            let length: f64 =
                (a[(i - 1) * n + j] * a[(i - 1) * n + j] + a[i * n + j] * a[i * n + j]).sqrt();
            let c: f64 = a[(i - 1) * n + j] / length;
            let s: f64 = a[i * n + j] / length;
            for k in j..n {
                let upper: f64 = c * a[(i - 1) * n + k] + s * a[i * n + k];
                a[i * n + k] = c * a[i * n + k] - s * a[(i - 1) * n + k];
                a[(i - 1) * n + k] = upper;
            }
        }
    }
}

/// A body on a line of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Its place.
    pub place: [f64; 3],
    /// Its velocity.
    pub velocity: [f64; 3],
    /// Its mass.
    pub mass: f64,
}

/// Moves a body by its neighbours' pull.
#[inline]
pub fn moved(left: Body, own: Body, right: Body) -> Body {
    let mut next = own;
    for axis in 0..3 {
        let pull = left.mass * (left.place[axis] - own.place[axis])
            + right.mass * (right.place[axis] - own.place[axis]);
        next.velocity[axis] += 0.01 * pull / own.mass;
        next.place[axis] += 0.01 * next.velocity[axis];
    }
    next
}

/// Moves a line of `n` bodies, `steps` times, from left to right.
#[kernel]
pub fn bodies(n: usize, steps: usize, body: &mut [Body]) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            body[i] = moved(body[i - 1], body[i], body[i + 1]);
        }
    }
}

/// Mixes words in `rounds` rounds, as hashes do.
#[kernel]
pub fn mixing(n: usize, rounds: usize, word: &mut [u32]) {
    for round in 0..rounds {
        for i in 0..n {
            word[i] = word[i].rotate_left(7)
                ^ word[(i + 1) % n].rotate_left(18)
                ^ word[(i + n / 2) % n].wrapping_add(round as u32 ^ 0x9e37_79b9);
        }
    }
}

/// Transforms `n` samples by the reversible 5/3 wavelet, level by level in place.
#[kernel]
pub fn wavelet(n: usize, x: &mut [i32]) {
    let mut step = 1;
    while step < n {
        for i in (step..n).step_by(2 * step) {
            x[i] -= (x[i - step] + x[if i + step < n { i + step } else { i - step }]) >> 1;
        }
        for i in (0..n).step_by(2 * step) {
            let before = if i > 0 { i - step } else { (i + step) % n };
            let after = if i + step < n { i + step } else { before };
            x[i] += (x[before] + x[after] + 2) >> 2;
        }
        step *= 2;
    }
}

/// The probabilities of the best paths through 8 states, `steps` steps long (Viterbi).
#[kernel]
pub fn viterbi(steps: usize, change: &[f64], seen: &[f64], best: &mut [f64]) {
    for t in 1..steps {
        for j in 0..8 {
            best[t * 8 + j] = best[(t - 1) * 8] + change[j];
            for i in 1..8 {
                best[t * 8 + j] = best[t * 8 + j].max(best[(t - 1) * 8 + i] + change[i * 8 + j]);
            }
            best[t * 8 + j] += seen[t * 8 + j];
        }
    }
}

/// Smooths a grid of `n` rows in place, `sweeps` times (Gauss and Seidel).
#[kernel]
pub fn seidel(n: usize, sweeps: usize, u: &mut [f64]) {
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                u[i * n + j] = 0.25
                    * (u[(i - 1) * n + j]
                        + u[i * n + j - 1]
                        + u[i * n + j + 1]
                        + u[(i + 1) * n + j]);
            }
        }
    }
}

/// Doubles a few words: as small as functions get.
#[kernel]
pub fn small(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = x[i] * 0.5 + 1.0;
    }
}
