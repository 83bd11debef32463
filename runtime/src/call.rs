//! A call: choose a program and run it, or give the arguments back so that the original function
//! can run.
//!
//! The interface that `#[kernel]` gives a kernel (`parallel`, `try_parallel`, `with`, `prepare`,
//! `is_scheduled`) consists of thin shells over the functions here.

mod choice;
mod chosen;
mod original;
mod planned;
mod planning;
mod unbuilt;

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
pub(crate) use self::original::Timed;
use self::planned::Kept;
pub use self::planning::{AnyPlan, MadePlan, Planning};
pub use self::unbuilt::Unbuilt;
use crate::control::ControlMatcher;
use crate::cores;
use crate::error::{PrepareError, RunError};
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::keyed_program::{Execute, KeyedProgram};
use crate::memory::Memory;
pub use crate::options::{Options, Processors};
use crate::program::Program;
use crate::team;
use crate::timeline;

/// Outcome of a call that did not fail.
#[derive(Debug)]
pub enum Outcome<'p, A> {
    /// The generated program ran.
    Ran,
    /// The program did not run, and nothing was touched: the arguments for the original function,
    /// which [runs](Original::run) now.
    Original(A, Original<'p>),
}

#[cfg(feature = "plan")]
impl<'p, A> Outcome<'p, A> {
    /// Drops the arguments.
    pub(crate) fn without_arguments(self) -> Outcome<'p, ()> {
        match self {
            Self::Ran => Outcome::Ran,
            Self::Original(_, turn) => Outcome::Original((), turn),
        }
    }
}

