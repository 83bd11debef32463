//! Kernels over patterns that are known only at run time, and over sizes that nobody built for.

use superstep::kernel;

/// Solves L x = b in place; the diagonal is last in its row.
#[kernel(plan)]
pub fn forward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] values: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e] as usize];
        }
        x[i] /= values[row[i + 1] - 1];
    }
}

/// Solves U x = b by the columns of L, and keeps b: a scalar of each row, and a loop that runs backwards.
#[kernel(plan)]
pub fn backward(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) {
    for i in (0..n).rev() {
        let mut sum = b[i];
        for e in row[i] + 1..row[i + 1] {
            sum -= values[e] * x[col[e] as usize];
        }
        x[i] = sum / values[row[i]];
    }
}

/// Solves L x = b in place by columns, whose diagonal is first: all indices are of 32 bits.
#[kernel(plan)]
pub fn columns(
    n: usize,
    #[structure] column: &[u32],
    #[structure] row: &[u32],
    #[values] values: &[f64],
    x: &mut [f64],
) {
    for j in 0..n {
        let first = column[j] as usize;
        x[j] /= values[first];
        for e in first + 1..column[j + 1] as usize {
            x[row[e] as usize] -= values[e] * x[j];
        }
    }
}

/// Adds to each word the sum of a row along its fixed tree: a reduction inside a grain.
#[kernel(plan)]
pub fn row_sums(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] values: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        let mut sum = 0.25 * x[i];
        #[reduce]
        for e in row[i]..row[i + 1] - 1 {
            sum += values[e] * x[col[e] as usize];
        }
        x[i] = sum;
    }
}

/// Symmetric Gauss-Seidel, several sweeps: loops that are entered, two in each.
#[kernel(plan)]
pub fn sweeps(
    n: usize,
    times: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] values: &[f64],
    b: &[f64],
    x: &mut [f64],
) {
    let last = n - 1;
    for _ in 0..times {
        #[grain]
        for i in 0..n {
            let mut sum = b[i];
            for e in row[i]..row[i + 1] {
                sum -= values[e] * x[col[e] as usize];
            }
            x[i] = x[i] + 0.25 * sum;
        }
        x[last] *= 0.5;
        #[grain]
        for i in (0..n).rev() {
            if row[i] == row[i + 1] {
                continue;
            }
            let mut sum = b[i];
            for e in row[i]..row[i + 1] {
                sum -= values[e] * x[col[e] as usize];
            }
            x[i] = x[i] + 0.25 * sum;
        }
    }
}

