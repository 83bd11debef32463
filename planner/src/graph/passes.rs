//! The passes over all accesses: each word's last writer forwards, its next writer backwards.

use std::ops::Range;

use super::grains::Grains;
use crate::{
    Costs, Fault, Receiver, TrackError,
    track::{MOST_ITERATIONS, Words, check_told},
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
    /// Set if it needs the open grain.
    pub(super) needs_open: bool,
    /// Words that it reads and that no grain has written.
    inputs: Vec<usize>,
    writes: Vec<Range<usize>>,
    /// Number of uses of words.
    used: u64,
}

impl Iteration {
    fn clear(&mut self) {
        self.needs.clear();
        self.needs_open = false;
        self.inputs.clear();
        self.writes.clear();
        self.used = 0;
    }
}

/// The pass forwards: the last writer of each word.
pub(super) struct Writers<'a> {
    words: &'a Words,
    /// Last writer of each word; before there is one, its reader, with the mark [`READ`].
    table: Vec<u32>,
    grains: Grains,
    /// The open grain.
    grain: u32,
    own: Iteration,
    /// Number of iterations that have begun.
    begun: u32,
    /// Work of an iteration beside its accesses, and the least of a grain.
    work: [u64; 2],
    /// Set if a writer must wait for readers whom this pass does not know.
    backwards: bool,
    fault: Option<Fault>,
    error: Option<TrackError>,
}

impl<'a> Writers<'a> {
    pub(super) fn new(table: Vec<u32>, words: &'a Words, costs: &Costs) -> Self {
        Self {
            words,
            table,
            grains: Grains::default(),
            grain: 0,
            own: Iteration::default(),
            begun: 0,
            work: [costs.iteration, costs.least_work()].map(u64::from),
            backwards: false,
            fault: None,
            error: None,
        }
    }

    /// Returns all grains, the table, and whether a pass backwards must follow.
    pub(super) fn finish(
        mut self,
        iterations: u32,
        told: Result<(), Fault>,
    ) -> Result<(Grains, Vec<u32>, bool), TrackError> {
        if self.begun > 0 {
            self.fault = self.fault.or(told.err());
            self.end();
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        check_told(iterations, self.begun)?;
        if self.begun > 0 {
            self.grains.close(self.begun)?;
        }
        for home in &mut self.grains.homes {
            *home = self.words.place(*home as usize);
        }
        Ok((self.grains, self.table, self.backwards))
    }

    /// Enters the iteration that has been tracked, if there was no fault.
    #[inline]
    fn end(&mut self) {
        let iteration = self.begun - 1;
        if let Some(fault) = self.fault.take() {
            let error = TrackError::Fault { iteration, fault };
            self.error.get_or_insert(error);
        }
        if self.error.is_some() {
            return;
        }
        let [each, least] = self.work;
        let work = self.own.used + each;
        if iteration > 0 && !self.grains.can_join(&self.own, work, least) {
            self.error = self.grains.close(iteration).err();
            self.open_next();
        }
        self.grains.is_chained |= self.own.needs_open;
        self.commit();
        self.grains.work += work;
    }

    #[inline(always)]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        let entries = self.words.entries_or(array, words, &mut self.fault);
        self.own.used += entries.len() as u64;
        self.grains.accesses += entries.len() as u64;
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
    fn open_next(&mut self) {
        if self.own.needs_open {
            self.own.needs.push(self.grain);
            self.own.needs_open = false;
        }
        self.grain += 1;
    }

    /// Enters the accesses of an iteration as those of the open grain.
    #[inline]
    fn commit(&mut self) {
        let grain = self.grain;
        let grains = &mut self.grains;
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
            let last = u32::try_from(writes.end).unwrap_or(u32::MAX);
            grains.home = last.max(grains.home);
            for entry in &mut self.table[writes.clone()] {
                let before = std::mem::replace(entry, grain);
                if before == grain || before == NONE || before == grain | READ {
                    continue;
                }
                if before == MANY {
                    self.backwards = true;
                } else if before & READ == 0 {
                    self.backwards = true;
                    grains.is_rewriting = true;
                    grains.find(grain, before);
                } else {
                    grains.find(grain, before & !READ);
                }
            }
        }
    }
}

impl Receiver for Writers<'_> {
    #[inline]
    fn begin(&mut self) {
        if self.begun > 0 {
            self.end();
            self.own.clear();
        }
        self.begun = self.begun.saturating_add(1);
    }

    #[inline]
    fn repeat(&mut self, times: u64) {
        self.own.used += times;
    }

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

    /// Makes no input of a word that nobody has written: who reads it then writes it, too.
    #[inline]
    fn update(&mut self, array: u16, words: Range<usize>) {
        let entries = self.entries(array, &words);
        self.own.used += entries.len() as u64;
        for &entry in &self.table[entries.clone()] {
            if entry <= MOST_ITERATIONS {
                Self::need(&mut self.own, self.grain, entry);
            }
        }
        if self.own.writes.last() != Some(&entries) {
            self.own.writes.push(entries);
        }
    }
}

/// The pass backwards: the next writer of each word.
pub(super) struct Overwriters<'a> {
    pub(super) words: &'a Words,
    pub(super) table: Vec<u32>,
    pub(super) grain: u32,
    /// Last grain for which each later grain was noted.
    pub(super) seen: Vec<u32>,
    /// Writer and reader.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) fault: Option<Fault>,
}

impl Receiver for Overwriters<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let entries = self.words.entries_or(array, &words, &mut self.fault);
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
        let entries = self.words.entries_or(array, &words, &mut self.fault);
        self.table[entries].fill(self.grain);
    }

    /// Counts as a write: whoever writes next waits for the grain as the last writer.
    #[inline]
    fn update(&mut self, array: u16, words: Range<usize>) {
        self.write(array, words);
    }
}
