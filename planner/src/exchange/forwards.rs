//! The pass forwards: which words cross, from the step that writes a version to the first steps
//! of others that read it.

use std::mem;
use std::ops::Range;

use crate::track::{Asked, Words};
use crate::{Plan, Receiver, Track, TrackError};

/// Step of no processor: the writer of words that nobody has written.
pub(super) const NOBODY: u32 = u32::MAX;
/// No reader.
const NONE: u32 = u32::MAX;

/// Word that crosses from a step to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossing {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) entry: u32,
}

/// Finds the words that cross, in their order, and the last writers of all words.
pub(super) fn crossings(
    track: &dyn Track,
    plan: &Plan,
    words: &Words,
    bounds: &[u32],
) -> Result<(Vec<Crossing>, Vec<u32>), TrackError> {
    let is_long = |&length: &usize| u32::try_from(length).is_err();
    if u32::try_from(words.total()).is_err() || track.lengths().iter().any(is_long) {
        let lengths = track.lengths().to_vec();
        return Err(TrackError::Memory { lengths });
    }
    let mut pass = Forwards {
        plan,
        words,
        bounds,
        steps: plan.chunks_of_grains(),
        writers: words.table(track, NOBODY)?,
        readers: words.table(track, NONE)?,
        lists: Vec::new(),
        free: NONE,
        written: Vec::new(),
        crossings: Vec::new(),
        begun: 0,
        grain: 0,
        end: 0,
        step: 0,
        own: 0..0,
    };
    let all = 0..track.iterations();
    let told = Asked::new(track).tell(all.clone(), &mut pass);
    told.map_err(|fault| words.locate(track, all, fault))?;
    pass.end_iteration();
    for entry in 0..pass.readers.len() {
        pass.end_version(entry);
    }
    pass.crossings.sort_unstable();
    Ok((pass.crossings, pass.writers))
}

/// Reader of a version on one processor: its first step that reads it, and the next reader.
#[derive(Clone, Copy)]
struct Reader {
    step: u32,
    next: u32,
}

struct Forwards<'a> {
    plan: &'a Plan,
    words: &'a Words,
    bounds: &'a [u32],
    /// Step of each grain.
    steps: Vec<u32>,
    /// Step that has written each word last.
    writers: Vec<u32>,
    /// First of the other processors that have read the version of each word.
    readers: Vec<u32>,
    lists: Vec<Reader>,
    /// First of the lists' items that are free.
    free: u32,
    /// Words that the iteration writes.
    written: Vec<(u16, Range<usize>)>,
    crossings: Vec<Crossing>,
    /// Number of iterations that have begun.
    begun: u32,
    /// The next grain, and the end of the one at hand.
    grain: usize,
    end: u32,
    /// Step of the grain, and the steps of its processor.
    step: u32,
    own: Range<u32>,
}

impl Forwards<'_> {
    /// Notes that a word is read that another processor has written, or nobody.
    fn note(&mut self, entry: usize) {
        let mut at = self.readers[entry];
        while at != NONE {
            let reader = &mut self.lists[at as usize];
            if self.own.contains(&reader.step) {
                reader.step = reader.step.min(self.step);
                return;
            }
            at = reader.next;
        }
        let reader = Reader {
            step: self.step,
            next: self.readers[entry],
        };
        if self.free == NONE {
            self.readers[entry] = self.lists.len() as u32;
            self.lists.push(reader);
        } else {
            let at = self.free as usize;
            self.free = mem::replace(&mut self.lists[at], reader).next;
            self.readers[entry] = at as u32;
        }
    }

    /// Ends the version of a word: whoever has read it receives it.
    fn end_version(&mut self, entry: usize) {
        let mut at = mem::replace(&mut self.readers[entry], NONE);
        while at != NONE {
            let reader = &mut self.lists[at as usize];
            self.crossings.push(Crossing {
                from: self.writers[entry],
                to: reader.step,
                entry: entry as u32,
            });
            let next = mem::replace(&mut reader.next, self.free);
            self.free = mem::replace(&mut at, next);
        }
    }

    /// Writes the words of the iteration: it has read those before.
    fn end_iteration(&mut self) {
        let mut written = mem::take(&mut self.written);
        for (array, words) in written.drain(..) {
            for entry in self.words.entries(array, &words).unwrap_or_default() {
                if self.readers[entry] != NONE {
                    self.end_version(entry);
                }
                self.writers[entry] = self.step;
            }
        }
        self.written = written;
    }
}

impl Receiver for Forwards<'_> {
    fn begin(&mut self) {
        self.end_iteration();
        if self.begun == self.end && self.grain < self.steps.len() {
            self.step = self.steps[self.grain];
            self.grain += 1;
            self.end = self.plan.boundaries[self.grain];
            if !self.own.contains(&self.step) {
                let behind = self.bounds.partition_point(|&first| first <= self.step);
                self.own = self.bounds[behind - 1]..self.bounds[behind];
            }
        }
        self.begun = self.begun.saturating_add(1);
    }

    fn read(&mut self, array: u16, words: Range<usize>) {
        for entry in self.words.entries(array, &words).unwrap_or_default() {
            if !self.own.contains(&self.writers[entry]) {
                self.note(entry);
            }
        }
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.written.push((array, words));
    }
}
