//! A fast Fourier transform of 8192 complex numbers, bit reversal included.
//!
//! The twiddle factors are an input. The kernel file uses `num_complex`, so that crate stands under
//! `[build-dependencies]` too: the build script compiles the same file.

use num_complex::Complex;

pub mod kernels;

/// `exp(-2 pi i k / n)` for `k < n / 2`.
pub fn twiddles(n: usize) -> Vec<Complex<f64>> {
    let angle = |k: usize| -2.0 * std::f64::consts::PI * k as f64 / n as f64;
    (0..n / 2).map(|k| Complex::cis(angle(k))).collect()
}

/// `n` samples of two tones and a little of everything else.
pub fn signal(n: usize) -> Vec<Complex<f64>> {
    let sample = |t: usize| {
        let phase = 2.0 * std::f64::consts::PI * t as f64 / n as f64;
        let rest = ((t * t) % 1009) as f64 / 1009.0;
        Complex::new(
            (5.0 * phase).sin() + 0.1 * rest,
            (440.0 * phase).cos() - 0.1 * rest,
        )
    };
    (0..n).map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_as_the_definition_says() {
        let n = 64;
        let x = signal(n);
        let mut transformed = x.clone();
        kernels::fft(n, &twiddles(n), &mut transformed);
        for (k, transformed) in transformed.iter().enumerate() {
            let angle = |t: usize| -2.0 * std::f64::consts::PI * (k * t % n) as f64 / n as f64;
            let defined: Complex<f64> = (0..n).map(|t| x[t] * Complex::cis(angle(t))).sum();
            assert!(
                (transformed - defined).norm() < 1e-12 * n as f64,
                "{k}: {transformed} is not {defined}"
            );
        }
    }
}
