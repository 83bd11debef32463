//! Shadow memory: for every word of the kernel's memory, who wrote it last.

use crate::error::Failure;
use crate::recorder::reserve;
use crate::trace::INPUT;
use crate::{Array, Trace};

/// Largest index of a word: one bit of an operand tells inputs from tasks.
const MOST: usize = (INPUT - 1) as usize;

/// Arrays that stand in the struct itself.
const NEAR: usize = 8;

/// Last writers, per array and word. A word that nobody wrote holds `INPUT | index`, so that
/// reading is one load.
///
/// The first arrays stand in the struct itself: a trace function names arrays by constants, so that
/// finding one takes no load and no check.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    near: [Vec<u32>; NEAR],
    far: Vec<Vec<u32>>,
    /// Flags, per array: set if its length is known, so that a larger index is an error.
    fixed: Vec<bool>,
}

impl Shadow {
    pub(crate) fn new(arrays: &[Array]) -> Self {
        let untouched =
            |a: &Array| -> Vec<u32> { (0..a.length.unwrap_or(0)).map(|i| INPUT | i).collect() };
        let mut words = arrays.iter().map(untouched);
        Self {
            near: std::array::from_fn(|_| words.next().unwrap_or_default()),
            far: words.collect(),
            fixed: arrays.iter().map(|a| a.length.is_some()).collect(),
        }
    }

    #[inline(always)]
    fn words(&self, array: u16) -> &Vec<u32> {
        let array = usize::from(array);
        if array < NEAR {
            &self.near[array]
        } else {
            &self.far[array - NEAR]
        }
    }

    #[inline(always)]
    fn words_mut(&mut self, array: u16) -> &mut Vec<u32> {
        let array = usize::from(array);
        if array < NEAR {
            &mut self.near[array]
        } else {
            &mut self.far[array - NEAR]
        }
    }

    /// Returns the operand that reads this word: its writer, or `INPUT | index`.
    #[inline(always)]
    pub(crate) fn read(&mut self, array: u16, index: usize) -> u32 {
        match self.words(array).get(index) {
            Some(&writer) => writer,
            None => self.grow(array, index),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, array: u16, index: usize, task: u32) {
        match self.words_mut(array).get_mut(index) {
            Some(word) => *word = task,
            None => {
                self.grow(array, index);
                self.words_mut(array)[index] = task;
            }
        }
    }

    /// Makes the array long enough for `index` and returns what stands there; fails the trace when
    /// it may not be that long.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, array: u16, index: usize) -> u32 {
        let fixed = self.fixed[usize::from(array)];
        let words = self.words_mut(array);
        if fixed {
            Failure::Index {
                array,
                index,
                length: words.len(),
            }
            .raise();
        }
        if index > MOST {
            Failure::Extent { array, index }.raise();
        }
        reserve(words, index + 1 - words.len());
        words.extend((words.len()..=index).map(|i| INPUT | i as u32));
        INPUT | index as u32
    }

    /// Gives a slice the length that the caller said.
    pub(crate) fn fix(&mut self, array: u16, length: usize) {
        if length > MOST {
            Failure::Extent {
                array,
                index: length - 1,
            }
            .raise();
        }
        let mut words = Vec::new();
        reserve(&mut words, length);
        words.extend((0..length as u32).map(|i| INPUT | i));
        *self.words_mut(array) = words;
        self.fixed[usize::from(array)] = true;
    }

    /// Hands extents and last writers to the trace.
    pub(crate) fn finish(self, trace: &mut Trace) {
        let arrays = trace.kernel.arrays.len();
        trace.last = self.near.into_iter().chain(self.far).take(arrays).collect();
        trace.extents = trace.last.iter().map(|w| w.len() as u32).collect();
        for (array, words) in trace.kernel.arrays.iter().zip(&mut trace.last) {
            if !crate::trace::has_results(array.role) {
                *words = Vec::new();
            }
            words.shrink_to_fit();
        }
    }
}
