//! Plans made at run time: which processor runs which iterations of a kernel's loops, for a pattern
//! that nobody knew before.
//!
//! A build generates programs for sizes and patterns that it is given. Where these come with the
//! data, there is `plan` in the kernel's module. It tracks what each iteration reads and writes,
//! schedules the iterations, and proves the schedule ([`superstep_planner`]). Nothing is generated.
//! Processors run the statements of the kernel, compiled in the crate, iteration by iteration, on
//! the caller's arrays.
//!
//! Control is evaluated again while the plan runs, or was recorded on [tapes](Tape) before. It has
//! the same values then. It reads control arguments, which the plan holds, and constants; the macro
//! refuses all else. So what each iteration reads and writes is what the proof has seen. No two
//! processors use a word at once if one of them writes it.

#[cfg(feature = "report")]
mod advice;
mod control;
mod extents;
mod file;
pub mod gather;
mod in_call;
mod list;
mod loaded;
mod measured;
mod program;
#[cfg(feature = "ranks")]
mod ranked;
mod report;
mod run;
#[cfg(feature = "report")]
mod saved;
mod scratch;
#[cfg(feature = "ranks")]
mod slots;
mod space;
mod state;
mod stretch;
mod tape;
mod tracked;

use std::fmt;
use std::sync::Arc;

use superstep_order::Recording;
pub use superstep_planner::{Accesses, Costs, Report as PlanReport, Windows, Within};
use superstep_planner::{MOST_ITERATIONS, PlanError};
pub use superstep_tracer::{Part, arithmetic};

pub use self::control::{
    Control, Integer, IntegerControl, NoNumber, Outside, OwnLength, Scalar, ScalarControl,
    Unsigned, UnsignedControl, integer, is_control, number, scalar_number, unsigned,
};
pub use self::extents::Extents;
pub use self::file::{DecodeError, FileError, Identity, scalar, structure};
pub use self::in_call::InCall;
pub use self::loaded::Loaded;
pub use self::measured::MeasuredError;
use self::program::Program;
#[cfg(feature = "ranks")]
pub use self::ranked::{Ranked, RankedPart, of_messages, run_over};
pub use self::report::Report;
#[cfg(feature = "report")]
pub use self::report::{ReportError, Whole};
use self::run::Runner;
#[cfg(feature = "report")]
pub use self::saved::Saved;
#[cfg(feature = "ranks")]
pub use self::slots::{HeldInput, HeldStructure, HeldWords, Slots};
pub use self::space::{
    Item, Site, Space, UNKNOWN, carried, item, reach, reach_all, read, read_all, update,
    update_all, words_of, write, write_all,
};
pub use self::stretch::{Stretch, Stretches, stretches};
pub use self::tape::{ControlReader, ControlTape, NoTape, Reader, Tape, Taped, ValueTape};
pub use crate::call::{Outcome, Unbuilt};
pub use crate::control::ControlSink;
pub use crate::error::LengthError;
use crate::error::{RunError, catch};
pub use crate::guard::{give_up, given_up};
pub use crate::kernel::Kernel;
pub use crate::options::WaitPolicy;
pub use crate::structure::Structure;
pub use crate::timeline::Timeline;
pub use crate::words::proved::{Proof, ProvedInput, ProvedWords};
pub use crate::words::{Inside, Lent, LentInput, Permit};

/// Kernel whose loops can be planned. Implemented by `#[kernel]`.
pub trait Grains: Kernel {
    /// Control arguments: sizes by value, structure by reference.
    type Control<'s>: Copy + Sync;
    /// Copies of control arguments.
    type OwnedControl: Send + 'static;
    /// Control arguments while they are lent to all processors.
    type LentControl: Copy + Send + Sync + 'static;
    /// Words of arrays that are [in common](Self::COMMON) while they are lent.
    type LentCommon: Copy + Send + Sync + 'static;

