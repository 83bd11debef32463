//! Kernels that call kernels.

use steps::kernel;

/// `c += alpha a b` for row-major matrices of `n` rows and columns, which lie with the strides of the arrays that they are parts of.
#[kernel]
pub fn multiply(n: usize, stride: usize, alpha: f64, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * stride + j] += alpha * a[i * stride + k] * b[k * stride + j];
            }
        }
    }
}

/// The product by blocks: one task for each product of blocks.
#[kernel]
pub fn blocks(n: usize, block: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in (0..n).step_by(block) {
        for j in (0..n).step_by(block) {
            #[grain]
            for k in (0..n).step_by(block) {
                multiply(
                    block,
                    n,
                    1.0,
                    &a[i * n + k..],
                    &b[k * n + j..],
                    &mut c[i * n + j..],
                );
            }
        }
    }
}

/// Sets what it is given, and leaves where it has found enough.
#[kernel]
pub fn running(stop: usize, x: &[f64], mut sum: f64, y: &mut [f64], last: &mut f64) {
    let mut t = [0.0; 2];
    for i in 0..x.len() {
        if i == stop {
            return;
        }
        sum += x[i];
        t[i % 2] = sum;
        y[i] = t[0] - t[1];
        *last = y[i].max(*last);
    }
    *last = -*last;
}

/// The sum of some words.
#[kernel]
pub fn total(x: &[f64], sum: &mut f64) {
    #[reduce]
    for i in 0..x.len() {
        *sum += x[i];
    }
}

/// Locals, returns, reductions, lengths of parts, references passed on, arguments of every kind.
#[kernel]
pub fn mixed(n: usize, x: &[f64], y: &mut [f64], best: &mut f64) {
    let mut t = [0.5; 12];
    let mut sum = 0.0;
    for i in 0..n {
        let i = i * 3;
        running(7, &x[i..i + 10], sum * 0.5, &mut y[i..=i + 9], best);
        running(20, &x[i..i + 3], 1.0, &mut t[..3], &mut sum);
        total(&t, &mut y[i]);
        total(&y[i + 1..i + 9], &mut t[i % 12]);
    }
    total(x, &mut sum);
    'last: for i in 0..4 {
        match i {
            0 => total(&t[2..][..3], &mut sum),
            1 | 2 => {
                running(i, &x[i..], sum + *best, y, &mut t[i]);
            }
            _ => break 'last,
        }
    }
    y[0] += sum;
}

/// Swaps rows of a nested array, and a field.
#[kernel]
pub fn exchange(row: &mut [f64; 3], other: &mut [f64], pair: &mut (f64, f64), amount: f64) {
    for k in 0..row.len() {
        let t = row[k];
        row[k] = other[k] + amount;
        other[k] = t * pair.0;
    }
    pair.1 += row[2];
}

/// A step of a walk: what control there is comes from the caller, and goes back.
#[kernel]
pub fn walk(#[structure] next: &[u32], from: usize, at: &mut f64, by: &f64) {
    for k in 0..next.len() {
        *at += by * (next[k] as usize + from) as f64;
    }
}

/// Nested arrays, structure, words as arguments, and calls in calls.
#[kernel]
pub fn nested(
    n: usize,
    #[structure] row: &[usize],
    #[structure] next: &[u32],
    m: &mut [[f64; 3]],
    pairs: &mut [(f64, f64)],
    spare: &mut [f64],
) {
    for i in 0..n {
        exchange(
            &mut m[i],
            &mut spare[3 * i..3 * i + 3],
            &mut pairs[i],
            0.25 * i as f64,
        );
        outer(&row[i..i + 2], next, &mut m[i], &mut pairs[(i + 1) % n].0);
    }
}

/// Calls what it shares names with.
#[kernel]
pub fn outer(#[structure] next: &[usize], #[structure] row: &[u32], m: &mut [f64], at: &mut f64) {
    let n = m[0] + 1.0;
    let i = next[0];
    walk(&row[i..next[1]], i, at, &n);
    walk(&row[..i], 1, &mut m[2], &(n * 0.5));
    m[1] += *at;
}

/// Where the rows of [`NEXT`] begin.
pub const ROW: [usize; 6] = [0, 2, 3, 3, 6, 7];

/// What [`nested`](fn@nested) walks over.
pub const NEXT: [u32; 7] = [3, 1, 4, 1, 5, 9, 2];

/// Kernels in a module of their own, which see what the caller's module sees.
pub mod tiles {
    use steps::kernel;

    use super::{depth, twice};

    /// Calls a function whose name the caller gives to a local, and the kernel beside it by the path that its callers have to it.
    #[kernel]
    pub fn r#move(n: usize, by: f64, x: &mut [f64]) {
        let mut i = 0;
        'all: while i < n {
            for depth in 0..depth(n) {
                if i + depth == n {
                    break 'all;
                }
                x[i + depth] += twice(by);
            }
            i += depth(n);
        }
    }
}

fn depth(n: usize) -> usize {
    n.div_ceil(3)
}

fn twice(x: f64) -> f64 {
    2.0 * x
}

/// Names that callers and callees share; constants, and a path, in calls.
#[kernel]
pub fn hygiene(n: usize, x: &mut [f64], flag: bool) {
    let twice = 3.0;
    let depth = n / 2;
    'all: for i in 0..n {
        tiles::r#move(depth, twice * i as f64, x);
        self::either(flag, -SCALE, &mut x[i..]);
        if i == 4 {
            break 'all;
        }
        either(!flag && i > 1, 2.0, &mut x[depth..]);
        x[depth] -= twice;
    }
}

const SCALE: f64 = 0.75;

/// Control by value, which the caller computes.
#[kernel]
pub fn either(flag: bool, scale: f64, x: &mut [f64]) {
    if flag {
        x[0] *= scale;
        return;
    }
    for i in 0..2 {
        x[i] += scale.mul_add(0.5, -scale);
    }
}
