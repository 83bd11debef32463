//! Element type of a user's own: a struct with padding, which kernels compute with as with numbers.

use std::ops::{Add, AddAssign, Mul};

/// A number and a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// The number.
    pub x: f64,
    /// The counter.
    pub n: u32,
}

impl Pair {
    /// Combines both, neither commutatively nor associatively, so that a wrong order shows.
    pub fn mix(self, other: Self) -> Self {
        Self {
            x: self.x * 0.5 + other.x * 0.25,
            n: self.n.rotate_left(5) ^ other.n,
        }
    }
}

impl Add for Pair {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            n: self.n.wrapping_add(other.n),
        }
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<Pair> for f64 {
    type Output = Pair;

    fn mul(self, pair: Pair) -> Pair {
        Pair {
            x: self * pair.x,
            n: pair.n,
        }
    }
}
