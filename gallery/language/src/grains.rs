//! Loops marked `#[grain]`: each iteration is one task for schedulers. They are here in every kind
//! of loop, with every way out of one.

use steps::kernel;

/// The rows of a factorisation: a division and a row update are one task.
#[kernel]
pub fn lu(n: usize, a: &mut [f64]) {
    for k in 0..n {
        #[grain]
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}

/// Jacobi sweeps over a grid, a row at a time. All words of a row have the same readers, so they
/// travel as one value.
#[kernel]
pub fn jacobi(n: usize, sweeps: usize, x: &mut [f64], y: &mut [f64]) {
    for _ in 0..sweeps {
        #[grain]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let up = x[(i - 1) * n + j] + x[(i + 1) * n + j];
                y[i * n + j] = 0.25 * (up + x[i * n + j - 1] + x[i * n + j + 1]);
            }
        }
        #[grain]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                x[i * n + j] = y[i * n + j];
            }
        }
    }
}

/// FFT in blocks of butterflies: several blocks read what one writes.
#[kernel]
pub fn fft(n: usize, block: usize, x: &mut [[f64; 2]], twiddles: &[[f64; 2]]) {
    let mut half = n / 2;
    while half > 0 {
        for start in (0..n).step_by(2 * half) {
            #[grain]
            for first in (0..half).step_by(block) {
                let end = if first + block < half {
                    first + block
                } else {
                    half
                };
                for k in first..end {
                    let t = k * (n / (2 * half));
                    let re = x[start + k][0] - x[start + half + k][0];
                    let im = x[start + k][1] - x[start + half + k][1];
                    x[start + k][0] += x[start + half + k][0];
                    x[start + k][1] += x[start + half + k][1];
                    x[start + half + k][0] = re * twiddles[t][0] - im * twiddles[t][1];
                    x[start + half + k][1] = re * twiddles[t][1] + im * twiddles[t][0];
                }
            }
        }
        half /= 2;
    }
}

/// Longest common subsequences, tile by tile: a tile's borders go to the right, downwards and
/// across the corner.
#[kernel]
pub fn lcs(n: usize, tile: usize, a: &[u8], b: &[u8], table: &mut [u32]) {
    for top in (0..n).step_by(tile) {
        #[grain]
        for left in (0..n).step_by(tile) {
            for i in top..if top + tile < n { top + tile } else { n } {
                for j in left..if left + tile < n { left + tile } else { n } {
                    let above = if i > 0 { table[(i - 1) * n + j] } else { 0 };
                    let before = if j > 0 { table[i * n + j - 1] } else { 0 };
                    let across = if i > 0 && j > 0 {
                        table[(i - 1) * n + j - 1]
                    } else {
                        0
                    };
                    table[i * n + j] = if a[i] == b[j] {
                        across + 1
                    } else {
                        above.max(before)
                    };
                }
            }
        }
    }
}

/// Grains of every kind of loop, that end at every kind of jump; tasks between them, and a
/// reduction inside of one.
#[kernel]
pub fn jumps(n: usize, x: &mut [f64], sum: &mut f64) {
    let mut round = 0;
    'rounds: while round < 4 {
        round += 1;
        x[0] += 1.0;
        #[grain]
        for i in 1..n {
            x[i] += x[i - 1];
            if i % 5 == round {
                continue;
            }
            x[i] *= 0.5;
            if i == 3 * round {
                continue 'rounds;
            }
            for j in 0..i {
                if j > 3 {
                    break;
                }
                x[i] -= x[j];
            }
        }
        x[n - 1] += 0.25;
    }
    'block: {
        let mut i = 0;
        #[grain]
        while i < n {
            x[i] += 2.0;
            x[n - 1 - i] -= 0.125;
            if i > 6 {
                break 'block;
            }
            i += 1;
        }
    }
    x[1] *= 3.0;
    let mut k = 0;
    #[grain]
    loop {
        let first = k * n / 4;
        #[reduce]
        for i in first..first + n / 4 {
            *sum += x[i];
        }
        k += 1;
        if k == 4 {
            return;
        }
        x[k] += *sum;
    }
}
