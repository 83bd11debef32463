//! A call: choose an instance and run it, or give the arguments back so that the original function
//! can run.
//!
//! The interface that `#[kernel]` gives a kernel (`parallel`, `try_parallel`, `with`, `prepare`,
//! `is_scheduled`) consists of thin shells over the functions here.

mod choice;
mod original;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_plan::{Plan, PlanError};

use self::choice::{choose, fitting};
pub use self::original::Original;
use crate::control::ControlMatcher;
use crate::error::{PrepareError, RunError};
use crate::fallback::{Fallback, Form, Forms};
use crate::fork::PerProcess;
use crate::instance::{Execute, Instance};
use crate::kernel::Kernel;
pub use crate::options::{Options, Processors};
use crate::program::Program;
use crate::team;

/// Outcome of a call that did not fail.
#[derive(Debug)]
pub enum Outcome<'p, A> {
    /// The generated program ran.
    Ran,
    /// It did not, and nothing was touched: the arguments for the original function, which
    /// [runs](Original::run) now.
    Original(A, Original<'p>),
}

/// The reason for which a call did not run the program that it had chosen, or had none to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No program was built for the control arguments and the wished number of processors.
    NotBuilt,
    /// Control reads a value of this name that was another one in the build script: a constant, a
    /// function, the width of `usize`. No program fits.
    Differs(&'static str),
    /// An argument is shorter than the program needs.
    Short,
    /// The calling thread is a processor of a running program already.
    Nested,
    /// The program was slower of late than that for one processor, or it is measured whether it is.
    Slower,
    /// The function as written was faster of late than the programs, or it is measured whether it is.
    AsWritten,
    /// The system gave no threads for the processors.
    NoThreads,
    /// The plan that was made at run time is sequential, as no other is predicted to be faster.
    Sequential,
    /// Panics abort the process, as its profile says: no processor could give up where a guard says so.
    Aborts,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt => f.write_str("no program was built for these control arguments"),
            Self::Differs(name) => write!(f, "{name} is not what it was in the build script"),
            Self::Short => f.write_str("an argument is shorter than the program needs"),
            Self::Nested => f.write_str("the call is from inside a running program"),
            Self::Slower => f.write_str("the program for one processor is measured to be faster"),
            Self::AsWritten => f.write_str("the function as written is measured to be faster"),
            Self::NoThreads => f.write_str("the system has no threads for the processors"),
            Self::Sequential => f.write_str("no plan for several processors is faster"),
            Self::Aborts => f.write_str("guards give up by unwinding, and panics abort here"),
        }
    }
}

/// A run of a generated program that ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of processors.
    pub processors: usize,
    /// The number of processors of the program in whose place this one ran, if the call fell back;
    /// [`last_reason`] says why.
    pub instead_of: Option<usize>,
    /// Number of supersteps.
    pub supersteps: usize,
    /// Number of processors that ran at least one task.
    pub worked: usize,
    /// Time that the build predicted for the machine that it knew.
    pub predicted: Option<Duration>,
}

thread_local! {
    static LAST: Cell<(Option<Ran>, Option<Reason>)> = const { Cell::new((None, None)) };
}

/// The last call of a kernel's parallel interface on this thread, if its generated program ran to
/// the end; none if the original function ran instead or the run failed.
pub fn last_run() -> Option<Ran> {
    LAST.get().0
}

/// Forgets the last call.
#[cfg(feature = "plan")]
pub(crate) fn begin() {
    LAST.set((None, None));
}

/// Keeps the run of a plan.
#[cfg(feature = "plan")]
pub(crate) fn keep(ran: Ran) {
    LAST.set((Some(ran), None));
}

/// Returns why the last call of a kernel's parallel interface on this thread fell back, or the
/// original function ran; none if the chosen program ran, or the run failed.
pub fn last_reason() -> Option<Reason> {
    LAST.get().1
}