/// Reason for which a call did not run the program that it had chosen, or had none to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No program was built for the control arguments and the wished number of processors, and no
    /// plan was made. Calls have to show first that it may pay, or the kernel's author wants none.
    /// Or the crate lacks the feature `plan`, or there are [too many](Unbuilt) choices of
    /// arguments.
    NotBuilt,
    /// No program was built, and no plan can be made at run time: the kernel's line that is in the
    /// way, and why.
    Unplanned(&'static str),
    /// Control reads a value of this name that was another one in the build script: a constant, a
    /// function, the width of `usize`. No program fits.
    Differs(&'static str),
    /// An argument is shorter than the program needs.
    Short,
    /// The calling thread is a processor of a running program already.
    Nested,
    /// The program was slower of late than that for one processor, or it is measured whether it is.
    Slower,
    /// The function as written was faster of late than the programs, or it is measured whether it
    /// is.
    AsWritten,
    /// The system gave no threads for the processors.
    NoThreads,
    /// A plan that was made at run time is measured to be faster than the program, or it is
    /// measured whether it is.
    Planned,
    /// The plan that was made at run time is sequential, as no other is predicted to be faster.
    Sequential,
    /// Panics abort the process, as its profile says: no processor could give up where a guard says
    /// so.
    Aborts,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt => f.write_str("no program was built for these control arguments"),
            Self::Unplanned(why) => write!(
                f,
                "no program was built for these control arguments, and none can be planned: {why}"
            ),
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

/// Run of a generated program that ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of processors.
    pub processors: usize,
    /// Number of processors of the program in whose place this one ran, if the call fell back;
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

/// Returns the last call of a kernel's parallel interface on this thread, if its generated program
/// ran to the end. There is none if the original function ran instead or the run failed.
pub fn last_run() -> Option<Ran> {
    LAST.get().0
}

/// Forgets the last call.
#[cfg(feature = "plan")]
pub(crate) fn begin() {
    LAST.set((None, None));
}

/// Keeps the run of a plan, and why it is not one on several processors.
#[cfg(feature = "plan")]
pub(crate) fn keep(ran: Ran, reason: Option<Reason>) {
    LAST.set((Some(ran), reason));
}

/// Returns why the last call of a kernel's parallel interface on this thread fell back, or the
/// original function ran. There is none if the chosen program ran, or the run failed.
pub fn last_reason() -> Option<Reason> {
    LAST.get().1
}

/// Runs the best fitting program of a kernel.
///
/// `control` feeds the call's control arguments, in order; it is called once for each distinct key.
/// The arguments come back in [`Outcome::Original`] if
///
/// * no program fits;
/// * an argument is shorter than the program needs;
/// * this thread is already a processor of a running program;
/// * or the function as written is [measured](crate#falling-back).
///
/// [`last_reason`] says which.
///
/// # Errors
/// If the program's tables cannot be read, or a processor panics. If there are no threads for a
/// number of processors on which the options insist.
pub fn run<'i, 'a, K: Kernel>(
    programs: &'i [KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<'i, K::Arguments<'a>>, RunError> {
    run_or_plan(programs, control, None, options, arguments)
}

/// Runs the best fitting program of a kernel as [`run`] does. A plan that is made after some calls
/// for the same control arguments runs where that is measured to be faster.
///
/// # Errors
/// As [`run`].
pub fn run_or_plan<'i, 'a, K: Kernel>(
    programs: &'i [KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    planning: Option<&dyn Planning<K>>,
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<'i, K::Arguments<'a>>, RunError> {
    LAST.set((None, None));
    if team::inside() {
        return Ok(original(Reason::Nested, arguments));
    }
    timeline::begin(K::NAME, options.record);
    let choose = |matcher| choose(programs, &control, matcher, options).map_err(unreadable::<K>);
    let mut chosen = choose(ControlMatcher::glance)?;
    let mut since = None;
    if let Some(glanced) = &chosen {
        let calls = glanced.calls(options, planning, None);
        // It may have been built for another pattern than this one: the function is for any.
        if let Some(turn) = calls.as_ref().and_then(Calls::function_in_its_turn) {
            return Ok(Outcome::Original(arguments, turn));
        }
        if !glanced.is_compared {
            // Programs take as long as they do because patterns are compared.
            since = calls.map(|_| Instant::now());
            chosen = choose(ControlMatcher::new)?;
        }
    }
    match chosen {
        Some(chosen) => {
            let calls = chosen.calls(options, planning, since);
            chosen.run(calls, options, arguments)
        }
        None => planned::run_unbuilt(planning, options, arguments),
    }
}

/// Returns why the function runs where nothing was built.
fn not_built<K: Kernel>() -> Reason {
    let unplanned = || K::UNPLANNED.map_or(Reason::NotBuilt, Reason::Unplanned);
    K::differs().map_or_else(unplanned, Reason::Differs)
}

/// Gives the arguments back.
pub(crate) fn original<'p, A>(reason: Reason, arguments: A) -> Outcome<'p, A> {
    LAST.set((None, Some(reason)));
    Outcome::Original(arguments, Original::without_choice())
}

/// Returns whether a program was built for these control arguments, with whatever number of
/// processors.
pub fn is_scheduled<K: Kernel>(
    programs: &[KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
) -> bool {
    fitting(programs, control, ControlMatcher::new)
        .next()
        .is_some()
}

/// Chooses a program once, for many runs. If none was built and the kernel `is_planned`, it is a
/// plan that runs make.
///
/// # Errors
/// If no program was built for these control arguments (and the wished number of processors) and
/// none can be planned. If the tables cannot be read, or no program fits, as [control reads other
/// values](PrepareError::Differs).
pub fn prepare_or_plan<K: Kernel>(
    programs: &[KeyedProgram<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    is_planned: bool,
    options: &Options,
) -> Result<Prepared<K>, PrepareError> {
    let unreadable = |source| PrepareError::Plan {
        kernel: K::NAME,
        source,
    };
    let chosen = choose(programs, control, ControlMatcher::new, options).map_err(unreadable)?;
    let program = |source: &Source<'_, K>| source.program().cloned().map_err(unreadable);
    let runs = match chosen {
        Some(chosen) => Runs::Program {
            program: program(&chosen.program)?,
            alone: chosen.alone.as_ref().map(program).transpose()?,
            may_fall_back: chosen.may_fall_back,
        },
        None if is_planned && options.may_plan() && K::differs().is_none() => {
            Runs::Planned(PerProcess::new())
        }
        None => return Err(not_prepared::<K>(options)),
    };
    Ok(Prepared::of(runs, *options))
}

fn not_prepared<K: Kernel>(options: &Options) -> PrepareError {
    let kernel = K::NAME;
    match (K::differs(), K::UNPLANNED) {
        (Some(name), _) => PrepareError::Differs { kernel, name },
        (None, Some(why)) => PrepareError::Unplanned { kernel, why },
        (None, None) => PrepareError::NoProgram {
            kernel,
            processors: options.processors,
        },
    }
}

/// Program that was chosen once and can run many times, from several threads at once. It compares
/// no control arguments, and allocates in the first run alone (and in runs at once, for each in the
/// first). Or, where none was built, a plan that runs make.
pub struct Prepared<K: Kernel> {
    runs: Arc<Runs<K>>,
    options: Options,
    /// Memory of runs over ranks.
    #[cfg(feature = "ranks")]
    pub(crate) over_ranks: crate::ranks::Kept<K>,
}

/// Choice of what runs.
enum Runs<K: Kernel> {
    Program {
        program: Arc<Program<K>>,
        /// Program for one processor, if calls may fall back to that.
        alone: Option<Arc<Program<K>>>,
        may_fall_back: bool,
    },
    /// Plan, with the memory of the calls.
    Planned(PerProcess<Memory>),
}

impl<K: Kernel> Runs<K> {
    /// Returns a choice that never falls back.
    fn of(program: Program<K>) -> Self {
        Self::Program {
            program: Arc::new(program),
            alone: None,
            may_fall_back: false,
        }
    }

    fn program(&self) -> Option<&Program<K>> {
        match self {
            Self::Program { program, .. } => Some(program),
            Self::Planned(_) => None,
        }
    }
}

impl<K: Kernel> Prepared<K> {
    fn of(runs: impl Into<Arc<Runs<K>>>, options: Options) -> Self {
        Self {
            runs: runs.into(),
            options,
            #[cfg(feature = "ranks")]
            over_ranks: crate::ranks::Kept::default(),
        }
    }

    /// Makes a program directly from its tables and code. If the tables share arrays, they and the
    /// code must be of one program that the generator's replay has passed. Otherwise the processors
    /// may race: see [`words`](crate::words).
    ///
    /// # Errors
    /// If the tables contradict each other.
    pub fn from_plan(plan: Plan, execute: Execute<K>, options: Options) -> Result<Self, PlanError> {
        Ok(Self::of(Runs::of(Program::new(plan, execute)?), options))
    }

    /// Makes a program with the same code and other tables, which never falls back. A test that
    /// takes a word out of a message learns whether its comparisons notice. As for
    /// [`from_plan`](Self::from_plan), tables that share arrays must stay those of a program that
    /// the replay has passed.
    ///
    /// # Errors
    /// If the tables contradict each other, or there is no program.
    pub fn altered(&self, change: impl FnOnce(&mut Plan)) -> Result<Self, PrepareError> {
        let program = self.runs.program();
        let altered = program.map(|program| program.altered(change));
        let altered = altered.transpose().map_err(|source| PrepareError::Plan {
            kernel: K::NAME,
            source,
        })?;
        let program = altered.ok_or_else(|| not_prepared::<K>(&self.options))?;
        Ok(Self::of(Runs::of(program), self.options))
    }

    /// Runs the program. The arguments come back in [`Outcome::Original`] if one is shorter than
    /// the program needs, or this thread is already a processor of a running program. They also do
    /// if the function as written is [measured](crate#falling-back).
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

    /// Runs the program as [`run`](Self::run) does. A plan that is made after some calls for the
    /// same control arguments runs where that is measured to be faster.
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
        timeline::begin(K::NAME, self.options.record);
        let (program, alone, may_fall_back) = match &*self.runs {
            Runs::Program {
                program,
                alone,
                may_fall_back,
            } => (program, alone, *may_fall_back),
            Runs::Planned(memory) => {
                let processors = self.options.processors_of_plans(cores::count_by_now());
                let Some((planning, processors)) = planning.zip(processors) else {
                    return Ok(original(not_built::<K>(), arguments));
                };
                let kept = Kept::Lent(memory.get().of(processors));
                return planned::run(kept, planning, None, &self.options, arguments);
            }
        };
        let chosen = Chosen {
            program: Source::Program(program),
            alone: alone.as_ref().map(Source::Program),
            may_fall_back,
            is_compared: true,
            cores: planning.map_or(1, |_| cores::count_by_now()),
        };
        let calls = chosen.calls(&self.options, planning, None);
        if let Some(turn) = calls.as_ref().and_then(Calls::function_in_its_turn) {
            return Ok(Outcome::Original(arguments, turn));
        }
        chosen.run(calls, &self.options, arguments)
    }

    /// Returns the program, if there is one.
    #[cfg(feature = "ranks")]
    pub(crate) fn program(&self) -> Option<&Program<K>> {
        self.runs.program()
    }

    /// Returns the program's tables, if there is a program.
    pub fn plan(&self) -> Option<&Plan> {
        self.runs.program().map(Program::plan)
    }

    /// Returns the number of processors: of the program, or that a plan may have on the cores that
    /// the calling thread has now.
    pub fn processors(&self) -> usize {
        match self.plan() {
            Some(plan) => plan.processors as usize,
            None => {
                let processors = self.options.processors_of_plans(cores::count_by_now());
                processors.unwrap_or(1)
            }
        }
    }

    /// Returns the program's number of supersteps; 0 if there is no program.
    pub fn supersteps(&self) -> usize {
        self.plan().map_or(0, |plan| plan.supersteps as usize)
    }
}

impl<K: Kernel> Clone for Prepared<K> {
    fn clone(&self) -> Self {
        Self::of(self.runs.clone(), self.options)
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
