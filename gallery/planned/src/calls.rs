//! Kernels of whose calls nobody says that they are planned: there is no build script.

#![allow(
    unstable_name_collisions,
    reason = "a trait has the name of a method that integers may have one day"
)]

use superstep::kernel;

/// Products of a matrix's rows with a vector, whose iterations take microseconds.
#[kernel]
pub fn rows(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += a[i * n + j] * x[j];
        }
        y[i] = sum;
    }
}

/// Sums of words at given places.
#[kernel]
pub fn gathered(#[structure] first: &[u32], #[structure] places: &[u32], x: &[f64], y: &mut [f64]) {
    for i in 0..first.len() - 1 {
        let mut sum = 0.0;
        for at in first[i] as usize..first[i + 1] as usize {
            sum += x[places[at] as usize];
        }
        y[i] = sum;
    }
}

/// Adds to each word what takes a microsecond to compute from an earlier one.
#[kernel]
pub fn chained(#[structure] from: &[u32], a: &[f64], x: &mut [f64]) {
    for i in 0..from.len() {
        let mut word = x[from[i] as usize];
        for j in 0..a.len() {
            word = a[j] - word;
        }
        x[i] += word;
    }
}

/// A number that has no root, and its row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Negative(pub usize, pub f64);

/// Roots of the sums of a matrix's rows, as far as there are roots.
#[kernel]
pub fn roots(n: usize, a: &[f64], y: &mut [f64]) -> Result<(), Negative> {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += a[i * n + j];
        }
        #[guard]
        if sum < 0.0 {
            return Err(Negative(i, sum));
        }
        y[i] = sum.sqrt();
    }
    Ok(())
}

/// Sums ever more words, by control that no iteration knows alone.
#[kernel]
pub fn growing(n: usize, x: &[f64], y: &mut [f64]) {
    let mut end = 1;
    for i in 0..n {
        for j in 0..end {
            y[i] += x[j];
        }
        end = (3 * end + 1) % n;
    }
}

/// A reader of a file may give up, and has nothing to plan.
#[kernel]
pub fn first_negative(x: &[f64; 4]) -> Result<(), Negative> {
    #[guard]
    if x[0] < 0.0 {
        return Err(Negative(0, x[0]));
    }
    Ok(())
}

/// Doubles words, and is never planned.
#[kernel(plan = false)]
pub fn doubled(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] *= 2.0;
    }
}

/// Kinds of sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Sums of all words.
    Whole = 1,
    /// Sums of every other word.
    Half = 2,
}

/// A constant of a type that is no number, and of which control is made.
const KIND: Kind = Kind::Half;

/// Adds numbers by control that is made of what is no number.
#[kernel]
pub fn of_a_kind(n: usize, x: &mut [f64]) {
    for i in 1..n {
        if i % 2 < KIND as usize {
            x[i] *= 0.5;
        }
        x[i] += x[i - 1];
    }
}

/// A constant whose field is a number.
const STEP: std::num::Wrapping<usize> = std::num::Wrapping(2);

/// Adds numbers in steps of such a constant.
#[kernel]
pub fn in_steps(n: usize, x: &mut [f64]) {
    for i in STEP.0..n {
        x[i] += x[i - 2];
    }
}

/// Divisions of a trait's own, which rounds as it likes.
pub trait Rounds {
    /// Returns half of the number, rounded towards zero.
    fn div_ceil(self, by: Self) -> Self;
}

impl Rounds for i64 {
    fn div_ceil(self, by: Self) -> Self {
        self / by
    }
}

/// Sums words at places that such a trait tells.
#[kernel]
pub fn by_a_trait(n: i64, x: &mut [f64]) {
    for i in 1..n {
        x[i as usize] += x[i.div_ceil(2) as usize];
    }
}

/// Bits of a flag, which has no method of that name itself.
pub trait Bits {
    /// Returns how many there are.
    fn count_ones(self) -> u32;
}

impl Bits for bool {
    fn count_ones(self) -> u32 {
        u32::from(self)
    }
}

/// Sums words at places that a trait of flags tells.
#[kernel]
pub fn by_a_flag(n: usize, x: &mut [f64]) {
    for i in 1..n {
        x[i] += x[(i < 3).count_ones() as usize];
    }
}

/// Sums words at places that unsigned numbers tell.
#[kernel]
pub fn halved(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..i.div_ceil(2) {
            sum += x[j];
        }
        y[i] = sum;
    }
}
