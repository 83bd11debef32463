//! Errors of preparing and running a generated program.

use std::any::Any;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use superstep_plan::PlanError;
use thiserror::Error;

use crate::options::Processors;
use crate::statement;
pub use crate::statement::Statement;
use crate::sync;

/// Error of a call of a generated program. The contents of its `&mut` arguments are then
/// unspecified, as after a panic of the original.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A processor panicked, as the original would have (an overflow in debug, a panic in a called
    /// function). If several did, this is the one that comes first by superstep and processor,
    /// whatever the timing.
    #[error("{kernel}: processor {processor} panicked in superstep {superstep}{}: {message}", at(*.statement))]
    Panicked {
        /// Name of the kernel.
        kernel: &'static str,
        /// Processor that panicked. Of a plan whose parts are shared, the one to which the part was
        /// dealt.
        processor: usize,
        /// Superstep in which it was.
        superstep: usize,
        /// Statement of the kernel that panicked; none if it was no statement's value that did (in
        /// a [reduction](crate::reduce), say).
        statement: Option<Statement>,
        /// Message of the panic, if it had one.
        message: String,
        /// Payload with which the processor panicked.
        payload: Payload,
    },
    /// The threads could not be spawned for a number of processors on which the call insists.
    /// Nothing has run.
    #[error("{kernel}: no threads for {processors} processors")]
    Threads {
        /// Name of the kernel.
        kernel: &'static str,
        /// Number of processors.
        processors: usize,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The program's tables cannot be used. Nothing has run.
    #[error("{kernel}: {source}")]
    Plan {
        /// Name of the kernel.
        kernel: &'static str,
        /// Fault of the tables.
        source: PlanError,
    },
    /// An argument is not as long as a plan needs that was made at run time. Nothing has run.
    #[error(transparent)]
    Length(#[from] LengthError),
}

/// Errors of arrays that are not as long as a plan needs. Words are counted from 0; those of nested
/// arrays one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LengthError {
    /// An iteration uses a word that the array does not have.
    #[error("{kernel}: iteration {iteration} uses `{array}[{word}]`, but `{array}` has {} only", counted(*.words))]
    Short {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the array.
        array: &'static str,
        /// Words that it has.
        words: usize,
        /// Last word that iterations use.
        word: usize,
        /// Number of the first iteration in the sequential run that comes as far.
        iteration: u32,
    },
    /// An array has another length than the plan was made for, and the kernel's control depends on
    /// it.
    #[error("{kernel}: the plan is for {} of `{array}`, which has {found}", counted(*.planned))]
    Other {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the array.
        array: &'static str,
        /// Words that it has.
        found: usize,
        /// Words that the plan was made for.
        planned: usize,
    },
}

impl RunError {
    /// Panics with this error's text; if a processor panicked with something other than a message,
    /// with that.
    #[track_caller]
    pub fn resume(self) -> ! {
        if let Self::Panicked { payload, .. } = &self
            && payload.look(|payload| message(payload).map(drop)).is_none()
            && let Some(payload) = payload.take()
        {
            resume_unwind(payload);
        }
        panic!("{self}")
    }
}

/// Error of preparing: no generated program fits these control arguments.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// No program was built for them (and for the number of processors, if one was asked for).
    #[error("{kernel}: no program was built for these control arguments{}", for_processors(*.processors))]
    NoProgram {
        /// Name of the kernel.
        kernel: &'static str,
        /// Number of processors that was asked for.
        processors: Processors,
    },
    /// No program was built for them, and no plan can be made at run time.
    #[error(
        "{kernel}: no program was built for these control arguments, and none can be planned: {why}"
    )]
    Unplanned {
        /// Name of the kernel.
        kernel: &'static str,
        /// Line of the kernel that is in the way, and why.
        why: &'static str,
    },
    /// Control reads another value than it did in the build script.
    #[error("{kernel}: no program fits, as {name} is not what it was in the build script")]
    Differs {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the value.
        name: &'static str,
    },
    /// The program's tables cannot be used.
    #[error("{kernel}: {source}")]
    Plan {
        /// Name of the kernel.
        kernel: &'static str,
        /// Fault of the tables.
        source: PlanError,
    },
}

/// Payload of a processor's panic, kept so that the caller can go on with it.
///
/// Dropping it never panics, even if the value in it does: on a worker nobody would catch that.
#[derive(Debug)]
pub struct Payload(Mutex<Option<Box<dyn Any + Send>>>);

/// Runs `f` and catches its panic.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(f)).map_err(Payload::new)
}

impl Payload {
    pub(crate) fn new(payload: Box<dyn Any + Send>) -> Self {
        Self(Mutex::new(Some(payload)))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts it back.
    pub(crate) fn put(&self, payload: Box<dyn Any + Send>) {
        *self.lock() = Some(payload);
    }

    /// Takes it out; none if it was taken before.
    pub fn take(&self) -> Option<Box<dyn Any + Send>> {
        self.lock().take()
    }

    /// Returns the result of `f` for it; none if it was taken before.
    pub(crate) fn look<R>(&self, f: impl FnOnce(&(dyn Any + Send)) -> Option<R>) -> Option<R> {
        self.lock().as_deref().and_then(f)
    }

    /// Returns whether it is a value of that type.
    pub(crate) fn is<T: Any>(&self) -> bool {
        self.look(|payload| payload.is::<T>().then_some(()))
            .is_some()
    }

    /// Returns the panic's message, or that it has none.
    pub(crate) fn message(&self) -> String {
        let message = self.look(|payload| message(payload).map(str::to_owned));
        message.unwrap_or_else(|| "a panic without a message".to_owned())
    }

    /// Goes on with the panic.
    pub(crate) fn resume(self) -> ! {
        match self.take() {
            Some(payload) => resume_unwind(payload),
            None => unreachable!("who takes a payload out does not go on with it"),
        }
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        let payload = self.take();
        if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            // It may panic in turn when it is dropped, without end.
            mem::forget(another);
        }
    }
}

