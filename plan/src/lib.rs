//! Table form of a program.
//!
//! A [`Plan`] says everything about a program but what its statements compute:
//!
//! * how much memory each processor needs, and which inputs are scattered to it;
//! * what it runs in each superstep, and what crosses at each boundary;
//! * which results are gathered.
//!
//! A *slot* is an index into one array of one processor's private memory, or into a shared
//! argument. The compiler fills plans; the runtime executes them; this crate knows neither. Its
//! modules:
//!
//! * [`Body`]: the statements that one iteration of an innermost loop executes.
//! * [`Code`]: nested loops over runs, and the walk through them.
//! * [`Run`]: one run of a body, by its count and its values.
//! * `encoding`: plans as bytes, [`Plan::encode`] and [`Plan::decode`].
//! * [`digest()`]: by which a generated file knows its tables again.
//! * [`synchronisation`]: who waits for whom, for which values.
//! * [`loops`]: how generated loops go through a run, as far as predictions need it.
//! * [`interpret`]: running a plan task by task, the oracle for generated code.
//!
//! ```
//! use superstep_plan::{Body, Code, Plan, Term};
//!
//! // for i in 0..3 { run body 0 `4 - i` times, from slot 10 * i in steps of 1 }
//! let code = Code {
//!     terms: vec![Term::Loop { terms: 1, width: 3 }, Term::Run { body: 0 }],
//!     values: vec![3, /* first */ 4, 0, 1, /* step */ -1, 10, 0],
//!     ..Code::default()
//! };
//! let bodies = [Body::own(vec![0], 1)];
//! let mut runs = Vec::new();
//! code.walk(&bodies, &mut |body, run| runs.push((run.count(), bodies[body].start(0, run), bodies[body].step(0, run))));
//! assert_eq!(runs, [(4, 0, 1), (3, 10, 1), (2, 20, 1)]);
//! ```
mod body;
mod code;
mod digest;
mod encoding;
mod error;
pub mod interpret;
pub mod loops;
mod run;
pub mod synchronisation;

use std::ops::Range;

pub use body::{Body, Component, Stride};
pub use code::{Code, Term};
pub use digest::digest;
pub use encoding::{Head, head};
pub use error::{DecodeError, PlanError};
pub use run::{Entry, Known, Run};

/// Program in tables.
///
/// Invariants, checked by [`Plan::decode`]:
///
/// * `lengths` has `processors * extents.len()` entries, `shared` has `extents.len()` or none,
///   `scatter` and `gather` have `processors`, `code` has `supersteps * processors`;
/// * messages are strictly ascending by (superstep, from, to), between different processors, none
///   after the last superstep;
/// * precedences are strictly ascending by (superstep, processor, peer), of different processors,
///   each of an earlier superstep;
/// * every term of `code` finds its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Number of processors, idle ones included.
    pub processors: u32,
    /// Prediction of a call by the build, in nanoseconds; 0 if it predicts nothing.
    pub predicted: u64,
    /// Number of supersteps.
    pub supersteps: u32,
    /// Words that the caller's argument must have at least, per array (0 for locals).
    pub extents: Vec<u32>,
    /// Flags, per array, if any is set: all processors use the caller's argument where it is. Then
    /// nothing is scattered, gathered or sent of it, and its slots are the argument's own indices.
    pub shared: Vec<bool>,
    /// Precedences though no message crosses: where arrays are shared. Ascending by (superstep,
    /// processor, peer).
    pub precedences: Vec<Precedence>,
    /// Words of each array in each processor's memory, `[processor * arrays + array]`.
    pub lengths: Vec<u32>,
    /// Inputs that each processor needs, from argument index to slot.
    pub scatter: Vec<Vec<Strided>>,
    /// Results that each processor returns, from slot to argument index. Each result is gathered
    /// from one processor.
    pub gather: Vec<Vec<Strided>>,
    /// The messages, ascending by (superstep, from, to). At most one for each triple.
    pub messages: Vec<Message>,
    /// The distinct loop bodies that runs execute.
    pub bodies: Vec<Body>,
    /// Code that each processor runs in each superstep: `[superstep * processors + processor]`.
    pub code: Vec<Code>,
}

impl Plan {
    /// Returns the words of each array in the memory of `processor`.
    pub fn lengths(&self, processor: usize) -> &[u32] {
        let arrays = self.extents.len();
        &self.lengths[processor * arrays..(processor + 1) * arrays]
    }

    /// Returns the code that `processor` runs in `superstep`.
    pub fn code(&self, superstep: usize, processor: usize) -> &Code {
        &self.code[superstep * self.processors as usize + processor]
    }

