//! The passes over all accesses: each word's last writer forwards, its next writer backwards.
//!
//! Grains are known here by their positions in the plan's list of all grains. Those of a processor
//! are an interval of it, in the order in which it runs them. So a position tells both who runs the
//! grain and what comes before it there.

use std::ops::Range;

use super::{Dependence, Facts, ProofError, position_of};
use crate::{
    Fault, Receiver, Track,
    track::{Asked, MOST_ITERATIONS, check_told},
};

/// No position: a word that nobody has used so far, or written in the pass backwards.
const NONE: u32 = u32::MAX;
/// A word that several grains have read before any has written it.
const MANY: u32 = u32::MAX - 1;
/// Marks the position of the one grain that has read a word, before any has written it.
const READER: u32 = 1 << 31;

impl Facts<'_> {
    /// Compares all accesses with the last writers before them. Returns true if that is all there
    /// is to compare, and the table, whose memory the pass backwards uses again.
    pub(super) fn forwards(&self, track: &dyn Track) -> Result<(Vec<u32>, bool), ProofError> {
        let mut last = Last {
            walk: Walk::new(self),
            table: self.words.table(track, NONE)?,
            is_done: true,
            begun: 0,
            grain: 0,
            end: 0,
        };
        let all = 0..track.iterations();
        let told = Asked::new(track).tell(all.clone(), &mut last);
        self.refuse(track, all, last.walk.refused.take(), told)?;
        check_told(track.iterations(), last.begun)?;
        Ok((last.table, last.is_done))
    }

    /// Compares all reads with the next writers after them.
    pub(super) fn backwards(
        &self,
        track: &dyn Track,
        mut table: Vec<u32>,
    ) -> Result<(), ProofError> {
        table.fill(NONE);
        let mut next = Next {
            walk: Walk::new(self),
            table,
        };
        let mut asked = Asked::new(track);
        for grain in (0..self.positions.len() as u32).rev() {
            next.walk.begin(grain);
            // Accesses of a grain are told forwards here too, which makes no difference. A grain
            // that writes a word comes before its next writer anyway, whenever it reads the word.
            let iterations = self.plan.iterations_of(grain);
            let told = asked.tell(iterations.clone(), &mut next);
            self.refuse(track, iterations, next.walk.refused.take(), told)?;
        }
        Ok(())
    }

    /// Returns the first reason to refuse a grain: the receiver's comes before the one with which
    /// tracking ended.
    #[inline]
    fn refuse(
        &self,
        track: &dyn Track,
        iterations: Range<u32>,
        kept: Option<Refused>,
        told: Result<(), Fault>,
    ) -> Result<(), ProofError> {
        let fault = match (kept, told) {
            (None, Ok(())) => return Ok(()),
            (Some(Refused::Unordered(error)), _) => return Err(*error),
            (Some(Refused::Fault(fault)), _) | (None, Err(fault)) => fault,
        };
        Err(self.words.locate(track, iterations, fault).into())
    }
}

/// Reason for which a grain ends the proof.
enum Refused {
    Fault(Fault),
    Unordered(Box<ProofError>),
}

/// The grain that a pass has come to.
struct Walk<'a> {
    facts: &'a Facts<'a>,
    position: u32,
    /// The first position of each processor that is not known to be past when the chunk begins.
    known: &'a [u32],
    /// The positions of the grain's processor.
    own: Range<u32>,
    /// The last position that was found to be in order with the grain, and needs no other look.
    compared: u32,
    refused: Option<Refused>,
}

impl<'a> Walk<'a> {
    fn new(facts: &'a Facts<'a>) -> Self {
        Self {
            facts,
            position: 0,
            known: &[],
            own: 0..0,
            compared: NONE,
            refused: None,
        }
    }

    #[inline]
    fn begin(&mut self, grain: u32) {
        let (chunk, position) = self.facts.positions[grain as usize];
        self.position = position;
        self.known = self.facts.known.row(chunk);
        if !self.own.contains(&position) {
            self.own = self.facts.of_processor(position);
        }
        self.compared = NONE;
    }

