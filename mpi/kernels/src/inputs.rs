//! Inputs of the kernels: each word by its index.

use num_complex::Complex;

use crate::{FFT, LU};

/// Number between 0 and 1, another one for each index.
pub(crate) fn number(i: usize) -> f64 {
    ((i as f64 + 1.0) * 0.618_033_988_749_895).fract()
}

/// Word of a matrix with a large diagonal.
pub(crate) fn lu(i: usize) -> f64 {
    number(i)
        + if i.is_multiple_of(LU + 1) {
            LU as f64
        } else {
            0.0
        }
}

/// Root of unity.
pub(crate) fn twiddle(i: usize) -> Complex<f64> {
    Complex::cis(-std::f64::consts::TAU * i as f64 / FFT as f64)
}

/// Word that is transformed.
pub(crate) fn fft(i: usize) -> Complex<f64> {
    Complex::new(number(2 * i), number(2 * i + 1))
}

/// One of eight letters.
pub(crate) fn letter(i: usize) -> u8 {
    (8.0 * number(i)) as u8
}

/// Word of the second factor of a product.
pub(crate) fn factor(i: usize) -> f64 {
    1.0 - number(i) * number(i)
}

/// Word of a triangular matrix that is not near zero.
pub(crate) fn value(i: usize) -> f64 {
    2.0 + number(i)
}