    /// Levels at which the kernel has iterations to schedule, ascending. Level 0 is that of its
    /// outermost loops, 1 that of the loops in them, and so on.
    const LEVELS: &'static [usize];
    /// Number of all arrays, the kernel's own too.
    const ARRAYS: usize;
    /// Arrays that iterations may write, by their numbers among all and names. Their places here
    /// are their numbers for [`Accesses`].
    const SHARED: &'static [(u16, &'static str)];
    /// Arrays of the kernel's own that live on from one iteration to others, by their numbers among
    /// all. They are the last ones of the shared arrays.
    const COMMON: &'static [u16];
    /// Arrays in which each iteration keeps values of its own, by their numbers and names. For
    /// [`Accesses`] they follow those that are shared.
    const SCRATCH: &'static [(u16, &'static str)];
    /// Arrays that iterations only read, by their numbers and names, but for
    /// [values](Self::Values). For [`Extents`] they follow scratch.
    const INPUTS: &'static [(u16, &'static str)];
    /// Arrays that are values, which follow the others.
    const VALUES: &'static [(u16, &'static str)];
    /// Set if iterations can [give up](give_up).
    const CAN_GIVE_UP: bool;
    /// Source file, and the line of the kernel's name.
    const PLACE: (&'static str, u32);
    /// Hash of the kernel's text.
    const TEXT: &'static str;

    /// Feeds control arguments to a sink, in order.
    fn feed<S: ControlSink>(control: Self::Control<'_>, sink: &mut S);

    /// Names control arguments to the identity of a plan.
    fn identify(control: Self::Control<'_>, identity: &mut Identity);

    /// Copies control arguments, for a thread that outlives the call.
    fn copy_control(control: Self::Control<'_>) -> Self::OwnedControl;

    /// Borrows copies of control arguments.
    fn borrow_control(copies: &Self::OwnedControl) -> Self::Control<'_>;

    /// Lends control arguments.
    fn lend_control(control: Self::Control<'_>) -> Self::LentControl;

    /// Returns lent control arguments to a processor.
    fn control<'v>(lent: &Self::LentControl, permit: Permit<'v>) -> Self::Control<'v>;

    /// Lends the arrays that are in common.
    fn lend_common(memory: &mut Self::Memory) -> Self::LentCommon;

    /// Has a processor use lent arrays that are in common.
    fn use_common<'v>(lent: &Self::LentCommon, permit: Permit<'v>, view: &mut Self::View<'v>);

    /// Runs the control around the iterations of the space's level, and names these to it.
    fn walk(control: Self::Control<'_>, space: &mut Space);

    /// Tells where each of some iterations begins, and what it reads and writes of the shared
    /// arrays. Tells how far all of them reach in others.
    fn track(
        control: Self::Control<'_>,
        site: &Site<'_>,
        accesses: &mut Accesses<'_>,
        extents: &mut Extents,
    );

    /// Returns how many words an array has, by its number among all, if control or its type tells
    /// that.
    fn known_words(control: Self::Control<'_>, array: u16) -> Option<usize>;

    /// Runs some iterations.
    fn compute(
        control: Self::Control<'_>,
        site: &Site<'_>,
        proof: Proof<'_>,
        view: &mut Self::View<'_>,
    );

    /// Runs some iterations on the words that a rank has.
    #[cfg(feature = "ranks")]
    fn compute_held(
        control: Self::Control<'_>,
        site: &Site<'_>,
        slots: Slots<'_>,
        view: &mut Self::View<'_>,
    );

    /// Arguments marked `#[values]`, as slices of words.
    type Values<'a>: Copy + Sync;
    /// Structure and values in the order in which a processor reads them; [`NoTape`] of a kernel
    /// whose plans are never loaded, which leaves out all that is provided below.
    type Tape: Tape;
    /// Reader of a tape.
    type Reader<'t>;

    /// Records what some iterations read of structure, and where of values.
    fn record(_control: Self::Control<'_>, _site: &Site<'_>, _tape: &mut Self::Tape) {}

    /// Copies values from where the tape has recorded that they are read.
    fn fill(_values: Self::Values<'_>, _tape: &mut Self::Tape) {}

    /// Returns the words of an array of values, by its number among all.
    fn value_words(_values: &Self::Values<'_>, _array: u16) -> usize {
        0
    }

    /// Begins to read a tape behind as many words as another one has counted, if it has.
    fn reader<'t>(tape: &'t Self::Tape, behind: &Self::Tape) -> Self::Reader<'t>;

    /// Returns a tape that has counted the words which a reader of one has read.
    fn read_by(_tape: &Self::Tape, _reader: &Self::Reader<'_>) -> Self::Tape {
        Self::Tape::default()
    }

    /// Runs some iterations, which read structure and values from a tape.
    fn replay(
        _control: Self::Control<'_>,
        _site: &Site<'_>,
        _proof: Proof<'_>,
        _reader: &mut Self::Reader<'_>,
        _view: &mut Self::View<'_>,
    ) {
    }
}

/// Schedule of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Schedule that is predicted to be fastest.
    #[default]
    Fastest,
    /// Parts that do not depend on each other, which processors share as they become free.
    Farm,
    /// Windows of neighbouring grains, dealt to the processors in turn, which wait for single
    /// chunks of others. Windows of no grain have one, and so for chunks.
    Doacross(Windows),
    /// A superstep for each level of the graph.
    Levels,
    /// Supersteps grown greedily.
    GrowLocal,
    /// Blocks of the run on fixed owners, passed on in slices.
    Pipeline,
    /// Each processor writes words of its own, so many parts of all, at least one.
    Owners(u32),
}

/// Choices of a plan.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    processors: Option<usize>,
    /// Set if runs are not compared with the function.
    insists: bool,
    wait: WaitPolicy,
    schedule: Schedule,
    costs: Costs,
    /// Set if the user has set costs, or runs by which they are measured.
    has_costs: bool,
    level: Option<usize>,
    /// Expected number of calls, if one is.
    calls: Option<u64>,
    proof_memory: Option<usize>,
    is_single: bool,
    record: bool,
    /// Recorded runs whose prices count, each of the plan that those before it lead to.
    measured: Vec<Arc<Recording>>,
}

impl Settings {
    /// Sets the number of processors: with fewer cores, they share them.
    #[must_use]
    pub fn processors(self, processors: usize) -> Self {
        Self {
            processors: Some(processors),
            insists: false,
            ..self
        }
    }

    /// Sets the number of processors, on which runs insist: they are not compared with the
    /// function.
    #[must_use]
    pub fn exactly(self, processors: usize) -> Self {
        Self {
            processors: Some(processors),
            insists: true,
            ..self
        }
    }

    /// Sets how processors wait for each other.
    #[must_use]
    pub fn wait(self, wait: WaitPolicy) -> Self {
        Self { wait, ..self }
    }

    /// Sets the schedule.
    #[must_use]
    pub fn schedule(self, schedule: Schedule) -> Self {
        Self { schedule, ..self }
    }

    /// Sets what words and waits cost.
    #[must_use]
    pub fn costs(self, costs: Costs) -> Self {
        Self {
            costs,
            has_costs: true,
            ..self
        }
    }

    /// Sets the level of the loops whose iterations are scheduled.
    #[must_use]
    pub fn level(self, level: usize) -> Self {
        Self {
            level: Some(level),
            ..self
        }
    }

    /// Sets how many calls are expected. No schedule but one that is named is made if it cannot pay
    /// for itself within so many: the plan has one processor then.
    #[must_use]
    pub fn expected_calls(self, calls: u64) -> Self {
        Self {
            calls: Some(calls),
            ..self
        }
    }

    /// Has runs recorded: after each, [`last_timeline`](crate::timeline::last_timeline) says when
    /// its steps began and ended. It takes some 50 ns for each step.
    #[must_use]
    pub fn record(self, record: bool) -> Self {
        Self { record, ..self }
    }

    /// Takes the prices of words and waits from a recorded run of the plan that these choices lead
    /// to.
    #[must_use]
    pub fn measured(mut self, timeline: &Timeline) -> Self {
        self.has_costs = true;
        self.measured.push(Arc::clone(timeline.recording()));
        self
    }

    /// Sets how many bytes the proof of a plan that is opened may take, beside what is in
    /// proportion to plan and kernel.
    #[must_use]
    pub fn proof_memory(self, bytes: usize) -> Self {
        Self {
            proof_memory: Some(bytes),
            ..self
        }
    }

    /// Has one plan made: calls are not compared with another one.
    fn single(self) -> Self {
        Self {
            is_single: true,
            ..self
        }
    }

    /// Returns how many plans calls may compare: those of runs that are compared with the function.
    fn rivals(&self) -> usize {
        match self.insists || self.is_single {
            true => 1,
            false => superstep_planner::RIVALS,
        }
    }
}

/// Errors of planning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanningError {
    /// Control ended in a panic: structure leads out of an array, or an assertion does not hold.
    #[error("{kernel}: control fails: {message}")]
    Control {
        /// Name of the kernel.
        kernel: &'static str,
        /// Message of the panic.
        message: String,
    },
    /// The kernel has no iterations to schedule at the level that was set.
    #[error("{kernel}: no iterations to schedule at level {level}, but at {levels:?}")]
    Level {
        /// Name of the kernel.
        kernel: &'static str,
        /// Level that was set.
        level: usize,
        /// Levels that it has.
        levels: &'static [usize],
    },
    /// There are more iterations than can be counted.
    #[error("{kernel}: more than {MOST_ITERATIONS} iterations, the most that can be planned")]
    Iterations {
        /// Name of the kernel.
        kernel: &'static str,
    },
    /// The iterations cannot be planned.
    #[error("{kernel}: {source}")]
    Plan {
        /// Name of the kernel.
        kernel: &'static str,
        /// Reason of the planner.
        source: PlanError,
    },
    /// An iteration reads a word of scratch that it has not written before: what another iteration
    /// has left there is none of its own.
    #[error(
        "{kernel}: iteration {iteration} reads `{array}[{word}]`, which is scratch, before it writes it"
    )]
    Scratch {
        /// Name of the kernel.
        kernel: &'static str,
        /// Number of the iteration in the sequential run.
        iteration: u32,
        /// Name of the array.
        array: &'static str,
        /// Number of the word.
        word: usize,
    },
    /// An array is not as long as the plan needs.
    #[error(transparent)]
    Length(#[from] LengthError),
    /// A recorded run does not tell what the plan's words and waits take.
    #[error("{kernel}: {source}")]
    Measured {
        /// Name of the kernel.
        kernel: &'static str,
        /// Reason.
        source: MeasuredError,
    },
    /// A plan cannot be loaded: control has a value that does not fit 32 bits.
    #[error("{kernel}: a control value does not fit 32 bits: run the plan in place")]
    Wide {
        /// Name of the kernel.
        kernel: &'static str,
    },
}

impl PlanningError {
    /// Calls a function that evaluates control, whose panic becomes an error.
    fn catch<T>(
        kernel: &'static str,
        evaluate: impl FnOnce() -> Result<T, Self>,
    ) -> Result<T, Self> {
        catch(evaluate).unwrap_or_else(|payload| {
            let overflow = payload.look(superstep_tracer::overflow);
            let message = overflow.unwrap_or_else(|| payload.message());
            Err(Self::Control { kernel, message })
        })
    }
}

/// Proved plan of a kernel, and what its runs keep; or two plans, of which calls find out the
/// faster one.
pub struct Planned<K: Grains> {
    runner: Runner<K>,
}

impl<K: Grains> fmt::Debug for Planned<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned")
            .field("kernel", &K::NAME)
            .field("report", &self.runner.program().report)
            .finish_non_exhaustive()
    }
}