/// Runs the best fitting instance of a kernel.
///
/// `control` feeds the call's control arguments, in order; it is called once for each distinct key.
/// The arguments come back in [`Outcome::Original`] if no instance fits, an argument is shorter
/// than the instance's program needs, this thread is already a processor of a running program, or
/// the function as written is [measured](crate#falling-back). [`last_reason`] says which.
///
/// # Errors
/// If the instance's tables cannot be read, a processor panics, or there are no threads for a
/// number of processors on which the options insist.
pub fn run<'i, 'a, K: Kernel>(
    instances: &'i [Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<'i, K::Arguments<'a>>, RunError> {
    LAST.set((None, None));
    if team::inside() {
        return Ok(original(Reason::Nested, arguments));
    }
    let choose = |matcher| {
        choose(instances, &control, matcher, options).map_err(|source| RunError::Plan {
            kernel: K::NAME,
            source,
        })
    };
    let mut chosen = choose(ControlMatcher::glance)?;
    let mut since = None;
    if let Some(glanced) = chosen.filter(|chosen| !chosen.is_compared) {
        let fallback = glanced.fallback(|program| &program.called);
        // It may have been built for another pattern than this one: the function is for any.
        if let Some(next) = fallback.and_then(Fallback::next_if_written) {
            return Ok(Outcome::Original(
                arguments,
                Original::chosen::<K>(next, None),
            ));
        }
        // Programs take as long as they do because patterns are compared.
        since = fallback.map(|_| Instant::now());
        chosen = choose(ControlMatcher::new)?;
    }
    match chosen {
        Some(chosen) => {
            let fallback = chosen.fallback(|program| &program.called);
            chosen.run(fallback, since, options, arguments)
        }
        None => Ok(original(
            K::differs().map_or(Reason::NotBuilt, Reason::Differs),
            arguments,
        )),
    }
}

/// Gives the arguments back.
pub(crate) fn original<'p, A>(reason: Reason, arguments: A) -> Outcome<'p, A> {
    LAST.set((None, Some(reason)));
    Outcome::Original(arguments, Original::without_choice())
}

/// Tells whether an instance was built for these control arguments, with whatever number of processors.
pub fn is_scheduled<K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
) -> bool {
    fitting(instances, control, ControlMatcher::new)
        .next()
        .is_some()
}

/// Chooses an instance once, for many runs.
///
/// # Errors
/// If no instance was built for these control arguments (and the wished number of processors), or
/// its tables cannot be read.
pub fn prepare<K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
) -> Result<Prepared<K>, PrepareError> {
    match choose(instances, control, ControlMatcher::new, options) {
        Ok(Some(chosen)) => Ok(Prepared {
            program: Arc::clone(chosen.program),
            alone: chosen.alone.cloned(),
            may_fall_back: chosen.may_fall_back,
            options: *options,
        }),
        Ok(None) => Err(match K::differs() {
            Some(name) => PrepareError::Differs {
                kernel: K::NAME,
                name,
            },
            None => PrepareError::NoInstance {
                kernel: K::NAME,
                processors: options.processors,
            },
        }),
        Err(source) => Err(PrepareError::Plan {
            kernel: K::NAME,
            source,
        }),
    }
}

/// A program that was chosen once and can run many times, from several threads at once: no
/// comparison of control arguments, and no allocation but in the first run (and in runs at once,
/// for each the first).
pub struct Prepared<K: Kernel> {
    program: Arc<Program<K>>,
    /// The program for one processor, if calls may fall back to that.
    alone: Option<Arc<Program<K>>>,
    may_fall_back: bool,
    options: Options,
}

impl<K: Kernel> Prepared<K> {
    /// A program directly from its tables and code. If the tables share arrays, they and the code
    /// must be of one program that the generator's replay has passed, or the processors may race:
    /// see [`words`](crate::words).
    ///
    /// # Errors
    /// If the tables contradict each other.
    pub fn from_plan(plan: Plan, execute: Execute<K>, options: Options) -> Result<Self, PlanError> {
        Ok(Self {
            program: Arc::new(Program::new(plan, execute)?),
            alone: None,
            may_fall_back: false,
            options,
        })
    }

    /// The program with the same code and other tables, which never falls back. A test that takes a
    /// word out of a message learns whether its comparisons notice. As for
    /// [`from_plan`](Self::from_plan), tables that share arrays must stay those of a program that
    /// the replay has passed.
    ///
    /// # Errors
    /// If the tables contradict each other.
    pub fn altered(&self, change: impl FnOnce(&mut Plan)) -> Result<Self, PrepareError> {
        let program = self.program.altered(change);
        let program = program.map_err(|source| PrepareError::Plan {
            kernel: K::NAME,
            source,
        })?;
        Ok(Self {
            program: Arc::new(program),
            alone: None,
            may_fall_back: false,
            options: self.options,
        })
    }

    /// Runs the program. The arguments come back in [`Outcome::Original`] if one is shorter than
    /// the program needs, this thread is already a processor of a running program, or the function
    /// as written is [measured](crate#falling-back).
    ///
    /// # Errors
    /// If a processor panics, or there are no threads for a number of processors on which the
    /// options insist.
    pub fn run<'a>(
        &self,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'_, K::Arguments<'a>>, RunError> {
        LAST.set((None, None));
        if team::inside() {
            return Ok(original(Reason::Nested, arguments));
        }
        let chosen = Chosen {
            program: &self.program,
            alone: self.alone.as_ref(),
            may_fall_back: self.may_fall_back,
            is_compared: true,
        };
        let fallback = chosen.fallback(|program| &program.prepared);
        chosen.run(fallback, None, &self.options, arguments)
    }

