//! Signals: filters and small transforms, as users write them.
//!
//! The list of cases (`cases.rs`) has their sizes and data.

use superstep::kernel;

/// Halves the volume of `n` samples, and takes a constant off: as small as functions get.
#[kernel]
pub fn gain(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = x[i] * 0.5 - 0.125;
    }
}

/// Filters `channels` channels of `n` samples in place by a cascade of recursive sections of second
/// order: `[b0, b1, b2, a1, a2]` each. Channels follow each other in `x`.
#[kernel]
pub fn biquads(
    channels: usize,
    n: usize,
    sections: usize,
    coefficients: &[[f32; 5]],
    x: &mut [f32],
) {
    for channel in 0..channels {
        for section in 0..sections {
            let mut z1 = 0.0f32;
            let mut z2 = 0.0f32;
            for i in 0..n {
                let input = x[channel * n + i];
                let output = coefficients[section][0] * input + z1;
                z1 = coefficients[section][1] * input - coefficients[section][3] * output + z2;
                z2 = coefficients[section][2] * input - coefficients[section][4] * output;
                x[channel * n + i] = output;
            }
        }
    }
}

/// Delays of the combs of [`reverb`], in samples.
const DELAY: [usize; 4] = [1116, 1188, 1277, 1356];

/// Reverberates `n` samples: four combs side by side, then two all-passes (Schroeder). `comb` and
/// `pass` keep all their states: 4 and 2 times `n` words.
#[kernel]
pub fn reverb(n: usize, x: &[f32], comb: &mut [f32], pass: &mut [f32], y: &mut [f32]) {
    for t in 0..n {
        y[t] = 0.0;
        for c in 0..4 {
            let delay = DELAY[c];
            let old = if t >= delay {
                comb[c * n + t - delay]
            } else {
                0.0
            };
            comb[c * n + t] = x[t] + 0.8 * old;
            y[t] += 0.25 * comb[c * n + t];
        }
        for p in 0..2 {
            let delay = 225 + 331 * p;
            if t >= delay {
                pass[p * n + t] = y[t] + 0.5 * pass[p * n + t - delay];
                y[t] = pass[p * n + t - delay] - 0.5 * pass[p * n + t];
            } else {
                pass[p * n + t] = y[t];
                y[t] *= -0.5;
            }
        }
    }
}

/// Filters `n` samples by `taps` coefficients; `x` has at least `taps - 1` samples more than `y`.
#[kernel]
pub fn fir(n: usize, taps: usize, h: &[f32], x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..taps {
            sum += h[k] * x[i + taps - 1 - k];
        }
        y[i] = sum;
    }
}

/// Adapts `taps` coefficients `w` of a filter so that `n` samples `x` become `wanted` (least mean
/// squares), and keeps what is left over. `x` has at least `taps - 1` samples more than `wanted`.
#[kernel]
pub fn lms(
    n: usize,
    taps: usize,
    rate: f32,
    x: &[f32],
    wanted: &[f32],
    w: &mut [f32],
    left: &mut [f32],
) {
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..taps {
            sum += w[k] * x[i + k];
        }
        left[i] = wanted[i] - sum;
        for k in 0..taps {
            w[k] += rate * left[i] * x[i + k];
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

/// Transforms blocks of 8 x 8 pixels by cosines, rows before columns, as JPEG does: row `u` of
/// `cosine` is frequency `u`.
#[kernel]
pub fn dct(blocks: usize, cosine: &[[f32; 8]; 8], x: &mut [[[f32; 8]; 8]]) {
    for b in 0..blocks {
        let mut t = [[0.0f32; 8]; 8];
        for i in 0..8 {
            for u in 0..8 {
                for j in 0..8 {
                    t[i][u] += cosine[u][j] * x[b][i][j];
                }
            }
        }
        for u in 0..8 {
            for v in 0..8 {
                let mut sum = 0.0;
                for i in 0..8 {
                    sum += cosine[v][i] * t[i][u];
                }
                x[b][v][u] = sum;
            }
        }
    }
}