impl<K: Grains> Planned<K> {
    /// Tracks the iterations of a kernel, schedules them, and proves the schedule.
    ///
    /// # Errors
    /// If control fails, there are too many iterations, or no processors.
    pub fn new(control: K::Control<'_>, settings: Settings) -> Result<Self, PlanningError> {
        Self::with(&settings, || {
            tracked::Loops::of::<K, _>(control, |loops| loops.plan_measured(&settings))
        })
    }

    /// Takes programs; a panic of control becomes an error.
    fn with(
        settings: &Settings,
        planning: impl FnOnce() -> Result<Vec<Program>, PlanningError>,
    ) -> Result<Self, PlanningError> {
        let programs = PlanningError::catch(K::NAME, planning)?;
        let programs = programs.into_iter().map(Arc::new).collect();
        Ok(Self {
            runner: Runner::new(programs, settings),
        })
    }

    /// Returns what was planned, and why: of the plan that calls have found to be faster, or that
    /// is predicted to be.
    pub fn whole_report<'p>(&'p self, control: K::Control<'p>) -> Report<'p> {
        self.runner.report(control)
    }

    /// Runs the plan, if the function has not been measured to be faster.
    /// [`last_reason`](crate::call::last_reason) says why not.
    ///
    /// # Errors
    /// If an argument is not as long as the plan needs, or an iteration panics. The error is that
    /// of the first one in the sequential run. The function's turn ends with such an error, too.
    pub fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        self.runner.run(control, None, arguments)
    }

    /// Copies structure and values in the order in which each processor reads them, for the plan
    /// that is predicted to be fastest so. Where levels are wide, there is a second copy by level.
    /// Otherwise another plan is copied, too, if there is one, and the order by level for one
    /// processor. In place stay plans whose copies of structure would be several times as large.
    ///
    /// # Errors
    /// If an array of values is too short, or a control value does not fit 32 bits.
    pub fn load(
        &self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Loaded<K>, PlanningError> {
        let mut programs = self.runner.programs.clone();
        let loaded = |program: &Program| program.report.predicted_loaded();
        programs.sort_by(|a, b| loaded(a).total_cmp(&loaded(b)));
        let mut candidates = vec![&*programs[0]];
        if candidates[0].threads > 1 && !self.runner.insists {
            candidates.push(&self.runner.alone);
        }
        let by_level = tracked::Loops::of::<K, _>(control, |loops| loops.by_level(&candidates));
        let mut alone = None;
        match by_level {
            Some((0, by_level)) => programs = vec![Arc::new(by_level), programs.swap_remove(0)],
            by_level => alone = by_level.map(|(_, by_level)| Arc::new(by_level)),
        }
        let loaded = Loaded::new(self.runner.of(programs, true), alone, control, values)?;
        let in_place = || self.runner.of(self.runner.programs.clone(), false);
        Ok(loaded.unwrap_or_else(|| Loaded::in_place(in_place())))
    }
}