    /// The program's tables.
    pub fn plan(&self) -> &Plan {
        self.program.plan()
    }

    /// Number of processors.
    pub fn processors(&self) -> usize {
        self.plan().processors as usize
    }

    /// Number of supersteps.
    pub fn supersteps(&self) -> usize {
        self.plan().supersteps as usize
    }
}

impl<K: Kernel> Clone for Prepared<K> {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            alone: self.alone.clone(),
            may_fall_back: self.may_fall_back,
            options: self.options,
        }
    }
}

impl<K: Kernel> fmt::Debug for Prepared<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("kernel", &K::NAME)
            .field("processors", &self.processors())
            .field("supersteps", &self.supersteps())
            .finish_non_exhaustive()
    }
}

/// The program for a call, and what there is beside it.
struct Chosen<'p, K: Kernel> {
    program: &'p Arc<Program<K>>,
    /// The program for one processor, if that is another one.
    alone: Option<&'p Arc<Program<K>>>,
    may_fall_back: bool,
    /// Set if all control arguments are known to be those of the instance.
    is_compared: bool,
}

impl<K: Kernel> Clone for Chosen<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kernel> Copy for Chosen<'_, K> {}

impl<'p, K: Kernel> Chosen<'p, K> {
    /// The memory of calls of this kind, if they may fall back.
    fn fallback(
        &self,
        kind: impl FnOnce(&Program<K>) -> &PerProcess<Fallback>,
    ) -> Option<&'p Fallback> {
        let program: &'p Program<K> = self.program;
        self.may_fall_back.then(|| kind(program).get())
    }

    fn processors(&self) -> usize {
        self.program.plan().processors as usize
    }

    /// Runs the program, or by what earlier calls have shown another form in its place. `since` is
    /// when a timed call of a program began, if that is not now.
    fn run<'a>(
        &self,
        fallback: Option<&'p Fallback>,
        since: Option<Instant>,
        options: &Options,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        let Some(fallback) = fallback else {
            return match run_program(self.program, None, options, &mut arguments) {
                Ok(Ok(())) => Ok(Outcome::Ran),
                Ok(Err(reason)) => Ok(original(reason, arguments)),
                Err(RunError::Threads { .. }) if !options.processors.insists() => {
                    Ok(original(Reason::NoThreads, arguments))
                }
                Err(error) => Err(error),
            };
        };
        let mut forms = Forms {
            parallel: self.processors() > 1,
            alone: self.processors() == 1 || self.alone.is_some(),
        };
        loop {
            let next = fallback.next(forms);
            let (program, instead_of) = match next.form {
                Form::Parallel => (self.program, None),
                Form::Alone => match self.alone {
                    Some(alone) => {
                        let reason = next.reason(Reason::Slower);
                        (alone, Some((self.processors(), reason)))
                    }
                    None => (self.program, None),
                },
                Form::Written => {
                    let timed = next.timed.then_some(fallback);
                    return Ok(Outcome::Original(
                        arguments,
                        Original::chosen::<K>(next, timed),
                    ));
                }
            };
            let start = next.timed.then(|| since.unwrap_or_else(Instant::now));
            match run_program(program, instead_of, options, &mut arguments) {
                Ok(Ok(())) => {
                    if let Some(start) = start {
                        fallback.took(next.form, start.elapsed());
                    }
                    return Ok(Outcome::Ran);
                }
                Ok(Err(reason)) => return Ok(original(reason, arguments)),
                Err(RunError::Threads { .. }) if forms.parallel => {
                    fallback.lacks_threads();
                    forms.parallel = false;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Runs a program, in place of one for another number of processors if that fell back, and says so
/// to this thread; or gives the reason why it cannot, with nothing touched.
fn run_program<K: Kernel>(
    program: &Program<K>,
    instead_of: Option<(usize, Reason)>,
    options: &Options,
    arguments: &mut K::Arguments<'_>,
) -> Result<Result<(), Reason>, RunError> {
    if !program.fits(arguments) {
        return Ok(Err(Reason::Short));
    }
    let worked = team::as_processor(|| program.run(options, arguments))?;
    let Plan {
        processors,
        supersteps,
        predicted,
        ..
    } = program.plan();
    let ran = Ran {
        kernel: K::NAME,
        processors: *processors as usize,
        instead_of: instead_of.map(|(chosen, _)| chosen),
        supersteps: *supersteps as usize,
        worked,
        predicted: (*predicted > 0).then(|| Duration::from_nanos(*predicted)),
    };
    LAST.set((Some(ran), instead_of.map(|(_, reason)| reason)));
    Ok(Ok(()))
}
