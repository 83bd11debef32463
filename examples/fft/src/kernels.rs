//! The kernel: the crate and its build script both compile this file.

use num_complex::Complex;
use superstep::kernel;

/// Transforms `x` in place: radix 2, decimation in time.
///
/// `n` is a power of two and at least 2; `twiddles[k]` is `exp(-2 pi i k / n)` for `k < n / 2`.
#[kernel]
pub fn fft(n: usize, twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    // Bit reversal decides only where values go, so it costs nothing in the generated program but the moves.
    for i in 0..n {
        let j = i.reverse_bits() >> (n.leading_zeros() + 1);
        if i < j {
            let moved: Complex<f64> = x[i];
            x[i] = x[j];
            x[j] = moved;
        }
    }
    let mut half = 1;
    while half < n {
        for start in (0..n).step_by(2 * half) {
            for k in 0..half {
                let odd: Complex<f64> = twiddles[k * (n / (2 * half))] * x[start + half + k];
                x[start + half + k] = x[start + k] - odd;
                x[start + k] += odd;
            }
        }
        half *= 2;
    }
}
