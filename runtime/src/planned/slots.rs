//! Slots: where a rank has the words that its grains use.
//!
//! Grains name words by their places in whole arrays. A rank has those alone that its part of the
//! plan uses, and looks each up. Every access is tested. One to a word that the rank does not have
//! panics with the array, the word and the rank. The run says in which step.

use std::ops::{Deref, Index, IndexMut};

use superstep_planner::exchange::Pages;

use crate::words::{Inside, Words};

/// Array of which a rank has words.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) name: &'static str,
    pub(super) pages: Pages,
}

/// Slots of the words of all arrays, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'p> {
    arrays: &'p [Held],
    rank: usize,
}

impl<'p> Slots<'p> {
    pub(super) fn new(arrays: &'p [Held], rank: usize) -> Self {
        Self { arrays, rank }
    }

    /// Returns an array that is only read.
    #[inline(always)]
    pub fn input<'v, T>(self, array: u16, words: &'v [T]) -> HeldInput<'v, T>
    where
        'p: 'v,
    {
        HeldInput {
            slots: self.of(array),
            words,
        }
    }

    /// Returns an array whose words are written, for the time of the borrow.
    #[inline(always)]
    pub fn words<'v, T>(self, array: u16, words: &'v mut Words<'_, T>) -> HeldWords<'v, T>
    where
        'p: 'v,
    {
        HeldWords {
            slots: self.of(array),
            words: words.reborrow(),
        }
    }

    /// Returns structure, which each rank has.
    #[inline(always)]
    pub fn structure<T>(self, structure: &[T]) -> HeldStructure<'_, T> {
        HeldStructure(structure)
    }

    fn of(self, array: u16) -> SlotsOf<'p> {
        SlotsOf {
            array: &self.arrays[usize::from(array)],
            rank: self.rank,
        }
    }
}

/// Slots of the words of an array.
#[derive(Clone, Copy, Debug)]
struct SlotsOf<'p> {
    array: &'p Held,
    rank: usize,
}

impl SlotsOf<'_> {
    /// Returns the slot of a word.
    #[inline(always)]
    fn of(self, word: usize) -> usize {
        match self.array.pages.slot(word) {
            Some(slot) => slot,
            None => self.missing(word),
        }
    }

    #[cold]
    #[inline(never)]
    fn missing(self, word: usize) -> ! {
        panic!(
            "rank {} does not have `{}[{word}]`",
            self.rank, self.array.name
        )
    }
}

impl<const N: usize> Inside<N> {
    /// Returns the flat index of a place.
    #[inline(always)]
    fn word(self) -> usize {
        let Self(block, place) = self;
        assert!(place < N, "word {place} is not in a block of {N}");
        block * N + place
    }
}

/// Structure that a rank has.
#[derive(Clone, Copy, Debug)]
pub struct HeldStructure<'v, T>(&'v [T]);

impl<'v, T> HeldStructure<'v, T> {
    /// Returns the array.
    #[inline(always)]
    pub fn tested(self) -> &'v [T] {
        self.0
    }
}

impl<T> Deref for HeldStructure<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.0
    }
}

/// Array that is only read, of which a rank has words.
#[derive(Clone, Copy, Debug)]
pub struct HeldInput<'v, T> {
    slots: SlotsOf<'v>,
    words: &'v [T],
}

impl<T> HeldInput<'_, T> {
    /// Returns a word of a nested array.
    #[inline(always)]
    pub fn inside<const N: usize>(&self, at: Inside<N>) -> &T {
        &self[at.word()]
    }
}

impl<T> Index<usize> for HeldInput<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        &self.words[self.slots.of(at)]
    }
}

/// Array that grains write, of which a rank has words.
#[derive(Debug)]
pub struct HeldWords<'v, T> {
    slots: SlotsOf<'v>,
    words: Words<'v, T>,
}

impl<T> Index<usize> for HeldWords<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        &self.words[self.slots.of(at)]
    }
}

impl<T> IndexMut<usize> for HeldWords<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.words[self.slots.of(at)]
    }
}

impl<T, const N: usize> Index<Inside<N>> for HeldWords<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: Inside<N>) -> &T {
        &self[at.word()]
    }
}

impl<T, const N: usize> IndexMut<Inside<N>> for HeldWords<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: Inside<N>) -> &mut T {
        &mut self[at.word()]
    }
}
