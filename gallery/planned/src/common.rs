//! Kernels with numbers and arrays of their own that live on from grain to grain.

use superstep::kernel;

/// Iterates by a matrix, in steps that nobody counts.
///
/// A number is summed between the loops of a step, and a row is the kernel's own.
#[kernel(plan)]
pub fn iterated(
    n: usize,
    steps: usize,
    a: &[f64],
    #[values] q: &[f64],
    p: &mut [f64],
    t: &mut [f64],
) {
    for _ in 0..steps {
        for i in 0..n {
            t[i] = p[i];
            for k in 0..n {
                t[i] += a[i * n + k] * p[k];
            }
        }
        let mut s = 1.0;
        for i in 0..n {
            s += t[i] * t[i];
        }
        let mut w = [0.0; 16];
        for i in 0..n {
            for k in 0..n {
                w[i] += t[k] * q[i * n + k];
            }
        }
        for i in 0..n {
            p[i] = (t[i] - w[n - 1 - i]) / (s + w[i] * w[i]);
        }
    }
}

/// Eliminates below each pivot, which stands before the loop over rows, and keeps the last one.
#[kernel(plan)]
pub fn pivoted(n: usize, a: &mut [f64], last: &mut f64) {
    let mut pivot = 1.0;
    let mut k = 0;
    while k < n {
        pivot = 1.0 / (a[k * n + k] + 4.0);
        for i in k + 1..n {
            let factor = a[i * n + k] * pivot;
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
        k += 1;
    }
    *last = pivot;
}

/// Divides words by their sum, but for the first, and tells whether one was negative, and the last
/// that is skipped.
///
/// Data of several types lives on from loop to loop.
#[kernel(plan)]
pub fn normalised(n: usize, #[structure] skip: &[bool], x: &mut [f64], was: &mut [u8]) {
    let first = x[0];
    let mut sum = 0.0;
    for i in 0..n {
        if !skip[i] {
            sum += x[i].abs();
        }
    }
    let mut negative = false;
    let mut tail = [0.0f32; 3];
    for i in 0..n {
        x[i] /= sum;
        negative |= x[i] < 0.0;
        if skip[i] {
            tail[i % 3] = x[i] as f32;
        }
    }
    for i in 0..n {
        was[i] = negative as u8 ^ (64.0 * (tail[0] + tail[2])) as u8;
    }
    x[0] = first;
}

/// Swaps neighbours by a word that is declared before the loop, for which they have to wait.
#[kernel(plan)]
pub fn swapped(n: usize, x: &mut [f64]) {
    let mut kept: f64;
    for i in 0..n {
        kept = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept;
    }
}

/// Swaps neighbours by a word that is declared in the loop, as the report of `swapped` asks for.
#[kernel(plan)]
pub fn swapped_inside(n: usize, x: &mut [f64]) {
    for i in 0..n {
        let kept = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept;
    }
}

/// Swaps neighbours by a word of an argument, for which they have to wait.
#[kernel(plan)]
pub fn lent(n: usize, kept: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        kept[0] = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept[0];
    }
}

/// Swaps neighbours by a word of scratch, as the report of `lent` asks for.
#[kernel(plan)]
pub fn lent_marked(n: usize, #[scratch] kept: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        kept[0] = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept[0];
    }
}

/// Adds numbers that stand before loops: by control that has changed since, of a scope that has ended,
/// and of a step that counts itself.
#[kernel(plan)]
pub fn stepped(n: usize, steps: usize, w: &[f64], x: &mut [f64]) {
    let mut first = 0;
    let by = w[first];
    first += 1;
    for i in first..n {
        x[i] += by;
    }
    let share: f64;
    {
        share = 1.0 / n as f64;
        for i in 0..n {
            x[i] *= share;
        }
    }
    let mut step = 0;
    while step < steps {
        let by = w[step % n] * share;
        step += 1;
        for i in 0..n {
            x[i] += by;
        }
    }
}

/// Scales words by a number that is read in any case, and changed where a flag says so.
#[kernel(plan)]
pub fn flagged(n: usize, flag: bool, v: &[f64], x: &mut [f64], y: &mut [f64], out: &mut f64) {
    let mut s = v[0];
    for i in 0..n {
        y[i] *= s;
    }
    *out = s;
    if flag {
        s = 2.0;
    }
    for i in 0..n {
        x[i] *= s;
    }
}

/// Sums `m` of eight words of the kernel's own, of which there may be fewer.
#[kernel(plan)]
pub fn beyond(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
    let mut w = [0.0; 8];
    for k in 0..8 {
        w[k] = x[k];
    }
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..m {
            sum += w[k];
        }
        y[i] = sum;
    }
}

/// Writes the first words of rows, which are parts of a matrix, behind a number that changes.
#[kernel(plan)]
pub fn headed(n: usize, m: usize, x: &[f64], a: &mut [f64]) {
    let mut first = x[0];
    first *= 2.0;
    for i in 0..n {
        let row = &mut a[i * m..(i + 1) * m];
        row[0] = first + row[1];
    }
}

/// Divides words by their sum, which no mark says to cut.
#[kernel(plan)]
pub fn shares(n: usize, x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i];
    }
    #[grain]
    for i in 0..n {
        y[i] = x[i] / sum;
    }
}

/// Adds a number to the rows of a matrix, and goes on to the next step from between the loops.
#[kernel(plan)]
pub fn skipped(n: usize, a: &mut [f64], d: &mut [f64]) {
    for k in 0..n {
        let by = d[k];
        if k % 2 == 0 {
            d[k] = 1.0;
            continue;
        }
        for i in 0..n {
            a[k * n + i] += by;
        }
    }
}

/// Divides the rows of a matrix by their sums. Rows of the outer loop have a sum each for itself, and
/// loops in it have it in common.
#[kernel(plan)]
pub fn balanced(n: usize, a: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += a[i * n + j];
        }
        for j in 0..n {
            a[i * n + j] /= sum;
        }
    }
}
