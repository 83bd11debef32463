//! Errors of traced runs: reasons, each with its location in the source and its iteration.
//!
//! A trace function that cannot go on unwinds with a `Failure`, as it may be deep in control.
//! `stopped` makes a [`TraceError`] of that, or of a panic of the kernel's own control.

use std::fmt;
use std::path::Path;

use crate::Recorder;
use crate::panics::Caught;

/// Reason why a run could not be traced. Every message starts with where and when: kernel, file,
/// line, statement and iteration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// An index outside an array whose length is known (fixed and local arrays, slices whose
    /// `len()` is control).
    #[error("{location}: index {index} is out of range for `{array}` of length {length}")]
    Index {
        /// Location at which it happened.
        location: Box<Location>,
        /// Name of the array.
        array: String,
        /// The index, of the dimension in question where arrays are nested.
        index: usize,
        /// Number of elements of that dimension.
        length: usize,
    },
    /// An index that no array of a trace can have.
    #[error(
        "{location}: index {index} of `{array}` is beyond 2^31 - 1, the largest that can be traced"
    )]
    Extent {
        /// Location at which it happened.
        location: Box<Location>,
        /// Name of the array.
        array: String,
        /// The index.
        index: usize,
    },
    /// Arithmetic on sizes and indices that has no result in its type, or a part of an array that
    /// is not within it. The sequential kernel panics there or goes wrong silently.
    #[error("{location}: {operation}")]
    Overflow {
        /// Location at which it happened.
        location: Box<Location>,
        /// The operation with its values, and what is wrong: ``3 - 5 overflows `usize` ``.
        operation: String,
    },
    /// More tasks than allowed.
    #[error("{location}: more than {limit} tasks")]
    Limit {
        /// Location at which it happened.
        location: Box<Location>,
        /// The limit that was in force.
        limit: u64,
    },
    /// No memory for more tasks: the allocator refused it.
    #[error("{location}: no memory for more than {tasks} tasks")]
    Memory {
        /// Location at which it happened.
        location: Box<Location>,
        /// Tasks recorded by then.
        tasks: u64,
    },
    /// More than 2^32 - 1 operands or control values, more than a trace can hold.
    #[error("{location}: more than 2^32 - 1 operands; trace a smaller size")]
    Full {
        /// Location at which it happened.
        location: Box<Location>,
    },
    /// The kernel can give up, which no program can that is generated when the project is built.
    #[error(
        "{location}: this kernel can give up, as its `#[guard]` says, and no program is generated for it: plan it when the program runs, \
         with `plan` in place of `instance`"
    )]
    CanGiveUp {
        /// Location of the kernel.
        location: Box<Location>,
    },
    /// The control part of the kernel panicked.
    #[error("{location}: panicked{}: {message}", elsewhere(location, at.as_ref()))]
    Panic {
        /// Location at which it happened.
        location: Box<Location>,
        /// File and line of the panic, where known.
        at: Option<(String, u32)>,
        /// Message of the panic.
        message: String,
    },
    /// A task was given another number of operands than its statement has: the trace function does
    /// not fit the statement table.
    #[error("{location}: {given} operands given, {expected} in the statement table")]
    Operands {
        /// Location at which it happened.
        location: Box<Location>,
        /// Number of operands that were given.
        given: usize,
        /// Number of operands that the statement has.
        expected: usize,
    },
    /// The tasks together were given another number of control values than their statements have:
    /// the trace function does not fit the statement table.
    #[error("{location}: {given} control values given, {expected} by the statement table")]
    Control {
        /// Location of the kernel.
        location: Box<Location>,
        /// Number of control values that were given.
        given: usize,
        /// Number of control values that the statements have.
        expected: usize,
    },
}

/// Location in the source, and iteration of the run, in which something went wrong.
///
/// ``src/kernels.rs:12, kernel `lu`, in `a[i] = b`, at k = 3, i = 17``.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Name of the kernel.
    pub kernel: String,
    /// Source file.
    pub file: String,
    /// Line: of the statement, else of the expression, else of the kernel.
    pub line: u32,
    /// Text of the statement, where it happened in one.
    pub statement: Option<String>,
    /// Loop variables and their values, outermost first.
    pub iteration: Vec<(String, i64)>,
}

impl Location {
    /// Points at a line of the kernel's file, where no statement is known that gives a line.
    fn narrow(&mut self, file: &str, line: u32) {
        if self.statement.is_none() && same_file(&self.file, file) {
            self.line = line;
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}, kernel `{}`", self.file, self.line, self.kernel)?;
        if let Some(statement) = &self.statement {
            write!(f, ", in `{statement}`")?;
        }
        for (i, (name, value)) in self.iteration.iter().enumerate() {
            let before = if i == 0 { ", at " } else { ", " };
            write!(f, "{before}{name} = {value}")?;
        }
        Ok(())
    }
}

