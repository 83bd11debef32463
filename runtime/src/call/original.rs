//! Runs of the original function in the place of a program.

use std::convert::Infallible;
use std::fmt;
use std::time::Instant;

use super::unbuilt::Found;
use super::{LAST, Reason};
use crate::error::{Failure, RunError, catch};
use crate::fallback::{Fallback, Form, Next};
use crate::kernel::Kernel;
use crate::timeline;

/// Turn of the original function, in place of a program.
#[derive(Debug)]
#[must_use = "the function runs by `run`"]
pub struct Original<'p> {
    choice: Option<Choice<'p>>,
}

/// Turn of the function where a program could run as well.
struct Choice<'p> {
    kernel: &'static str,
    reason: Reason,
    timed: Option<Timed<'p>>,
}

/// Receiver of the time that the call takes.
pub(crate) enum Timed<'p> {
    Lent(&'p Fallback),
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
    /// Returns the function's turn where no program could run.
    pub(super) fn without_choice() -> Self {
        Self { choice: None }
    }

    /// Takes the turn of a program for this reason.
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
    /// If it panics in the place of a program that might have run as well. That is a panic of
    /// processor 0 in superstep 0. Where there is no such program, the function's panic goes on.
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
        // Calls of kernels inside the function have left theirs.
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
    /// Returns why this form runs and not the program that was chosen, if it runs for this reason
    /// where there are threads.
    pub(crate) fn reason(self, with_threads: Reason) -> Reason {
        match self.lacks_threads {
            true => Reason::NoThreads,
            false => with_threads,
        }
    }
}
