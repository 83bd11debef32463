//! Changes of a kernel or of its build, and what comes of them: other traces, options, requests.

mod again;
mod apart;
mod order;
mod reduce;
mod renumber;

use superstep_compiler::{Options, Passes, Request};
use superstep_machine::Memory;
use superstep_scheduler::Algorithm;
use superstep_tracer::Trace;

use self::again::{again, moved_words};
use self::apart::apart;
use self::order::{interchanged, sorted_rows};
use self::reduce::reduced;
pub(crate) use self::reduce::{MOST_BLOCKS, chain};
use self::renumber::{is_read_once, renumbered};
use crate::Subject;

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// So many processors.
    Processors(usize),
    /// All algorithms in place of the one that was named.
    AnyAlgorithm,
    /// The caller's arrays, or memories of processors' own.
    Memory(Memory),
    /// All passes.
    AllPasses,
    /// No marked grains.
    NoGrains,
    /// A tree in place of the chain of a loop that accumulates by this statement: `#[reduce]`.
    Reduce(u16),
    /// An array whose rows of so many words are kept as columns.
    Transpose {
        /// The array.
        array: u16,
        /// Words of a row.
        width: u32,
    },
    /// The words of an array in the order in which they are used first.
    Renumber(u16),
    /// Each value of an array in a word of its own.
    Apart(u16),
    /// The loops around this statement exchanged, so that the inner one goes along the words that
    /// it writes.
    Interchange(u16),
    /// Rows of this statement in the order of their lengths.
    SortRows(u16),
}

/// Result of a change; what it leaves alone is none.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// Another trace.
    pub trace: Option<Trace>,
    /// Other options.
    pub options: Option<Options>,
    /// Another program.
    pub request: Option<Request>,
}

impl Change {
    /// Applies the change; none if it changes nothing, or cannot be made.
    pub(crate) fn applied(&self, subject: &Subject<'_>) -> Option<Changed> {
        let Subject {
            trace,
            options,
            request,
            ..
        } = *subject;
        let mut changed = Changed::default();
        match *self {
            Self::Processors(processors) => {
                changed.request = Some(Request {
                    processors,
                    ..request
                });
            }
            Self::AnyAlgorithm => {
                changed.options = Some(Options {
                    algorithm: Algorithm::Auto,
                    ..options.clone()
                });
                changed.request = Some(Request {
                    algorithm: None,
                    ..request
                });
            }
            Self::Memory(memory) => changed.request = Some(Request { memory, ..request }),
            Self::AllPasses => {
                changed.options = Some(Options {
                    passes: Passes::ALL,
                    ..options.clone()
                });
            }
            _ => changed.trace = Some(self.traced(trace)?),
        }
        Some(changed)
    }

    /// Returns the trace with the change; none if that is no change of the trace.
    fn traced(&self, trace: &Trace) -> Option<Trace> {
        match *self {
            Self::NoGrains => again(trace, false, |_, index| index),
            Self::Transpose { array, width } => {
                let words = trace.extents()[usize::from(array)];
                let rows = words.div_ceil(width);
                let moved = |index: u32| index % width * rows + index / width;
                moved_words(trace, array, moved)
            }
            Self::Renumber(array) => renumbered(trace, array),
            Self::Apart(array) => apart(trace, array),
            Self::Interchange(statement) => interchanged(trace, statement),
            Self::SortRows(statement) => {
                let sorted = sorted_rows(trace, statement)?;
                // Values of the rows are stored as the rows are.
                let arrays = 0..trace.extents().len() as u16;
                let stored = arrays.filter(|&array| is_read_once(trace, array));
                Some(stored.fold(sorted, |trace, array| {
                    renumbered(&trace, array).unwrap_or(trace)
                }))
            }
            Self::Reduce(statement) => reduced(trace, statement),
            _ => None,
        }
    }
}
