//! Exchange: what crosses between the processors of a plan whose memories are private, and what
//! each of them holds.
//!
//! In shared memory waits keep every dependence between processors. Over private memories the same
//! order is right if words travel. A grain may read a version of a word that another processor has
//! written. Behind the step that writes it the word goes to the reader, which takes it in before
//! the first of its steps that reads it. Words of the same two steps are one message.
//!
//! # Why that is enough
//!
//! A *version* of a word is what one writer leaves until the next one of the sequential run. The
//! plan is [proved](crate::proof): writers and readers of a word are ordered as in the sequential
//! run, also against each other.
//!
//! * **One slot for each word.** Whoever reads a version does so before the next one is written,
//!   and so before anybody receives that. So a processor that takes a version in before it is first
//!   read overwrites none that it still reads, in whichever order its steps stand. A step that
//!   writes two versions sends the last: the first is read within that step alone.
//! * **No deadlock.** The step that reads comes after the one that writes in the order of waits, in
//!   which no step awaits itself. Sending holds nobody up. Messages from one processor to another
//!   arrive as they are sent, by the sender's steps and then by the receiver's. Before a step its
//!   messages are taken in, and those that were sent before them, which are kept until their step.
//! * **No other waits.** Anti- and output dependences between processors are of words that each has
//!   a copy of.
//!
//! An iteration tells its accesses in any order. So one that reads a word and writes it counts as
//! reading the version before. If it writes first, a word crosses, or is an input, that nobody
//! looks at.
//!
//! # Cost
//!
//! Two passes over all accesses. One goes forwards, with a random read for each word that is read,
//! and a walk along the other processors that read the same version. One goes by processor and
//! step. Memory: 8 bytes for each tracked word, and 12 for each word that crosses. For one
//! processor at a time, 16 for each 64 words of all arrays.

mod file;
mod forwards;
mod pages;
mod runs;

use std::ops::Range;

use superstep_order::{Order, Rows};

pub use self::file::{decode, decode_runs, encode_runs};
use self::forwards::{Crossing, NOBODY};
use self::pages::Uses;
pub use self::pages::{PAGE, Page, Pages};
pub use self::runs::Progression;
use crate::track::{Asked, Words};
use crate::{Plan, Proved, Track, TrackError};

/// Part of a plan that one processor runs in memory of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Ranges of iterations of each step: the first, and the one behind the last.
    pub iterations: Rows<[u32; 2]>,
    /// Words that it reads before anybody has written them, and those that are only read.
    pub inputs: Vec<Progression>,
    /// Words of which it writes the last version.
    pub results: Vec<Progression>,
    /// Messages that it sends behind their steps, in this order.
    pub sends: Messages,
    /// Messages that it receives before their steps. Those of one peer come in this order.
    pub receives: Messages,
    /// Places of the words of each array: of those that are tracked, then of
    /// [those that are only read](Track::track_inputs).
    pub pages: Vec<Pages>,
}

/// Messages of a processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages<R = Progression> {
    /// Ends of the messages.
    pub ends: Vec<End>,
    /// Words of each message.
    pub runs: Rows<R>,
}

/// End of a message, as its sender or its receiver sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The other processor.
    pub peer: u32,
    /// The own step, counted from 0: the message is sent behind it, or received before it.
    pub step: u32,
}

/// Parts of a proved plan, made one after the other.
pub struct Exchange<'p> {
    track: &'p dyn Track,
    plan: &'p Plan,
    words: Words,
    /// First step of each processor, and the number of all.
    bounds: Vec<u32>,
    /// Words that cross, by writer and reader.
    crossings: Vec<Crossing>,
    /// Last writer of each word.
    writers: Vec<u32>,
}

