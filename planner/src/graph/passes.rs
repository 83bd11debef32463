//! The passes over all accesses: each word's last writer forwards, its next writer backwards.

use std::ops::Range;

use super::grains::Grains;
use crate::{
    Accesses, Fault,
    track::{MOST_ITERATIONS, Words},
};

/// No grain: a word that nobody has used so far.
pub(super) const NONE: u32 = u32::MAX;
/// Marks the id of a grain that has read a word which no grain had written.
pub(super) const READ: u32 = 1 << 31;
/// A word without a writer that several grains have read.
const MANY: u32 = NONE - 1;
/// Accesses of one iteration, of which it is not known yet to which grain it belongs.
#[derive(Default)]
pub(super) struct Iteration {
    /// Closed grains that it needs; they may repeat.
    pub(super) needs: Vec<u32>,
    /// It needs the open grain.
    pub(super) needs_open: bool,
    /// Words that it reads and that no grain has written.
    inputs: Vec<usize>,
    writes: Vec<Range<usize>>,
    /// How many words it uses.
    pub(super) used: u64,
}

impl Iteration {
    pub(super) fn clear(&mut self) {
        self.needs.clear();
        self.needs_open = false;
        self.inputs.clear();
        self.writes.clear();
        self.used = 0;
    }
}

/// The pass forwards: the last writer of each word.
pub(super) struct Writers<'a> {
    pub(super) words: &'a Words,
    /// For each word its last writer; before there is one, its reader, with the mark [`READ`].
    pub(super) table: Vec<u32>,
    /// The open grain.
    pub(super) grain: u32,
    pub(super) own: Iteration,
    /// A writer must wait for readers whom this pass does not know.
    pub(super) backwards: bool,
    pub(super) fault: Option<Fault>,
}

impl Writers<'_> {
    #[inline]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        let Some(entries) = self.words.entries(array, words) else {
            return keep(&mut self.fault, self.words.fault(array, words));
        };
        self.own.used += entries.len() as u64;
        entries
    }

    #[inline]
    fn need(own: &mut Iteration, open: u32, grain: u32) {
        if grain == open {
            own.needs_open = true;
        } else if own.needs.last() != Some(&grain) {
            own.needs.push(grain);
        }
    }

    /// Begins the next grain with the iteration that has been tracked.
    pub(super) fn open_next(&mut self) {
        if self.own.needs_open {
            self.own.needs.push(self.grain);
            self.own.needs_open = false;
        }
        self.grain += 1;
    }

    /// Enters the accesses of an iteration as those of the open grain.
    #[inline]
    pub(super) fn commit(&mut self, grains: &mut Grains) {
        let grain = self.grain;
        for &need in &self.own.needs {
            grains.find(grain, need);
        }
        for &input in &self.own.inputs {
            let entry = &mut self.table[input];
            if *entry == NONE {
                *entry = grain | READ;
            } else if *entry > MOST_ITERATIONS && *entry != grain | READ {
                *entry = MANY;
            }
        }
        for writes in &self.own.writes {
            for entry in &mut self.table[writes.clone()] {
                let before = std::mem::replace(entry, grain);
                if before == grain || before == NONE || before == grain | READ {
                    continue;
                }
                if before == MANY {
                    self.backwards = true;
                } else if before & READ == 0 {
                    self.backwards = true;
                    grains.find(grain, before);
                } else {
                    grains.find(grain, before & !READ);
                }
            }
        }
    }
}

impl Accesses for Writers<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        for index in self.entries(array, &words) {
            let entry = self.table[index];
            if entry <= MOST_ITERATIONS {
                Self::need(&mut self.own, self.grain, entry);
            } else {
                self.own.inputs.push(index);
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.entries(array, &words);
        if self.own.writes.last() != Some(&entries) {
            self.own.writes.push(entries);
        }
    }
}

/// Keeps a fault, if it is the first, and uses no words.
#[cold]
fn keep(first: &mut Option<Fault>, fault: Fault) -> Range<usize> {
    first.get_or_insert(fault);
    0..0
}

/// The pass backwards: the next writer of each word.
pub(super) struct Overwriters<'a> {
    pub(super) words: &'a Words,
    pub(super) table: Vec<u32>,
    pub(super) grain: u32,
    /// For each later grain the last one for which it was noted.
    pub(super) seen: Vec<u32>,
    /// Writer and reader.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) fault: Option<Fault>,
}

impl Accesses for Overwriters<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let Some(entries) = self.words.entries(array, &words) else {
            keep(&mut self.fault, self.words.fault(array, &words));
            return;
        };
        // Where the next writer is the grain itself, whoever writes after it waits for it as the
        // last writer.
        for &writer in &self.table[entries] {
            if writer != NONE && writer != self.grain {
                let seen = &mut self.seen[writer as usize];
                if *seen != self.grain {
                    *seen = self.grain;
                    self.pairs.push((writer, self.grain));
                }
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let Some(entries) = self.words.entries(array, &words) else {
            keep(&mut self.fault, self.words.fault(array, &words));
            return;
        };
        self.table[entries].fill(self.grain);
    }
}