    /// Returns a hash by which a recording of a run tells whether it is of this plan. It is of all
    /// but the loops, which are printed in some programs.
    pub fn identity(&self) -> u64 {
        let tables = Self {
            code: vec![Code::default(); self.code.len()],
            bodies: Vec::new(),
            ..self.clone()
        };
        digest(b"tables", &tables.encode())
    }

    /// Returns the messages of `superstep`.
    pub fn messages(&self, superstep: usize) -> &[Message] {
        let before = |superstep| move |m: &Message| (m.superstep as usize) < superstep;
        let start = self.messages.partition_point(before(superstep));
        let end = self.messages.partition_point(before(superstep + 1));
        &self.messages[start..end]
    }
}

/// Strided copy: `count` words of one array, from `from, from + from_step, ...` to
/// `to, to + to_step, ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// Array.
    pub array: u16,
    /// Number of words.
    pub count: u32,
    /// First index at the source.
    pub from: u32,
    /// Step at the source.
    pub from_step: i32,
    /// First index at the destination.
    pub to: u32,
    /// Step at the destination.
    pub to_step: i32,
}

impl Strided {
    /// Returns those of the words of a range, which is not beyond their number.
    fn part(&self, words: Range<usize>) -> Self {
        let at = |start: u32, step: i32| {
            (i64::from(start) + words.start as i64 * i64::from(step)) as u32
        };
        Self {
            count: words.len() as u32,
            from: at(self.from, self.from_step),
            to: at(self.to, self.to_step),
            ..*self
        }
    }

    /// Iterates over the words, each as its (source, destination) index, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + use<> {
        let strided = *self;
        (0..strided.count as usize).map(move |x| {
            let from = i64::from(strided.from) + x as i64 * i64::from(strided.from_step);
            let to = i64::from(strided.to) + x as i64 * i64::from(strided.to_step);
            (from as usize, to as usize)
        })
    }
}

/// A processor may not begin a superstep before another, its peer, has ended an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Precedence {
    /// The superstep before which it waits.
    pub superstep: u32,
    /// Processor that waits.
    pub processor: u32,
    /// Processor for which it waits.
    pub peer: u32,
    /// The superstep that the peer must have ended.
    pub ended: u32,
}

impl Precedence {
    /// Makes a barrier: before `superstep` each of the processors waits for all others to end the
    /// superstep before.
    ///
    /// ```
    /// use superstep_plan::Precedence;
    ///
    /// let pairs: Vec<(u32, u32)> = Precedence::barrier(1, 3).map(|p| (p.processor, p.peer)).collect();
    /// assert_eq!(pairs, [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
    /// ```
    pub fn barrier(superstep: u32, processors: u32) -> impl Iterator<Item = Self> {
        let pairs = (0..processors)
            .flat_map(move |processor| (0..processors).map(move |peer| (processor, peer)));
        let others = pairs.filter(move |(processor, peer)| superstep > 0 && processor != peer);
        others.map(move |(processor, peer)| Self {
            superstep,
            processor,
            peer,
            ended: superstep - 1,
        })
    }
}

/// Message that crosses from one processor to another at the end of a superstep, as one packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The superstep after whose computation it is packed.
    pub superstep: u32,
    /// Sender.
    pub from: u32,
    /// Receiver; it waits for the message, and unpacks it, before the computation of the next
    /// superstep.
    pub to: u32,
    /// The words in order: sender's slots to receiver's slots.
    pub strided: Vec<Strided>,
}

impl Message {
    /// Counts the words.
    pub fn words(&self) -> u64 {
        self.strided.iter().map(|c| u64::from(c.count)).sum()
    }

    /// Takes a word out, the `word`-th in the order of the message, if there is one: the receiver
    /// keeps what it has in its place. So a test makes a wrong program out of a right one, to see
    /// whether its comparisons notice.
    ///
    /// ```
    /// use superstep_plan::{Message, Strided};
    ///
    /// let strided = vec![Strided { array: 0, count: 4, from: 7, from_step: -1, to: 0, to_step: 2 }];
    /// let mut message = Message { superstep: 0, from: 0, to: 1, strided };
    /// message.lose(1);
    /// message.lose(3);
    /// let words: Vec<_> = message.strided.iter().flat_map(Strided::words).collect();
    /// assert_eq!(words, [(7, 0), (5, 4), (4, 6)]);
    /// ```
    pub fn lose(&mut self, word: usize) {
        let mut before = word;
        for (place, strided) in self.strided.iter().enumerate() {
            let count = strided.count as usize;
            if before < count {
                let parts = [strided.part(0..before), strided.part(before + 1..count)];
                let parts = parts.into_iter().filter(|part| part.count > 0);
                self.strided.splice(place..=place, parts);
                return;
            }
            before -= count;
        }
    }
}
