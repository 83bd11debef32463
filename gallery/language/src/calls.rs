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

/// Kernels with grains, in another file; jumps out of one lead out of the call only.
#[kernel]
pub fn elsewhere(n: usize, a: &mut [f64], sum: &mut f64) {
    for k in 0..2 {
        super::grains::lu(n, &mut a[k * n * n..(k + 1) * n * n]);
        super::grains::jumps(n, &mut a[n..2 * n], sum);
        *sum *= 0.5;
    }
}

/// Adds constants of types that their digits do not tell.
#[kernel]
pub fn add(
    single: f32,
    small: i16,
    large: u64,
    x: &mut [f32],
    y: &mut [u64],
    #[structure] at: &[[usize; 2]],
) {
    for k in 0..at.len() {
        x[at[k][0]] += single;
        y[at[k][1]] += large + (small as i64).unsigned_abs();
    }
}

/// Constants, and parts of nested arrays.
#[kernel]
pub fn constants(x: &mut [[f32; 4]], y: &mut [u64; 4], #[structure] at: &[[usize; 2]]) {
    add(0.1, -32768, 0xffff_ffff_ffff, &mut x[1], y, at);
    add(
        -16777217.0,
        LEAST,
        u64::MAX / 4,
        &mut x[0][1..],
        &mut y[..],
        &at[1..3],
    );
    rows(x.len() - 1, &mut x[1..]);
}

const LEAST: i16 = -7;

/// Writes rows.
#[kernel]
pub fn rows(n: usize, x: &mut [[f32; 4]]) {
    for i in 0..n {
        for j in 0..x[i].len() {
            x[i][j] = 0.3 * x[n - 1 - i][j] + j as f32;
        }
    }
}

/// Moves on.
#[kernel]
pub fn advance(k: &mut usize, by: usize, order: &mut [usize]) {
    for i in 0..order.len() {
        order[i] += i * by;
    }
    *k += by;
}

/// Control that comes back from a call.
#[kernel]
pub fn controlled(n: usize, x: &mut [f64]) {
    let mut order = [0usize; 4];
    let mut k = 0;
    advance(&mut k, n, &mut order);
    while k > 0 {
        x[order[k % 4]] += k as f64;
        k -= 1;
    }
    let half = &mut order[2..];
    advance(&mut k, 3, half);
    x[k + half[1]] *= half.len() as f64;
}

/// First entries of the rows of [`NEXT`].
pub const ROW: [usize; 6] = [0, 2, 3, 3, 6, 7];

/// Numbers that [`nested`](fn@nested) walks over.
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

/// Returns the first word of tile `(i, j)` of a lower triangle of tiles.
pub fn tile(i: usize, j: usize, block: usize) -> usize {
    (i * (i + 1) / 2 + j) * block * block
}

/// Factors a tile in place: `a = l l^T`.
#[kernel]
pub fn factor(n: usize, a: &mut [f64]) {
    for k in 0..n {
        let (done, row) = a.split_at_mut(k * n);
        for j in 0..k {
            let other = &done[j * n..][..n];
            for i in 0..j {
                row[j] -= row[i] * other[i];
            }
            row[j] /= other[j];
            row[k] -= row[j] * row[j];
        }
        row[k] = row[k].sqrt();
    }
}

/// `a = a l^-T`.
#[kernel]
pub fn solve(n: usize, l: &[f64], a: &mut [f64]) {
    for i in 0..n {
        let row = &mut a[i * n..(i + 1) * n];
        for j in 0..n {
            for k in 0..j {
                row[j] -= row[k] * l[j * n + k];
            }
            row[j] /= l[j * n + j];
        }
    }
}

/// `c -= a b^T`.
#[kernel]
pub fn update(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] -= a[i * n + k] * b[j * n + k];
            }
        }
    }
}

/// Cholesky's factorisation of a matrix of `tiles` rows of tiles, in place: one task for each call for a tile.
#[kernel]
pub fn cholesky(tiles: usize, block: usize, a: &mut [f64]) {
    let words = block * block;
    for k in 0..tiles {
        let diagonal = tile(k, k, block);
        factor(block, &mut a[diagonal..diagonal + words]);
        #[grain]
        for i in k + 1..tiles {
            let (done, rest) = a.split_at_mut(tile(i, k, block));
            solve(block, &done[diagonal..diagonal + words], &mut rest[..words]);
        }
        for i in k + 1..tiles {
            #[grain]
            for j in k + 1..=i {
                let (done, rest) = a.split_at_mut(tile(i, j, block));
                let (left, right) = (tile(i, k, block), tile(j, k, block));
                update(
                    block,
                    &done[left..][..words],
                    &done[right..][..words],
                    &mut rest[..words],
                );
            }
        }
    }
}

/// Locals that borrow what there is to borrow, from each other too.
#[kernel]
pub fn borrows(n: usize, x: &mut [f64], t: &mut [[f64; 4]; 3], sum: &mut f64) {
    for i in 1..n {
        let (head, tail) = x.split_at_mut(i * n);
        let (first, _) = tail.split_at_mut(n);
        let last: &f64 = &head[head.len() - 1];
        for k in 0..first.len() {
            first[k] += last * head[k];
        }
        let row = &mut t[i % 3];
        let (_, end) = row.split_at_mut(2);
        end[1] += first[0];
        let word = &mut row[i % 4];
        *word += 0.5 + word.sqrt();
        let sum = &mut *sum;
        *sum += *word;
    }
    let t = &*t;
    let x = &x[n..];
    if !x.is_empty() {
        *sum += t[1][2] * x[x.len() - 1];
    }
    total(&t[2][1..], sum);
    let pair: (f64, f64) = (t[0][0], 3.0);
    let a = &pair.0;
    let b = &pair;
    *sum += *a + b.1;
}

/// Places in which [`add`](fn@add) adds.
pub const AT: [[usize; 2]; 4] = [[3, 0], [1, 3], [2, 1], [0, 0]];
