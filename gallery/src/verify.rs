//! Assertions on every kernel.

use std::panic::{AssertUnwindSafe, catch_unwind};

use num_complex::Complex;
use superstep::{RunError, Transport};
use superstep_side_by_side::{Check, SameBits};

use crate::kernels::pair::Pair;

impl SameBits for Pair {
    fn same_bits(&self, other: &Self) -> bool {
        self.x.same_bits(&other.x) && self.n == other.n
    }
}

/// Asserts that the generated programs give what `original` gives on `input`, in every bit and on
/// both transports.
///
/// # Panics
/// If they don't, if no program was generated, or if the results are mostly no numbers.
pub fn identical<T: Clone + SameBits + Tame>(
    processors: &[usize],
    input: &T,
    original: impl Fn(&mut T),
    generated: impl FnMut(usize, Transport, &mut T) -> Result<(), RunError>,
) {
    let mut result = input.clone();
    original(&mut result);
    let (tame, words) = result.count();
    assert!(
        2 * tame > words,
        "only {tame} of {words} results are finite: they would prove little"
    );
    Check::new(input, original).programs(processors, generated);
}

/// As [`identical`]; where overflow is checked, asserts that both sides panic.
///
/// # Panics
/// If not.
pub fn overflowing<T: Clone + SameBits + Tame>(
    processors: &[usize],
    input: &T,
    original: impl Fn(&mut T),
    mut generated: impl FnMut(usize, Transport, &mut T) -> Result<(), RunError>,
) {
    if !cfg!(debug_assertions) {
        return identical(processors, input, original, generated);
    }
    let panicked = catch_unwind(AssertUnwindSafe(|| original(&mut input.clone()))).is_err();
    assert!(panicked, "the kernel is meant to overflow");
    for &processors in processors {
        for transport in [Transport::Threads, Transport::InTurn] {
            let outcome = generated(processors, transport, &mut input.clone());
            assert!(
                outcome.is_err(),
                "{processors} processors, {transport:?}: no overflow"
            );
        }
    }
}

/// Words that can be told apart after a wrong computation too.
pub trait Tame {
    /// Counts the finite words, and all words.
    fn count(&self) -> (usize, usize);
}

macro_rules! tame {
    ($($word:ty: $finite:expr),* $(,)?) => {$(
        impl Tame for $word {
            fn count(&self) -> (usize, usize) {
                let finite: fn(&$word) -> bool = $finite;
                (usize::from(finite(self)), 1)
            }
        }
    )*};
}

tame! {
    f32: |word| word.is_finite(),
    f64: |word| word.is_finite(),
    Complex<f64>: |word| word.is_finite(),
    Pair: |word| word.x.is_finite(),
    bool: |_| true, usize: |_| true,
    u8: |_| true, u16: |_| true, u32: |_| true, u64: |_| true,
    i8: |_| true, i16: |_| true, i32: |_| true, i64: |_| true,
}

fn sum<'a, T: Tame + 'a>(parts: impl IntoIterator<Item = &'a T>) -> (usize, usize) {
    parts
        .into_iter()
        .map(T::count)
        .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

impl<T: Tame> Tame for Vec<T> {
    fn count(&self) -> (usize, usize) {
        sum(self)
    }
}

impl<T: Tame, const N: usize> Tame for [T; N] {
    fn count(&self) -> (usize, usize) {
        sum(self)
    }
}

macro_rules! tame_parts {
    ($($part:ident $index:tt),*) => {
        impl<$($part: Tame),*> Tame for ($($part,)*) {
            fn count(&self) -> (usize, usize) {
                let counts = [$(self.$index.count()),*];
                counts.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
            }
        }
    };
}

tame_parts!(A 0);
tame_parts!(A 0, B 1);
tame_parts!(A 0, B 1, C 2);
tame_parts!(A 0, B 1, C 2, D 3);
