//! Pseudo-random data of the gallery's tests, the same in every run and every version.
//!
//! Each generated test starts a stream by its number and draws all arguments of its kernel. The
//! generator has a `Draw` of its own, by which it chooses how kernels are written.

use num_complex::Complex;
use superstep_random::SplitMix64;

use crate::kernels::pair::Pair;

/// Pseudo-random stream (SplitMix64) of words: the values that kernels compute with.
#[derive(Clone, Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// Starts the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Draws 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Draws one word.
    pub fn word<T: Word>(&mut self) -> T {
        T::draw(self)
    }

    /// Draws `count` words, one after the other.
    pub fn words<T: Word>(&mut self, count: usize) -> Vec<T> {
        (0..count).map(|_| T::draw(self)).collect()
    }
}

/// Type of words: of the data that kernels compute with.
pub trait Word: Copy {
    /// Draws the next word: floats between -1 and 1, integers from their whole range.
    fn draw(draw: &mut Draw) -> Self;
}

macro_rules! integer_words {
    ($($integer:ty),*) => {$(
        impl Word for $integer {
            fn draw(draw: &mut Draw) -> Self {
                draw.bits() as Self
            }
        }
    )*};
}

integer_words!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

impl Word for f64 {
    fn draw(draw: &mut Draw) -> Self {
        (draw.bits() as i64) as Self / 9.3e18
    }
}

impl Word for f32 {
    fn draw(draw: &mut Draw) -> Self {
        f64::draw(draw) as Self
    }
}

impl Word for bool {
    fn draw(draw: &mut Draw) -> Self {
        draw.bits() >> 63 == 1
    }
}

impl Word for Complex<f64> {
    fn draw(draw: &mut Draw) -> Self {
        Self::new(f64::draw(draw), f64::draw(draw))
    }
}

impl Word for Pair {
    fn draw(draw: &mut Draw) -> Self {
        Self {
            x: f64::draw(draw),
            n: u32::draw(draw),
        }
    }
}

impl<T: Word, const N: usize> Word for [T; N] {
    fn draw(draw: &mut Draw) -> Self {
        [(); N].map(|()| T::draw(draw))
    }
}