    #[inline(always)]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        match self.facts.words.entries(array, words) {
            Some(entries) => entries,
            None => self.keep(array, words),
        }
    }

    /// Keeps a fault, if it is the first, and returns no entries.
    #[cold]
    fn keep(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        let fault = self.facts.words.fault(array, words);
        self.refused.get_or_insert(Refused::Fault(fault));
        0..0
    }

    /// Returns whether a position is the grain's own, or an earlier one of its processor.
    ///
    /// One comparison, as each branch here is often mispredicted: which grain has used a word last
    /// follows no rule. Marks are above all positions: they are neither own nor earlier.
    #[inline]
    fn is_own_or_earlier(&self, position: u32) -> bool {
        position.wrapping_sub(self.own.start) <= self.position - self.own.start
    }

    /// Refuses the plan unless the grain at another position comes before this one.
    #[inline]
    fn compare_earlier(&mut self, dependence: Dependence, entry: usize, earlier: u32) {
        if earlier == self.compared {
            return;
        }
        let is_before = self.is_own_or_earlier(earlier) || self.facts.is_past(earlier, self.known);
        if is_before {
            self.compared = earlier;
        } else {
            self.refuse(dependence, entry, earlier, self.position);
        }
    }

    /// Refuses the plan unless the grain at another position comes after this one.
    #[inline]
    fn compare_later(&mut self, dependence: Dependence, entry: usize, later: u32) {
        if later == self.compared {
            return;
        }
        let is_before = (self.position..self.own.end).contains(&later) || {
            let grain = self.facts.plan.grains.items[later as usize];
            let chunk = self.facts.positions[grain as usize].0;
            self.facts
                .is_past(self.position, self.facts.known.row(chunk))
        };
        if is_before {
            self.compared = later;
        } else {
            self.refuse(dependence, entry, self.position, later);
        }
    }

    #[cold]
    fn refuse(&mut self, dependence: Dependence, entry: usize, first: u32, second: u32) {
        let (array, word) = self.facts.words.word(entry);
        let error = ProofError::Unordered {
            dependence,
            array,
            word,
            first: position_of(self.facts.plan, first),
            second: position_of(self.facts.plan, second),
        };
        self.refused
            .get_or_insert(Refused::Unordered(Box::new(error)));
    }
}

impl Facts<'_> {
    /// Returns the positions of the processor that has one of them.
    fn of_processor(&self, position: u32) -> Range<u32> {
        let end = self.firsts.partition_point(|&first| first <= position);
        self.firsts[end - 1]..self.firsts[end]
    }

    /// Returns whether a position is past, where each processor is known to have come so far.
    #[inline]
    fn is_past(&self, position: u32, known: &[u32]) -> bool {
        // Processors without grains begin where the next one does: the last of them has the
        // position.
        let processor = self.firsts.partition_point(|&first| first <= position) - 1;
        position < known[processor]
    }
}

/// The pass forwards.
struct Last<'a> {
    walk: Walk<'a>,
    /// Position of each word's last writer; before there is one, of the only grain that has read
    /// it, marked.
    table: Vec<u32>,
    /// Set while the pass backwards would find nothing: no word was written by several grains, or
    /// after several had read it.
    is_done: bool,
    /// Number of iterations that have begun, until one is refused.
    begun: u32,
    /// The next grain, and its first iteration.
    grain: u32,
    end: u32,
}

impl Receiver for Last<'_> {
    #[inline]
    fn begin(&mut self) {
        if self.walk.refused.is_some() {
            return;
        }
        if self.begun == self.end && (self.grain as usize) < self.walk.facts.positions.len() {
            self.walk.begin(self.grain);
            self.grain += 1;
            self.end = self.walk.facts.plan.boundaries[self.grain as usize];
        }
        self.begun = self.begun.saturating_add(1);
    }

    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let own = self.walk.position;
        for entry in self.walk.entries(array, &words) {
            let before = self.table[entry];
            if self.walk.is_own_or_earlier(before) {
                continue;
            }
            if before <= MOST_ITERATIONS {
                self.walk.compare_earlier(Dependence::Flow, entry, before);
            } else if before == NONE {
                self.table[entry] = own | READER;
            } else if before != own | READER {
                self.table[entry] = MANY;
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        self.replace(array, &words, Dependence::Output);
    }

    #[inline]
    fn update(&mut self, array: u16, words: Range<usize>) {
        self.replace(array, &words, Dependence::Flow);
    }
}

impl Last<'_> {
    /// Makes the grain the last writer of words. `dependence`: on the one before.
    #[inline(always)]
    fn replace(&mut self, array: u16, words: &Range<usize>, dependence: Dependence) {
        let own = self.walk.position;
        for entry in self.walk.entries(array, words) {
            let before = std::mem::replace(&mut self.table[entry], own);
            if before != own && before != NONE && before != own | READER {
                self.compare(dependence, entry, before);
            }
        }
    }

    /// Compares the grain with one that has used a word before it.
    #[inline(never)]
    fn compare(&mut self, dependence: Dependence, entry: usize, before: u32) {
        if before == MANY {
            self.is_done = false;
        } else if before <= MOST_ITERATIONS {
            // Readers between the two writers are not known here.
            self.is_done = false;
            self.walk.compare_earlier(dependence, entry, before);
        } else {
            let before = before & !READER;
            self.walk.compare_earlier(Dependence::Anti, entry, before);
        }
    }
}

/// The pass backwards.
struct Next<'a> {
    walk: Walk<'a>,
    /// Position of each word's next writer.
    table: Vec<u32>,
}

impl Receiver for Next<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        for entry in self.walk.entries(array, &words) {
            let later = self.table[entry];
            // A grain that writes the word itself comes before the next writer as its last writer.
            if later != NONE && later != self.walk.position {
                self.walk.compare_later(Dependence::Anti, entry, later);
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.walk.entries(array, &words);
        self.table[entries].fill(self.walk.position);
    }

    /// Counts as a write alone. The next writer comes after that, which was compared forwards, and
    /// so after the read.
    #[inline]
    fn update(&mut self, array: u16, words: Range<usize>) {
        self.write(array, words);
    }
}
