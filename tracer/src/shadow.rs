//! Shadow memory: for every word of the kernel's memory, who wrote it last.

use crate::error::Failure;
use crate::trace::INPUT;
use crate::{Array, Trace};

/// Largest index of a word: one bit of an operand tells inputs from tasks.
const MOST: usize = (INPUT - 1) as usize;

/// Per array and word the last writer. A word that nobody wrote holds `INPUT | index`, so that reading is one load.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    words: Vec<Vec<u32>>,
    /// Per array: whether its length is known, so that a larger index is an error.
    fixed: Vec<bool>,
}

impl Shadow {
    pub(crate) fn new(arrays: &[Array]) -> Self {
        let untouched = |a: &Array| (0..a.length.unwrap_or(0)).map(|i| INPUT | i).collect();
        Self {
            words: arrays.iter().map(untouched).collect(),
            fixed: arrays.iter().map(|a| a.length.is_some()).collect(),
        }
    }

    /// What an operand that reads this word is: its writer, or `INPUT | index`.
    #[inline(always)]
    pub(crate) fn read(&mut self, array: u16, index: usize) -> u32 {
        match self.words[usize::from(array)].get(index) {
            Some(&writer) => writer,
            None => self.grow(array, index),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, array: u16, index: usize, task: u32) {
        match self.words[usize::from(array)].get_mut(index) {
            Some(word) => *word = task,
            None => {
                self.grow(array, index);
                self.words[usize::from(array)][index] = task;
            }
        }
    }

    /// Makes the array long enough for `index` and returns what stands there; fails the trace when it may not be that long.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, array: u16, index: usize) -> u32 {
        let words = &mut self.words[usize::from(array)];
        if self.fixed[usize::from(array)] {
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
        self.words[usize::from(array)] = (0..length as u32).map(|i| INPUT | i).collect();
        self.fixed[usize::from(array)] = true;
    }

    /// Hands extents and last writers to the trace.
    pub(crate) fn finish(self, trace: &mut Trace) {
        trace.extents = self.words.iter().map(|w| w.len() as u32).collect();
        trace.last = self.words;
        for (array, words) in trace.kernel.arrays.iter().zip(&mut trace.last) {
            if !crate::trace::has_results(array.role) {
                *words = Vec::new();
            }
        }
    }
}