/// Panic of a processor, before it is known whether it is the first.
pub(crate) struct Failure {
    pub(crate) superstep: usize,
    pub(crate) processor: usize,
    pub(crate) statement: Option<Statement>,
    pub(crate) payload: Payload,
}

impl Failure {
    /// Takes note of a panic in a step that this thread runs, at the statement that was begun last.
    pub(crate) fn in_step(superstep: usize, processor: usize, payload: Payload) -> Self {
        Self {
            superstep,
            processor,
            statement: statement::take(),
            payload,
        }
    }

    /// Takes the failure that is first by superstep and processor.
    pub(crate) fn take_first(failures: &sync::Mutex<Vec<Self>>) -> Option<Self> {
        let failures = mem::take(&mut *sync::lock(failures));
        let at = |failure: &Self| (failure.superstep, failure.processor);
        failures.into_iter().min_by_key(at)
    }

    pub(crate) fn into_error(self, kernel: &'static str) -> RunError {
        let Self {
            superstep,
            processor,
            statement,
            payload,
        } = self;
        RunError::Panicked {
            kernel,
            processor,
            superstep,
            statement,
            message: payload.message(),
            payload,
        }
    }
}

/// Returns the message with which something panicked, if that was one.
pub(crate) fn message(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
}

fn at(statement: Option<Statement>) -> String {
    statement.map_or_else(String::new, |statement| format!(" at {statement}"))
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 word".into(),
        _ => format!("{count} words"),
    }
}

fn for_processors(processors: Processors) -> String {
    match processors {
        Processors::Any => String::new(),
        Processors::AtMost(most) => format!(" and at most {most} processors"),
        Processors::Exactly(processors) => format!(" and exactly {processors} processors"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panicked(payload: Box<dyn Any + Send>) -> RunError {
        Failure {
            superstep: 3,
            processor: 1,
            statement: None,
            payload: Payload::new(payload),
        }
        .into_error("lu")
    }

    #[test]
    fn errors_name_kernel_processor_and_superstep() {
        assert_eq!(
            panicked(Box::new("overflow")).to_string(),
            "lu: processor 1 panicked in superstep 3: overflow"
        );
        assert_eq!(
            panicked(Box::new(String::from("text"))).to_string(),
            "lu: processor 1 panicked in superstep 3: text"
        );
        assert_eq!(
            panicked(Box::new(7)).to_string(),
            "lu: processor 1 panicked in superstep 3: a panic without a message"
        );
        let none = PrepareError::NoProgram {
            kernel: "lu",
            processors: Processors::AtMost(3),
        };
        assert_eq!(
            none.to_string(),
            "lu: no program was built for these control arguments and at most 3 processors"
        );
    }

    #[test]
    fn errors_name_the_statement_where_it_is_known() {
        let statement = Some(Statement {
            file: "src/kernels.rs",
            line: 12,
        });
        let failure = Failure {
            superstep: 0,
            processor: 2,
            statement,
            payload: Payload::new(Box::new("overflow")),
        };
        assert_eq!(
            failure.into_error("lu").to_string(),
            "lu: processor 2 panicked in superstep 0 at src/kernels.rs:12: overflow"
        );
    }

    #[test]
    fn a_message_is_raised_again_with_where_it_came_from() {
        let resumed = std::panic::catch_unwind(|| panicked(Box::new("overflow")).resume());
        assert_eq!(
            resumed.expect_err("it panics").downcast_ref::<String>(),
            Some(&"lu: processor 1 panicked in superstep 3: overflow".to_owned())
        );
    }

    #[test]
    fn another_panic_is_raised_again_with_its_payload() {
        let resumed =
            std::panic::catch_unwind(|| panicked(Box::new(7)).resume()).expect_err("it panics");
        assert_eq!(resumed.downcast_ref::<i32>(), Some(&7));
    }

    #[test]
    fn payloads_that_panic_when_they_are_dropped_disturb_nobody() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                std::panic::panic_any(Self);
            }
        }
        drop(panicked(Box::new(Bomb)));
        let caught = catch(|| std::panic::panic_any(Bomb));
        assert!(caught.is_err_and(|payload| payload.is::<Bomb>()));
        // So it is while another panic is on its way.
        let outer = catch(|| {
            let _inner = Payload::new(Box::new(Bomb));
            panic!("outer");
        });
        assert_eq!(outer.expect_err("it panics").message(), "outer");
    }

    #[test]
    fn errors_can_be_sent_and_shared() {
        fn assert<T: std::error::Error + Send + Sync + 'static>() {}
        assert::<RunError>();
        assert::<PrepareError>();
    }
}
