//! Arrays of proved plans: words are used without tests of bounds.
//!
//! A test of bounds is two instructions of some ten that an entry of a sparse row takes. It is one
//! more value that a loop keeps in a register. A plan needs none: every place that its grains use
//! was told when it was tracked.
//!
//! # Why that is sound
//! *Places*: a grain evaluates the index of a word, and of an element of structure. Tracking has
//! evaluated the same expression for the same iteration. Expressions of control have one value
//! whenever they are evaluated. They are made of operators and methods of numbers, on control
//! arguments that are immutable while the plan lives (the macro refuses all else). Tracking
//! evaluates no index for values of structure that statements compute with, and for places in a
//! grain's own arrays. There the macro has it [tested](ProvedInput::tested).
//!
//! *Lengths*: tracking indexes structure itself, with a test. Of the other arrays it keeps how many
//! words are needed, and no run begins with fewer.
//!
//! *Proofs*: a [`Proof`] is made by the runtime alone, of a plan whose proof has succeeded, while
//! that plan runs.
//!
//! # Tests
//! In a debug build each access is tested nevertheless. So it is with the environment variable
//! `SUPERSTEP_TESTED=1` set while a release build compiles. Then plans of the kernels of
//! `superstep-bench plan --quick` for two processors take 1.06 to 1.27 times as long in place,
//! loaded 1.04 to 1.33. Under Miri none is tested, as it finds what is outside itself. So does
//! AddressSanitizer, which CI runs on a release build.

use std::marker::PhantomData;
use std::ops::{Deref, Index, IndexMut};
use std::slice::{self, SliceIndex};

use superstep_planner::Proved;

use super::{Inside, Words};

/// Set if accesses are tested.
pub(crate) const IS_TESTED: bool =
    cfg!(debug_assertions) && !cfg!(miri) || option_env!("SUPERSTEP_TESTED").is_some();

/// Proof of a plan, in the hands of its grains while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Proof<'p>(PhantomData<&'p Proved>);

impl<'p> Proof<'p> {
    /// Returns the proof of a plan.
    pub(crate) fn of(_: &'p Proved) -> Self {
        Self(PhantomData)
    }

    /// Returns a proof of nothing, for tests of what needs one.
    #[cfg(test)]
    pub(crate) const fn of_nothing() -> Self {
        Self(PhantomData)
    }

    /// Returns an array that is only read.
    #[inline(always)]
    pub fn input<'v, T>(self, words: &'v [T]) -> ProvedInput<'v, T> {
        ProvedInput(words)
    }

    /// Returns an array whose words are written, for the time of the borrow.
    #[inline(always)]
    pub fn words<'v, T>(self, words: &'v mut Words<'_, T>) -> ProvedWords<'v, T> {
        ProvedWords(words.reborrow())
    }

    /// Returns the next word of a tape.
    ///
    /// # Panics
    /// If there is none, where accesses are tested.
    #[inline(always)]
    pub(crate) fn next<T: Copy>(self, words: &mut slice::Iter<'_, T>) -> T {
        let next = words.next().copied();
        if IS_TESTED {
            return next.expect("tapes have all words that grains read");
        }
        // SAFETY: tapes were recorded by the control that reads them, for the same grains.
        unsafe { next.unwrap_unchecked() }
    }
}

impl<const N: usize> Inside<N> {
    /// Returns the flat index of a place that was tracked.
    #[inline(always)]
    fn place(self) -> usize {
        let Self(block, place) = self;
        if IS_TESTED {
            assert!(place < N, "word {place} is not in a block of {N}");
        }
        block * N + place
    }
}

/// Structure or data that is only read, by places that were tracked.
#[derive(Clone, Copy, Debug)]
pub struct ProvedInput<'v, T>(&'v [T]);

impl<'v, T> ProvedInput<'v, T> {
    /// Returns the array for places that were not tracked.
    #[inline(always)]
    pub fn tested(self) -> &'v [T] {
        self.0
    }
}

impl<T> Deref for ProvedInput<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.0
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for ProvedInput<'_, T> {
    type Output = I::Output;

    #[inline(always)]
    fn index(&self, at: I) -> &I::Output {
        if IS_TESTED {
            return &self.0[at];
        }
        // SAFETY: tracking has evaluated this index of this array, or of one that is no longer.
        unsafe { self.0.get_unchecked(at) }
    }
}

impl<T> ProvedInput<'_, T> {
    /// Returns a word of a nested array.
    #[inline(always)]
    pub fn inside<const N: usize>(&self, at: Inside<N>) -> &T {
        &self[at.place()]
    }
}

/// Words that grains write, by places that were tracked.
#[derive(Debug)]
pub struct ProvedWords<'v, T>(Words<'v, T>);

impl<T> Index<usize> for ProvedWords<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        if IS_TESTED {
            return &self.0[at];
        }
        // SAFETY: tracking has evaluated this index, and the array has as many words as it needs.
        // No other processor writes the word now.
        unsafe { &*self.0.start.add(at) }
    }
}

impl<T> IndexMut<usize> for ProvedWords<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        if IS_TESTED {
            return &mut self.0[at];
        }
        // SAFETY: as above, and no other processor accesses the word now.
        unsafe { &mut *self.0.start.add(at) }
    }
}

impl<T, const N: usize> Index<Inside<N>> for ProvedWords<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: Inside<N>) -> &T {
        &self[at.place()]
    }
}

impl<T, const N: usize> IndexMut<Inside<N>> for ProvedWords<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: Inside<N>) -> &mut T {
        &mut self[at.place()]
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::panic::catch_unwind;

    use super::*;

    const PROOF: Proof<'_> = Proof::of_nothing();

    #[test]
    fn words_are_those_of_the_array() {
        let (input, mut array) = ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10]);
        let input = PROOF.input(&input);
        assert_eq!((input[5], &input[2..4], input.len()), (6, &[3, 4][..], 6));
        assert_eq!(*input.inside(Inside::<3>(1, 2)), 6);
        let mut words = Words::from(&mut array[..]);
        let mut words = PROOF.words(&mut words);
        words[3] += words[0];
        words[Inside::<2>(0, 1)] = words[Inside::<2>(1, 0)] + input[0];
        assert_eq!(array, [7, 10, 9, 17]);
    }

    /// Only here: under Miri they are not tested, and it would find them.
    #[test]
    #[cfg_attr(not(debug_assertions), ignore = "a release build tests nothing")]
    #[cfg_attr(miri, ignore = "nothing is tested there")]
    fn a_debug_build_tests_every_access() {
        let outside = |access: fn()| assert!(catch_unwind(access).is_err());
        outside(|| _ = black_box(PROOF.input(&[1, 2])[2]));
        outside(|| _ = black_box(&PROOF.input(&[1, 2])[1..3]));
        outside(|| _ = black_box(PROOF.input(&[1, 2]).inside(Inside::<2>(0, 2))));
        outside(|| _ = black_box(PROOF.words(&mut Words::from(&mut [1, 2][..]))[2]));
        outside(|| PROOF.words(&mut Words::from(&mut [1, 2][..]))[2] = 3);
        outside(|| PROOF.words(&mut Words::from(&mut [1; 4][..]))[Inside::<2>(0, 3)] = 3);
        outside(|| _ = black_box(PROOF.next(&mut [0_u8; 0].iter())));
    }
}