/// LU without pivoting, whose size nobody knew: rows of each step are grains.
#[kernel(plan)]
pub fn lu(n: usize, a: &mut [f64]) {
    for k in 0..n {
        let below = k + 1;
        #[grain]
        for i in below..n {
            a[i * n + k] /= a[k * n + k];
            for j in below..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}

/// Words of three, an array of each grain, a `while`, statements between loops, a type of the caller's choice.
#[kernel(plan)]
pub fn blocks(n: usize, #[structure] from: &[[u16; 2]], x: &mut [[f32; 3]], total: &mut f32) {
    assert!(n > 0);
    for i in 0..n {
        let mut own = [0.0f32; 4];
        let mut k = 0;
        while k < 3 {
            own[k] = x[from[i][0] as usize][k] + x[from[i][1] as usize][k];
            k += 1;
        }
        own[3] = own[0] * own[1];
        for k in 0..3 {
            x[i][k] = 0.5 * own[k] + own[3].sin();
        }
    }
    *total = x[0][0];
    for i in 1..n {
        *total += x[i][2];
    }
}

/// Divides whole numbers, of which one may be zero.
#[kernel(plan)]
pub fn quotients(n: usize, #[structure] before: &[usize], by: &[i64], x: &mut [i64]) {
    for i in 0..n {
        x[i] = (x[before[i]] + 1000) / by[i];
    }
}

/// Levels whose bounds are structure, by a constant that is structure too: control between loops.
#[kernel(plan)]
pub fn levels(
    count: usize,
    #[structure] start: &[usize],
    #[structure] from: &[u32],
    #[values] weight: &[f64],
    x: &mut [f64],
) {
    let base = start[0];
    for l in 0..count {
        let first = start[l];
        #[grain]
        for i in first..start[l + 1] {
            let y_len = first - base;
            x[from[y_len] as usize / 2 + i] += weight[i - first + y_len] * x[from[i] as usize];
        }
    }
}

/// Counts in a byte that wraps round: no range of words.
#[kernel(plan)]
pub fn wrapping(n: usize, #[structure] at: &[usize], x: &mut [f64]) {
    for i in 0..n {
        for j in 0..256usize {
            x[(j as u8) as usize] += x[at[i]] * 0.001;
        }
    }
}

/// A statement that may give up before a loop that may.
#[kernel(plan)]
pub fn failing_first(n: usize, bad: &[bool], total: &mut u64, x: &mut [u64]) {
    *total = checked(0, bad[0], 1);
    for i in 0..n {
        x[i] = checked(i + 1, bad[i + 1], x[i]);
    }
}

/// Doubles, unless something is wrong.
fn checked(i: usize, is_bad: bool, value: u64) -> u64 {
    assert!(!is_bad, "row {i} is bad");
    value.wrapping_mul(2)
}

/// Gives up where a row is bad.
#[kernel(plan)]
pub fn failing(n: usize, #[structure] before: &[usize], bad: &[bool], x: &mut [u64]) {
    for i in 0..n {
        x[i] = checked(i, bad[i], x[before[i]]);
    }
}

/// Places of the second half, by a constant and by methods.
pub const HALF: usize = 2;

/// Adds to words what stands some places before them.
#[kernel(plan)]
pub fn shifted(n: usize, #[structure] by: &[u8], x: &mut [f32]) {
    let least = n.div_ceil(HALF).max(1);
    for i in least..n {
        let from = i.saturating_sub(by[i] as usize).min(n - 1);
        x[i] += if from < least { x[from] } else { x[i - HALF] };
    }
}

/// The value by which a kernel gives up.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// There is nothing.
    Start(f64),
    /// A pivot is too small.
    Pivot {
        /// Its row.
        row: usize,
        /// The pivot.
        pivot: f64,
    },
    /// A word has fallen below the one before it.
    Fall(usize),
}

/// Divides by pivots that may be too small: guards of a statement and of grains, on data and on control.
#[kernel(plan)]
pub fn guarded(
    n: usize,
    #[structure] before: &[usize],
    #[values] by: &[f64],
    fall: &[f64],
    x: &mut [f64],
) -> Result<(), Wrong> {
    if n == 0 {
        return Ok(());
    }
    #[guard]
    if fall[0] < 0.0 {
        return Err(Wrong::Start(fall[0]));
    }
    for i in 0..n {
        let pivot = 1.0 + x[before[i]] - by[i];
        #[guard]
        if pivot.abs() < 0.25 {
            return Err(Wrong::Pivot { row: i, pivot });
        }
        x[i] = 1.0 / pivot;
        #[guard]
        if i > 0 && fall[i] < fall[i - 1] - 1.0 {
            return Err(Wrong::Fall(i));
        }
    }
    Ok(())
}

/// Solves with a factor and with the transposed one: two kernels in one plan.
#[kernel(plan)]
pub fn both(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[structure] transposed_row: &[usize],
    #[structure] transposed_col: &[u32],
    #[values] values: &[f64],
    #[values] transposed: &[f64],
    x: &mut [f64],
    y: &mut [f64],
) {
    forward(n, row, col, values, x);
    backward(n, transposed_row, transposed_col, transposed, x, y);
}

/// Scales words until one is to be skipped, if there are any.
#[kernel]
pub fn scale(by: f64, skip: usize, x: &mut [f64]) {
    if x.is_empty() {
        return;
    }
    for k in 0..x.len() {
        if k == skip {
            return;
        }
        x[k] *= by;
    }
}

/// Halves words, if there are any.
#[kernel]
pub fn halve(x: &mut [f64]) {
    if x.is_empty() {
        return;
    }
    for k in 0..x.len() {
        x[k] *= 0.5;
    }
}

/// Rows of three words each: calls inside grains, with parts whose places are structure.
#[kernel(plan)]
pub fn parts(n: usize, #[structure] before: &[usize], x: &mut [f64]) {
    for i in 0..n {
        for k in 0..3 {
            x[3 * i + k] += x[3 * before[i] + (k + i) % 3];
        }
        scale(0.75, before[i] % 4, &mut x[3 * i..3 * i + 3]);
        let row = &mut x[3 * before[i]..];
        row[before[i] % 2] += 0.125;
    }
    halve(&mut x[0..3 * n]);
}

/// Gathers rows in a dense one, as a left-looking factorisation does, and gives up where nothing is left: scratch of floats and of
/// marks.
#[kernel(plan)]
pub fn gathered(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[values] values: &[f64],
    #[scratch] dense: &mut [f64],
    #[scratch] mark: &mut [bool],
    x: &mut [f64],
) -> Result<(), usize> {
    for i in 0..n {
        for j in 0..i + 1 {
            dense[j] = 0.0;
            mark[j] = false;
        }
        for e in row[i]..row[i + 1] {
            let j = col[e] as usize;
            dense[j] += values[e];
            mark[j] = true;
        }
        let mut sum = 1.0;
        for j in 0..i {
            sum -= if mark[j] { dense[j] * x[j] } else { 0.0 };
        }
        #[guard]
        if sum.abs() < 0.01 {
            return Err(i);
        }
        x[i] = sum / dense[i].max(0.25);
    }
    Ok(())
}

/// Reads what an iteration before has left.
#[kernel(plan)]
pub fn left(n: usize, #[scratch] work: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        work[i] = x[i];
        x[i] = work[i / 2] + work[i];
    }
}