/// Returns ` at src/kernels.rs:30`, unless that is where `location` points anyway.
fn elsewhere(location: &Location, at: Option<&(String, u32)>) -> String {
    match at {
        Some((file, line)) if !(*line == location.line && same_file(&location.file, file)) => {
            format!(" at {file}:{line}")
        }
        _ => String::new(),
    }
}

/// Failure that a trace function throws when it cannot go on: it unwinds to
/// [`record`](crate::record), which adds where and when.
#[derive(Debug)]
pub(crate) enum Failure {
    Index {
        array: u16,
        index: usize,
        length: usize,
    },
    Part {
        name: &'static str,
        index: usize,
        length: usize,
    },
    Extent {
        array: u16,
        index: usize,
    },
    Overflow {
        operation: String,
        at: &'static std::panic::Location<'static>,
    },
    Limit {
        limit: u64,
    },
    Memory,
    Full,
    CanGiveUp,
    Operands {
        statement: u16,
        given: usize,
    },
}

impl Failure {
    /// Leaves the trace function. No panic message is printed.
    #[cold]
    #[inline(never)]
    pub(crate) fn raise(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    fn locate(self, recorder: &Recorder) -> TraceError {
        let mut location = recorder.location();
        let name = |array: u16| recorder.kernel().array(array).name.clone();
        match self {
            Self::Index {
                array,
                index,
                length,
            } => TraceError::Index {
                location,
                array: name(array),
                index,
                length,
            },
            Self::Part {
                name,
                index,
                length,
            } => TraceError::Index {
                location,
                array: name.to_owned(),
                index,
                length,
            },
            Self::Extent { array, index } => TraceError::Extent {
                location,
                array: name(array),
                index,
            },
            Self::Overflow { operation, at } => {
                location.narrow(at.file(), at.line());
                TraceError::Overflow {
                    location,
                    operation,
                }
            }
            Self::Limit { limit } => TraceError::Limit { location, limit },
            Self::Memory => TraceError::Memory {
                location,
                tasks: recorder.tasks(),
            },
            Self::Full => TraceError::Full { location },
            Self::CanGiveUp => TraceError::CanGiveUp { location },
            Self::Operands { statement, given } => {
                let expected = recorder.kernel().statement(statement).operands.len();
                TraceError::Operands {
                    location: recorder.location_in(statement),
                    given,
                    expected,
                }
            }
        }
    }
}

/// Returns the text of what control has unwound with: an overflow in
/// [`arithmetic`](crate::arithmetic), or an index outside a [`Part`](crate::Part).
///
/// Planning at run time evaluates control with these, but without a recorder that locates them. For
/// any other payload there is none.
pub fn overflow(payload: &(dyn std::any::Any + Send)) -> Option<String> {
    match payload.downcast_ref::<Failure>()? {
        Failure::Overflow { operation, at } => {
            Some(format!("{operation}, at {}:{}", at.file(), at.line()))
        }
        Failure::Part {
            name,
            index,
            length,
        } => Some(format!(
            "index {index} is out of range for `{name}` of length {length}"
        )),
        _ => None,
    }
}

/// Returns whether two names seem to be of one file: one ends with the parts of the other. They may
/// be relative to different directories.
fn same_file(kernel: &str, other: &str) -> bool {
    let (one, two) = (Path::new(kernel), Path::new(other));
    !kernel.is_empty() && !other.is_empty() && (two.ends_with(one) || one.ends_with(two))
}

/// Returns the error of a trace function that has unwound, with a [`Failure`] or by a panic.
pub(crate) fn stopped(caught: Caught, recorder: &Recorder) -> TraceError {
    match caught.payload.downcast::<Failure>() {
        Ok(failure) => failure.locate(recorder),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let message = text.or_else(|| payload.downcast_ref::<&str>().copied());
            let mut location = recorder.location();
            if let Some((file, line)) = &caught.at {
                location.narrow(file, *line);
            }
            TraceError::Panic {
                location,
                at: caught.at,
                message: message.unwrap_or("(no message)").to_owned(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::same_file;

    #[test]
    fn files_are_the_same_by_whole_names() {
        let lib = "src/lib.rs";
        assert!(same_file(lib, "crate/src/lib.rs") && same_file("crate/src/lib.rs", lib));
        for other in ["xsrc/lib.rs", "rs", "", "src/lib.rs/more.rs"] {
            assert!(!same_file(lib, other) && !same_file(other, lib), "{other}");
        }
    }
}
