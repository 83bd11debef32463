//! Calls that run the original function: the kernel as written, sequentially.
//!
//! A call that runs neither a program nor a plan returns an [`Original`], with nothing touched.
//! The code of `#[kernel]` runs the function through it at once. Then the memory of calls learns
//! the time, if one is wanted, and `last_reason` tells why the function ran.

use std::convert::Infallible;
use std::fmt;
use std::time::Instant;

use super::unbuilt::Found;
use super::{LAST, Reason};
use crate::error::{Failure, RunError, catch};
use crate::fallback::{Fallback, Form, Next};
use crate::kernel::Kernel;
use crate::timeline;

/// Turn of the original function, as neither a program nor a plan runs in this call.
#[derive(Debug)]
#[must_use = "the function runs by `run`"]
pub struct Original<'p> {
    choice: Option<Choice<'p>>,
}

/// Turn that a program or a plan might have had, or a plan that is yet to be made.
struct Choice<'p> {
    kernel: &'static str,
    reason: Reason,
    timed: Option<Timed<'p>>,
}

/// Receiver of the time that the call takes: the memory by which later calls choose.
pub(crate) enum Timed<'p> {
    /// Memory of a program or a plan, which outlives the call.
    Lent(&'p Fallback),
    /// Memory that was found where nothing was built, and stays while this holds it.
    Found(Found<'p>),
}

impl Timed<'_> {
    fn fallback(&self) -> &Fallback {
        match self {
            Self::Lent(fallback) => fallback,
            Self::Found(found) => found.fallback(),
        }
    }
}

impl<'p> Original<'p> {
    /// Returns the function's turn where nothing else could run: its panic goes on to the caller.
    pub(super) fn without_choice() -> Self {
        Self { choice: None }
    }

    /// Takes the turn of a program or a plan, and keeps the reason for `last_reason`.
    pub(crate) fn in_place_of<K: Kernel>(reason: Reason, timed: Option<Timed<'p>>) -> Self {
        LAST.set((None, Some(reason)));
        let choice = Choice {
            kernel: K::NAME,
            reason,
            timed,
        };
        Self {
            choice: Some(choice),
        }
    }

    /// Runs the function, and takes note of how long it takes.
    ///
    /// # Errors
    /// If it panics in the place of a program or a plan that might have run, or may yet be made.
    /// That is a panic of processor 0 in superstep 0. Where nothing else could run, the
    /// function's panic goes on.
    pub fn run(self, function: impl FnOnce()) -> Result<(), RunError> {
        let Ok(()) = self.run_guarded(|| {
            function();
            Ok::<(), Infallible>(())
        })?;
        Ok(())
    }

    /// Runs a function that can give up, and takes note of how long it takes if it does not.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_guarded<E>(
        self,
        function: impl FnOnce() -> Result<(), E>,
    ) -> Result<Result<(), E>, RunError> {
        let Some(choice) = self.choice else {
            return Ok(function());
        };
        let timed = choice.timed.map(|timed| (timed, Instant::now()));
        let done = catch(function);
        timeline::end(|| None, done.is_err());
        // Calls of kernels inside the function have left reasons of their own.
        LAST.set((None, done.is_ok().then_some(choice.reason)));
        if let (Ok(Ok(())), Some((timed, start))) = (&done, timed) {
            timed.fallback().took(Form::Written, start.elapsed());
        }
        done.map_err(|payload| {
            let failure = Failure {
                superstep: 0,
                processor: 0,
                statement: None,
                payload,
            };
            failure.into_error(choice.kernel)
        })
    }
}

impl fmt::Debug for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut choice = f.debug_struct("Choice");
        choice.field("kernel", &self.kernel);
        choice.field("reason", &self.reason);
        choice.finish_non_exhaustive()
    }
}

impl Next {
    /// Returns why this form runs in place of the chosen one: for lack of threads, or else for
    /// the reason `with_threads`.
    pub(crate) fn reason(self, with_threads: Reason) -> Reason {
        match self.lacks_threads {
            true => Reason::NoThreads,
            false => with_threads,
        }
    }
}
