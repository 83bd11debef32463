//! A call: choose an instance and run it, or give the arguments back so that the original function
//! can run.
//!
//! The interface that `#[kernel]` gives a kernel (`parallel`, `try_parallel`, `with`, `prepare`,
//! `is_scheduled`) consists of thin shells over the functions here.

mod choice;
mod chosen;
mod original;
mod planning;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_plan::{Plan, PlanError};

use self::choice::{choose, fitting};
#[cfg(feature = "plan")]
pub(crate) use self::chosen::FIRST_ON_THREADS;
use self::chosen::{Calls, Chosen, Source, unreadable};
pub use self::original::Original;
pub use self::planning::{AnyPlan, MadePlan, Planning};
use crate::control::ControlMatcher;
use crate::cores;
use crate::error::{PrepareError, RunError};
use crate::instance::{Execute, Instance};
use crate::kernel::Kernel;
use crate::memory::Memory;
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
    /// A plan that was made at run time is measured to be faster than the program, or it is measured
    /// whether it is.
    Planned,
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
            Self::Planned => f.write_str("a plan made at run time is measured to be faster"),
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
    run_or_plan(instances, control, None, options, arguments)
}

/// Runs the best fitting instance of a kernel as [`run`] does, or a plan that is made after some
/// calls of the instance, where that is measured to be faster.
///
/// # Errors
/// As [`run`].
pub fn run_or_plan<'i, 'a, K: Kernel>(
    instances: &'i [Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    planning: Option<&dyn Planning<K>>,
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<'i, K::Arguments<'a>>, RunError> {
    LAST.set((None, None));
    if team::inside() {
        return Ok(original(Reason::Nested, arguments));
    }
    let choose = |matcher| choose(instances, &control, matcher, options).map_err(unreadable::<K>);
    let mut chosen = choose(ControlMatcher::glance)?;
    let mut since = None;
    if let Some(glanced) = chosen {
        let memory = glanced.memory(options, planning);
        // It may have been built for another pattern than this one: the function is for any.
        if let Some(turn) = memory.and_then(|(memory, _)| function_in_its_turn::<K>(memory)) {
            return Ok(Outcome::Original(arguments, turn));
        }
        if !glanced.is_compared {
            // Programs take as long as they do because patterns are compared.
            since = memory.map(|_| Instant::now());
            chosen = choose(ControlMatcher::new)?;
        }
    }
    match chosen {
        Some(chosen) => {
            let memory = chosen.memory(options, planning);
            let calls = memory.map(|(memory, planning)| Calls {
                memory,
                planning,
                since,
            });
            chosen.run(calls, options, arguments)
        }
        None => Ok(original(
            K::differs().map_or(Reason::NotBuilt, Reason::Differs),
            arguments,
        )),
    }
}

/// Lets the function run where it is in the midst of its turn, without a look at other forms.
/// (Calls for patterns that look alike are timed as if for one.)
fn function_in_its_turn<K: Kernel>(memory: &Memory) -> Option<Original<'_>> {
    let fallback = &memory.fallback;
    let next = fallback.next_if_written()?;
    Some(Original::chosen::<K>(next, next.timed.then_some(fallback)))
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
    let unreadable = |source| PrepareError::Plan {
        kernel: K::NAME,
        source,
    };
    let chosen = choose(instances, control, ControlMatcher::new, options).map_err(unreadable)?;
    let Some(chosen) = chosen else {
        return Err(match K::differs() {
            Some(name) => PrepareError::Differs {
                kernel: K::NAME,
                name,
            },
            None => PrepareError::NoInstance {
                kernel: K::NAME,
                processors: options.processors,
            },
        });
    };
    let program = |source: Source<'_, K>| source.program().cloned().map_err(unreadable);
    Ok(Prepared {
        program: program(chosen.program)?,
        alone: chosen.alone.map(program).transpose()?,
        may_fall_back: chosen.may_fall_back,
        options: *options,
    })
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
        self.run_or_plan(None, arguments)
    }

    /// Runs the program as [`run`](Self::run) does, or a plan that is made after some calls for the
    /// same control arguments, where that is measured to be faster.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_or_plan<'a>(
        &self,
        planning: Option<&dyn Planning<K>>,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'_, K::Arguments<'a>>, RunError> {
        LAST.set((None, None));
        if team::inside() {
            return Ok(original(Reason::Nested, arguments));
        }
        let chosen = Chosen {
            program: Source::Program(&self.program),
            alone: self.alone.as_ref().map(Source::Program),
            may_fall_back: self.may_fall_back,
            is_compared: true,
            cores: planning.map_or(1, |_| cores::count_by_now()),
        };
        let memory = chosen.memory(&self.options, planning);
        if let Some(turn) = memory.and_then(|(memory, _)| function_in_its_turn::<K>(memory)) {
            return Ok(Outcome::Original(arguments, turn));
        }
        let calls = memory.map(|(memory, planning)| Calls {
            memory,
            planning,
            since: None,
        });
        chosen.run(calls, &self.options, arguments)
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