impl<'p> Exchange<'p> {
    /// Finds the words that cross. A plan in which nobody waits is dealt to so many processors;
    /// others are for no more than that.
    ///
    /// # Errors
    /// If there is no memory for a number beside each word, or an array has more than `u32::MAX`
    /// words.
    pub fn new(
        track: &'p dyn Track,
        proved: &'p Proved,
        processors: usize,
    ) -> Result<Self, TrackError> {
        let plan = proved.plan();
        let words = Words::new(track)?;
        let bounds = bounds(&plan.order, processors);
        let (crossings, writers) = forwards::crossings(track, plan, &words, &bounds)?;
        Ok(Self {
            track,
            plan,
            words,
            bounds,
            crossings,
            writers,
        })
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Makes the part of a processor.
    ///
    /// # Errors
    /// If the kernel has a fault.
    ///
    /// # Panics
    /// If there is no such processor.
    pub fn part(&self, processor: usize) -> Result<Part, TrackError> {
        let own = self.bounds[processor]..self.bounds[processor + 1];
        let mut part = Part {
            iterations: self.iterations(own.clone()),
            inputs: self.inputs(&own),
            results: self.results(&own),
            sends: self.messages(&own, |crossing| [crossing.from, crossing.to]),
            receives: self.messages(&own, |crossing| [crossing.to, crossing.from]),
            pages: Vec::new(),
        };
        let mut uses = Uses::new(self.track);
        let mut asked = Asked::new(self.track);
        for (step, ranges) in (0..).zip(part.iterations.iter()) {
            for &[first, end] in ranges {
                let told = asked
                    .tell(first..end, uses.of_step(step))
                    .and_then(|()| asked.tell_inputs(first..end, uses.of_inputs()));
                told.map_err(|fault| TrackError::Fault {
                    iteration: first,
                    fault,
                })?;
            }
        }
        part.pages = uses.place(&part.inputs, &part.results);
        for (array, pages) in (0..).zip(&part.pages).skip(self.track.lengths().len()) {
            let words = pages.words();
            let begun = part.inputs.len();
            words.for_each(|word| runs::append(&mut part.inputs, begun, array, word as u32));
        }
        Ok(part)
    }

    /// Returns the iterations of some steps, those that follow each other joined.
    fn iterations(&self, steps: Range<u32>) -> Rows<[u32; 2]> {
        let mut rows = Rows::with_capacity(steps.len(), steps.len());
        for step in steps {
            let joined = self.plan.joined_iterations_of(step).into_iter();
            rows.items.extend(joined.map(|it| [it.start, it.end]));
            rows.end_row();
        }
        rows
    }

    fn inputs(&self, own: &Range<u32>) -> Vec<Progression> {
        let behind = self.crossings.partition_point(|it| it.from != NOBODY);
        let read = self.crossings[behind..].iter();
        let read = read.filter(|crossing| own.contains(&crossing.to));
        // Each word once: they are of one writer, nobody.
        let mut entries: Vec<u32> = read.map(|crossing| crossing.entry).collect();
        entries.sort_unstable();
        let mut runs = Vec::new();
        self.append(entries.into_iter(), &mut runs);
        runs
    }

    fn results(&self, own: &Range<u32>) -> Vec<Progression> {
        let entries = (0..).zip(&self.writers);
        let entries = entries.filter(|(_, writer)| own.contains(writer));
        let mut runs = Vec::new();
        self.append(entries.map(|(entry, _)| entry), &mut runs);
        runs
    }

    /// Returns the messages of which a processor has the first of two steps.
    fn messages(&self, own: &Range<u32>, ends: impl Fn(&Crossing) -> [u32; 2]) -> Messages {
        let mut messages = Messages::default();
        let crossing = |it: &&Crossing| it.from != NOBODY && own.contains(&ends(it)[0]);
        let mut crossings = self.crossings.iter().filter(crossing).peekable();
        while let Some(&Crossing { from, to, entry }) = crossings.next() {
            let [step, other] = ends(&Crossing { from, to, entry });
            messages.ends.push(End {
                peer: self.bounds.partition_point(|&first| first <= other) as u32 - 1,
                step: step - own.start,
            });
            let others = std::iter::from_fn(|| {
                let is_of = |next: &&Crossing| (next.from, next.to) == (from, to);
                crossings.next_if(is_of).map(|crossing| crossing.entry)
            });
            self.append([entry].into_iter().chain(others), &mut messages.runs.items);
            messages.runs.end_row();
        }
        messages
    }

    /// Appends ascending words as new runs.
    fn append(&self, entries: impl Iterator<Item = u32>, runs: &mut Vec<Progression>) {
        let begun = runs.len();
        for entry in entries {
            let (array, word) = self.words.word(entry as usize);
            runs::append(runs, begun, array, word as u32);
        }
    }
}

/// Returns the first step of each processor: where nobody waits, parts are dealt in ranges.
fn bounds(order: &Order, processors: usize) -> Vec<u32> {
    let parts = order.processors();
    if !order.is_free() || parts <= processors {
        return order.processors.clone();
    }
    let first = |processor: usize| order.processors[processor * parts / processors];
    (0..=processors).map(first).collect()
}
