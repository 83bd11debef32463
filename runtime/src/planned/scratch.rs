//! Scratch arrays: each processor has its own, and no iteration sees what another has left there.
//!
//! That holds if each iteration reads only words that it has written before. Tracking finds out, in
//! the order in which an iteration reads and writes; so no schedule changes what any of them reads.

use std::collections::TryReserveError;
use std::ops::Range;

use superstep_planner::{Accesses, Receiver};

/// The words of a scratch array.
#[derive(Clone, Default)]
pub(super) struct Scratch {
    /// For each word the last iteration that wrote it, from 1.
    writers: Vec<u32>,
    /// Number of the iteration, from 1.
    iteration: u32,
    /// The first iteration, from 0, that reads a word before it writes it, and that word.
    unwritten: Option<(u32, usize)>,
    /// A word is written that another iteration has written.
    is_rewritten: bool,
    words: usize,
}

impl Scratch {
    /// Returns the first iteration that reads a word that it has not written, and the word.
    pub(super) fn unwritten(&self) -> Option<(u32, usize)> {
        self.unwritten
    }

    /// Returns whether iterations write words that others have written, and each reads its own alone.
    pub(super) fn is_made_anew(&self) -> bool {
        self.is_rewritten && self.unwritten.is_none() && !self.is_too_long()
    }

    /// Returns how many words are used.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Returns whether there are more words than there is memory or a number for.
    pub(super) fn is_too_long(&self) -> bool {
        self.words > self.writers.len() || u32::try_from(self.words).is_err()
    }

    fn make_room(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.writers.try_reserve(more)?;
        self.writers.resize(self.writers.len() + more, 0);
        Ok(())
    }

    fn read(&mut self, words: Range<usize>) {
        self.words = self.words.max(words.end);
        if self.unwritten.is_some() {
            return;
        }
        for word in words {
            if self.writers.get(word) != Some(&self.iteration) {
                self.unwritten = Some((self.iteration - 1, word));
                return;
            }
        }
    }

    fn write(&mut self, words: Range<usize>) {
        self.words = self.words.max(words.end);
        let more = words.end.saturating_sub(self.writers.len());
        if more > 0 && self.make_room(more).is_err() {
            return;
        }
        for writer in &mut self.writers[words] {
            self.is_rewritten |= *writer != 0 && *writer != self.iteration;
            *writer = self.iteration;
        }
    }
}

/// Tells accesses to shared arrays to one receiver, and those to scratch arrays to others, if to any.
pub(super) struct Apart<'a, 'r> {
    shared: &'a mut Accesses<'r>,
    /// Number of the shared arrays.
    count: usize,
    scratch: &'a mut [Scratch],
}

impl<'a, 'r> Apart<'a, 'r> {
    pub(super) fn new(
        shared: &'a mut Accesses<'r>,
        count: usize,
        scratch: &'a mut [Scratch],
    ) -> Self {
        Self {
            shared,
            count,
            scratch,
        }
    }
}

impl Receiver for Apart<'_, '_> {
    #[inline]
    fn begin(&mut self) {
        self.shared.begin();
        for scratch in &mut *self.scratch {
            scratch.iteration += 1;
        }
    }

    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        match usize::from(array).checked_sub(self.count) {
            None => self.shared.read(array, words),
            Some(at) => {
                if let Some(scratch) = self.scratch.get_mut(at) {
                    scratch.read(words);
                }
            }
        }
    }

    #[inline]
    fn update(&mut self, array: u16, words: Range<usize>) {
        if usize::from(array) < self.count {
            self.shared.update(array, words);
        } else {
            self.read(array, words.clone());
            self.write(array, words);
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        match usize::from(array).checked_sub(self.count) {
            None => self.shared.write(array, words),
            Some(at) => {
                if let Some(scratch) = self.scratch.get_mut(at) {
                    scratch.write(words);
                }
            }
        }
    }
}