/// Cholesky by rows, without marks: entries of a row wait for those of the rows above.
#[kernel(plan)]
pub fn cholesky(n: usize, a: &mut [f64]) {
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = if i == j {
                sum.abs().sqrt()
            } else {
                sum / a[j * n + j]
            };
        }
    }
}

/// Reflections: the statements before the loop over columns are one grain, with locals of its own.
#[kernel(plan)]
pub fn householder(m: usize, n: usize, a: &mut [f64], tau: &mut [f64]) {
    for k in 0..n {
        let mut square = 0.0;
        for i in k..m {
            square += a[i * n + k] * a[i * n + k];
        }
        let alpha = if a[k * n + k] > 0.0 {
            -square.sqrt()
        } else {
            square.sqrt()
        };
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

/// Sweeps over planes, lines and points, with values that hold for a plane, a line and a point.
#[kernel(plan)]
pub fn planes(side: usize, sweeps: usize, #[values] by: &[f64], x: &mut [f64]) {
    for s in 0..sweeps {
        for i in 1..side {
            let plane = i * side * side;
            for j in 1..side {
                let line = plane + j * side;
                for k in 1..side {
                    let before = x[line + k - 1] + x[line + k - side];
                    let mut point = x[line + k];
                    point += by[line + k] * (before + x[line + k - side * side]);
                    x[line + k] = point / (4 + s) as f64;
                }
            }
        }
    }
}

/// Sweeps that nobody counts, with locals in them.
#[kernel(plan)]
pub fn relaxed(n: usize, sweeps: usize, x: &mut [f64], moved: &mut [f64]) {
    for _ in 0..sweeps {
        for i in 0..n {
            let old = x[i];
            x[i] = 0.5 * (x[(i + 1) % n] + x[(i + n - 1) % n]);
            moved[i] = (x[i] - old).abs();
        }
        for i in 1..n {
            moved[0] += moved[i];
        }
    }
}

/// A transform in passes: control changes between the loops, and what follows from it is of the time
/// before.
#[kernel(plan)]
pub fn passes(n: usize, x: &mut [f64]) {
    let mut half = n / 2;
    let mut pass = 0u8;
    let mut is_even = true;
    while half > 0 {
        let whole = 2 * half;
        for first in (0..n).step_by(whole) {
            for i in first..first + half {
                let low = x[i];
                x[i] = low + x[i + half];
                x[i + half] = low - x[i + half];
            }
        }
        half /= 2;
        pass += 1;
        is_even = !is_even;
        for i in 0..n / whole {
            x[i * whole + half] += if is_even { pass as f64 } else { 0.5 };
        }
    }
}

/// Levels of a pyramid, from one to the next by a called kernel that sees parts of the array.
#[kernel(plan)]
pub fn pyramid(n: usize, x: &mut [f64]) {
    let mut size = n;
    let mut at = 0;
    while size > 1 {
        let (before, coarse) = x.split_at_mut(at + size);
        let fine = &mut before[at..];
        for i in 0..fine.len() {
            fine[i] += size as f64;
        }
        smooth(size / 2, fine, coarse);
        at += size;
        size /= 2;
    }
}

/// Writes the means of pairs.
#[kernel]
pub fn smooth(half: usize, fine: &[f64], coarse: &mut [f64]) {
    for i in 0..half {
        coarse[i] = 0.5 * (fine[2 * i] + fine[2 * i + 1]);
    }
}

/// Sums each row through an array that is anew for each, and not marked: one chain.
#[kernel(plan)]
pub fn unmarked(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    values: &[f64],
    work: &mut [f64],
    x: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..row[i + 1] {
            work[col[e] as usize] = values[e];
        }
        for e in row[i]..row[i + 1] {
            x[i] += work[col[e] as usize] * values[e];
        }
    }
}

/// Relaxes each word towards others, by numbers that stand before the loops. They come from sizes,
/// structure, each other, and arguments that nobody writes. One changes from step to step.
#[kernel(plan)]
pub fn damped(
    n: usize,
    steps: usize,
    #[structure] before: &[usize],
    rate: f64,
    weights: &[f64],
    x: &mut [f64],
) {
    let scale = 1.0 / (n as f64 + before[n - 1] as f64).sqrt();
    let most: f64 = scale * rate + weights[before[0]] * weights[n - 1];
    for step in 0..steps {
        let by = most.min(weights[step % n] * scale);
        for i in 0..n {
            let near = x[before[i]];
            x[i] -= by * (x[i] - near) + scale;
        }
    }
    let last = weights[0] * most;
    for i in 0..n {
        x[n + i] = x[i] * last - scale;
    }
}

/// Multiplies by a quotient, unless it is of nothing.
#[kernel(plan)]
pub fn shared(n: usize, by: &[i64], x: &mut [i64]) -> Result<(), Nobody> {
    #[guard]
    if by[0] == 0 {
        return Err(Nobody);
    }
    let each = 1000 / by[0];
    for i in 0..n {
        x[i] *= each;
    }
    Ok(())
}

/// Nobody to share among.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nobody;
