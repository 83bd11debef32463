//! Scratch arrays: each processor has its own, and no iteration sees what another has left there.
//!
//! That holds if each iteration reads only words that it has written before. Tracking finds out, in
//! the order in which an iteration reads and writes; so no schedule changes what any of them reads.

use std::collections::HashMap;
use std::ops::Range;

use superstep_planner::{Accesses, Receiver};

/// Words that the table of an array may have for each word that is written, at most, of 4 bytes
/// each. [`FREE`] comes on top, and words beyond the table have an entry for themselves.
const SPREAD: usize = 8;
/// Words that the table of any array may have.
const FREE: usize = 1 << 16;
/// Words of a scratch array, at most: memories of runs count them in 32 bits.
const MOST_WORDS: usize = u32::MAX as usize;

/// Words of a scratch array.
#[derive(Clone, Default)]
pub(super) struct Scratch {
    /// Last iteration, from 1, that wrote each of the first words.
    writers: Vec<u32>,
    /// Last iteration that wrote each word behind them.
    far: HashMap<usize, u32>,
    /// Number of words that were written, and whether there was memory for them.
    written: usize,
    is_full: bool,
    /// Number of the iteration, from 1.
    iteration: u32,
    /// First iteration, from 0, that reads a word before it writes it, and that word.
    unwritten: Option<(u32, usize)>,
    /// Set if a word is written that another iteration has written.
    is_rewritten: bool,
    words: usize,
}

impl Scratch {
    /// Returns the first iteration that reads a word that it has not written, and the word.
    pub(super) fn unwritten(&self) -> Option<(u32, usize)> {
        self.unwritten
    }

    /// Returns whether iterations write words that others have written, and each reads its own
    /// alone.
    pub(super) fn is_made_anew(&self) -> bool {
        self.is_rewritten && self.unwritten.is_none() && !self.is_too_long()
    }

    /// Returns how many words are used.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Returns whether there are more words than there is memory or a number for.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_full || self.words > MOST_WORDS
    }

    /// Takes room in the table for words up to an end, if it is in proportion to those that were
    /// written.
    fn make_room(&mut self, end: usize) {
        let most = self.written.saturating_mul(SPREAD).saturating_add(FREE);
        if end <= self.writers.len() || end > most {
            return;
        }
        // The double, so that those that are far move seldom.
        let length = end.max(most.min(2 * self.writers.len()));
        if self
            .writers
            .try_reserve(length - self.writers.len())
            .is_err()
        {
            self.is_full = true;
            return;
        }
        self.writers.resize(length, 0);
        let writers = &mut self.writers;
        self.far.retain(|&word, iteration| {
            let near = writers.get_mut(word);
            near.map(|writer| *writer = *iteration).is_none()
        });
    }

    /// Returns the last iteration that wrote a word; 0 if none did.
    fn writer(&self, word: usize) -> u32 {
        let near = self.writers.get(word).copied();
        near.or_else(|| self.far.get(&word).copied()).unwrap_or(0)
    }

    fn read(&mut self, words: Range<usize>) {
        self.words = self.words.max(words.end);
        if self.unwritten.is_some() {
            return;
        }
        for word in words {
            if self.writer(word) != self.iteration {
                self.unwritten = Some((self.iteration - 1, word));
                return;
            }
        }
    }

    fn write(&mut self, words: Range<usize>) {
        self.words = self.words.max(words.end);
        self.written = self.written.saturating_add(words.len());
        self.make_room(words.end);
        if self.is_full || self.words > MOST_WORDS {
            return;
        }
        let near = self.writers.len();
        let in_table = words.start.min(near)..words.end.min(near);
        let in_table = self.writers[in_table].iter_mut();
        let iteration = self.iteration;
        let mut is_rewritten = false;
        let mut replace = |writer: &mut u32| {
            is_rewritten |= *writer != 0 && *writer != iteration;
            *writer = iteration;
        };
        in_table.for_each(&mut replace);
        for word in words.start.max(near)..words.end {
            replace(self.far.entry(word).or_default());
        }
        self.is_rewritten |= is_rewritten;
    }
}

/// Receiver of all accesses: tells those to shared arrays to one receiver, and those to scratch
/// arrays to others, if to any.
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
