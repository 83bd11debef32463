//! Plans made at run time: which processor runs which iterations of a kernel's loops, for a pattern that nobody knew before.
//!
//! A build generates programs for sizes and patterns that it is given. Where these come with the
//! data, `#[kernel(plan)]` adds `plan` to the kernel's module: it tracks what each iteration reads
//! and writes, schedules the iterations, and proves the schedule ([`superstep_planner`]). Nothing
//! is generated: processors run the statements of the kernel, compiled in the crate, iteration by
//! iteration, on the caller's arrays.
//!
//! Control is evaluated again while the plan runs, or was recorded on [tapes](Tape) before. It has the same values then: what it reads are
//! control arguments, which the plan holds, and constants; the macro refuses all else. So what each
//! iteration reads and writes is what the proof has seen, and no two processors use a word at once
//! if one of them writes it.

mod control;
mod file;
mod guard;
mod loaded;
mod run;
mod scratch;
mod space;
mod tape;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub use superstep_planner::{Accesses, Costs, Report as PlanReport, Windows, Within};
use superstep_planner::{Fault, Graph, PlanError, Proved, Track, TrackError};
pub use superstep_tracer::{Part, arithmetic};

pub use self::control::{Control, is_control, number};
pub use self::file::{DecodeError, FileError, Identity, scalar, structure};
pub use self::guard::{give_up, given_up};
pub use self::loaded::Loaded;
use self::run::{Program, Runner};
use self::scratch::{Apart, Scratch};
pub use self::space::{
    Item, Site, SiteValues, Space, UNKNOWN, item, items, read, read_all, write, write_all,
};
pub use self::tape::{ControlReader, ControlTape, Reader, Tape, Taped, ValueTape};
pub use crate::call::Outcome;
use crate::cores;
use crate::error::RunError;
use crate::kernel::Kernel;
pub use crate::options::Wait;
pub use crate::words::{LentInput, Permit};

/// A kernel whose loops can be planned. Implemented by `#[kernel(plan)]`.
pub trait Grains: Kernel {
    /// Control arguments: sizes by value, structure by reference.
    type Control<'s>: Copy + Sync;
    /// Control arguments while they are lent to all processors.
    type LentControl: Copy + Send + Sync + 'static;

    /// Number of all arrays, the kernel's own too.
    const ARRAYS: usize;
    /// The arrays that iterations may write, by their numbers among all. Their places here are
    /// their numbers for [`Accesses`].
    const SHARED: &'static [u16];
    /// The arrays in which each iteration keeps values of its own, by their numbers and names. For
    /// [`Accesses`] they follow those that are shared.
    const SCRATCH: &'static [(u16, &'static str)];
    /// Set if iterations can [give up](give_up).
    const CAN_GIVE_UP: bool;
    /// A hash of the kernel's text.
    const TEXT: &'static str;

    /// Names control arguments to the identity of a plan.
    fn identify(control: Self::Control<'_>, identity: &mut Identity);

    /// Lends control arguments.
    fn lend_control(control: Self::Control<'_>) -> Self::LentControl;

    /// Returns lent control arguments to a processor.
    fn control<'v>(lent: &Self::LentControl, permit: Permit<'v>) -> Self::Control<'v>;

    /// Runs the control around the iterations, and names these to `space`.
    fn walk(control: Self::Control<'_>, space: &mut Space);

    /// Tells where each of some iterations begins, and what it reads and writes of the shared
    /// arrays.
    fn track(control: Self::Control<'_>, site: &Site<'_>, accesses: &mut impl Accesses);

    /// Runs some iterations.
    fn compute(control: Self::Control<'_>, site: &Site<'_>, view: &mut Self::View<'_>);

    /// Arguments marked `#[values]`, as slices of words.
    type Values<'a>: Copy + Sync;
    /// Structure and values in the order in which a processor reads them.
    type Tape: Tape;
    /// Reads a tape.
    type Reader<'t>;

    /// Records what some iterations read of structure and values.
    fn record(
        control: Self::Control<'_>,
        site: &Site<'_>,
        values: Self::Values<'_>,
        tape: &mut Self::Tape,
    );

    /// Returns arrays of values without words.
    fn no_values<'a>() -> Self::Values<'a>;

    /// Begins to read a tape behind as many words as another one has counted, if it has.
    fn reader<'t>(tape: &'t Self::Tape, behind: &Self::Tape) -> Self::Reader<'t>;

    /// Runs some iterations, which read structure and values from a tape.
    fn replay(
        control: Self::Control<'_>,
        site: &Site<'_>,
        reader: &mut Self::Reader<'_>,
        view: &mut Self::View<'_>,
    );
}

/// Schedule of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The one that is predicted to be fastest.
    #[default]
    Fastest,
    /// Windows of neighbouring grains, dealt to the processors in turn, which wait for single chunks
    /// of others.
    Doacross(Windows),
    /// Supersteps grown greedily.
    GrowLocal,
}

/// Choices of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    processors: Option<usize>,
    may_fall_back: bool,
    wait: Wait,
    schedule: Schedule,
    costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            processors: None,
            may_fall_back: true,
            wait: Wait::Hybrid,
            schedule: Schedule::Fastest,
            costs: Costs::default(),
        }
    }
}

impl Settings {
    /// Sets the number of processors: with fewer cores, they share them.
    #[must_use]
    pub fn processors(self, processors: usize) -> Self {
        Self {
            processors: Some(processors),
            may_fall_back: true,
            ..self
        }
    }

    /// Sets the number of processors, on which runs insist: they are not compared with the function.
    #[must_use]
    pub fn exactly(self, processors: usize) -> Self {
        Self {
            processors: Some(processors),
            may_fall_back: false,
            ..self
        }
    }

    /// Sets how processors wait for each other.
    #[must_use]
    pub fn wait(self, wait: Wait) -> Self {
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
        Self { costs, ..self }
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
    /// There are more iterations than can be counted.
    #[error("{kernel}: more than 2^32 iterations")]
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
        /// The word.
        word: usize,
    },
    /// Values are not as long as those that were planned for.
    #[error("{kernel}: an argument is not as long as it was planned for")]
    Length {
        /// Name of the kernel.
        kernel: &'static str,
    },
    /// A plan cannot be loaded: control has a value that does not fit 32 bits.
    #[error("{kernel}: a control value does not fit 32 bits: run the plan in place")]
    Wide {
        /// Name of the kernel.
        kernel: &'static str,
    },
}

impl PlanningError {
    /// Returns [`PlanningError::Length`] of a kernel.
    pub fn length<K: Kernel>() -> Self {
        Self::Length { kernel: K::NAME }
    }

    /// Calls a function that evaluates control, whose panic becomes an error.
    fn catch<T>(
        kernel: &'static str,
        evaluate: impl FnOnce() -> Result<T, Self>,
    ) -> Result<T, Self> {
        catch_unwind(AssertUnwindSafe(evaluate)).unwrap_or_else(|payload| {
            let message = superstep_tracer::overflow(&*payload)
                .or_else(|| crate::error::message(&*payload).map(str::to_owned))
                .unwrap_or_else(|| "a panic without a message".into());
            Err(Self::Control { kernel, message })
        })
    }
}

/// A proved plan of a kernel, and what its runs keep.
pub struct Planned<K: Grains> {
    runner: Runner<K>,
    report: PlanReport,
}

impl<K: Grains> fmt::Debug for Planned<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned")
            .field("kernel", &K::NAME)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<K: Grains> Planned<K> {
    /// Tracks the iterations of a kernel, schedules them, and proves the schedule.
    ///
    /// # Errors
    /// If control fails, there are too many iterations, or no processors.
    pub fn new(control: K::Control<'_>, settings: Settings) -> Result<Self, PlanningError> {
        Self::with(control, &settings, |tracked| tracked.plan(&settings))
    }

    /// Finds the iterations of a kernel, and takes a plan of them.
    fn with(
        control: K::Control<'_>,
        settings: &Settings,
        plan: impl FnOnce(&Tracked<'_, '_, K>) -> Result<(Proved, PlanReport), PlanError>,
    ) -> Result<Self, PlanningError> {
        let kernel = K::NAME;
        let planning = || -> Result<(Program, PlanReport), PlanningError> {
            let mut space = Space::default();
            K::walk(control, &mut space);
            let iterations = space
                .iterations()
                .ok_or(PlanningError::Iterations { kernel })?;
            let tracked = Tracked::<K>::new(control, &space, iterations)?;
            let (proved, report) =
                plan(&tracked).map_err(|source| PlanningError::Plan { kernel, source })?;
            let Tracked {
                lengths, scratch, ..
            } = tracked;
            Ok((Program::new(space, proved, lengths, scratch), report))
        };
        let (program, report) = PlanningError::catch(kernel, planning)?;
        Ok(Self {
            runner: Runner::new(Arc::new(program), settings),
            report,
        })
    }

    /// Returns what was planned, and why.
    pub fn report(&self) -> &PlanReport {
        &self.report
    }

    /// Runs the plan, if all lengths of arguments that it was made for are the same, and if the
    /// function has not been measured to be faster. [`last_reason`](crate::call::last_reason) says
    /// why not.
    ///
    /// # Errors
    /// If an iteration panics: the error is that of the first one in the sequential run.
    pub fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        is_fitting: bool,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        self.runner.run(control, None, is_fitting, arguments)
    }

    /// Copies structure and values in the order in which each processor reads them.
    ///
    /// # Errors
    /// If an array of values is too short, or a control value does not fit 32 bits.
    pub fn load(
        &self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Loaded<K>, PlanningError> {
        Loaded::new(self.runner.another(), self.report.clone(), control, values)
    }
}

/// A kernel's control, iteration by iteration.
struct Tracked<'c, 's, K: Grains> {
    control: K::Control<'c>,
    space: &'s Space,
    iterations: u32,
    /// Words that are needed of each shared array.
    lengths: Vec<usize>,
    /// Words that are needed of each scratch array.
    scratch: Vec<usize>,
}

impl<'c, 's, K: Grains> Tracked<'c, 's, K> {
    fn new(
        control: K::Control<'c>,
        space: &'s Space,
        iterations: u32,
    ) -> Result<Self, PlanningError> {
        let mut extents = Extents(vec![0; K::SHARED.len()]);
        let mut scratch = vec![Scratch::default(); K::SCRATCH.len()];
        tell::<K>(control, space, 0..iterations, &mut extents, &mut scratch);
        let lengths: Vec<usize> = scratch.iter().map(Scratch::words).collect();
        if scratch.iter().any(Scratch::is_too_long) {
            let source = PlanError::Track(TrackError::Memory { lengths });
            return Err(PlanningError::Plan {
                kernel: K::NAME,
                source,
            });
        }
        for (scratch, &(_, array)) in scratch.iter().zip(K::SCRATCH) {
            if let Some((iteration, word)) = scratch.unwritten() {
                let kernel = K::NAME;
                return Err(PlanningError::Scratch {
                    kernel,
                    iteration,
                    array,
                    word,
                });
            }
        }
        Ok(Self {
            control,
            space,
            iterations,
            lengths: extents.0,
            scratch: lengths,
        })
    }

    /// Tells the accesses of iterations to shared arrays.
    fn each(&self, iterations: std::ops::Range<u32>, accesses: &mut impl Accesses) {
        tell::<K>(self.control, self.space, iterations, accesses, &mut []);
    }

    fn plan(&self, settings: &Settings) -> Result<(Proved, PlanReport), PlanError> {
        let processors = settings.processors.unwrap_or_else(cores::count);
        let processors = u32::try_from(processors).unwrap_or(u32::MAX);
        match settings.schedule {
            Schedule::Fastest => superstep_planner::plan(self, processors, &settings.costs),
            schedule => {
                let graph = Graph::new(self, &settings.costs)?;
                let (_, report) = superstep_planner::choose(&graph, processors, &settings.costs)?;
                let plan = match schedule {
                    Schedule::Doacross(windows) => {
                        superstep_planner::doacross(&graph, processors, windows)
                    }
                    _ => superstep_planner::grow_local(&graph, processors, &settings.costs),
                };
                Ok((superstep_planner::prove(self, plan)?, report))
            }
        }
    }
}

/// Tells the accesses of iterations to shared arrays, and to scratch if that is given.
fn tell<K: Grains>(
    control: K::Control<'_>,
    space: &Space,
    iterations: std::ops::Range<u32>,
    accesses: &mut impl Accesses,
    scratch: &mut [Scratch],
) {
    if K::SCRATCH.is_empty() {
        space.each(iterations, |site| K::track(control, site, accesses));
    } else {
        let mut apart = Apart::new(accesses, K::SHARED.len(), scratch);
        space.each(iterations, |site| K::track(control, site, &mut apart));
    }
}

impl<K: Grains> Track for Tracked<'_, '_, K> {
    fn iterations(&self) -> u32 {
        self.iterations
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, iteration: u32, accesses: &mut impl Accesses) -> Result<(), Fault> {
        self.each(iteration..iteration + 1, accesses);
        Ok(())
    }

    fn track_all(
        &self,
        iterations: std::ops::Range<u32>,
        accesses: &mut impl Accesses,
    ) -> Result<(), Fault> {
        self.each(iterations, accesses);
        Ok(())
    }
}

/// Finds how many words of each array are used.
struct Extents(Vec<usize>);

impl Accesses for Extents {
    #[inline]
    fn read(&mut self, array: u16, words: std::ops::Range<usize>) {
        let length = &mut self.0[usize::from(array)];
        *length = words.end.max(*length);
    }

    #[inline]
    fn write(&mut self, array: u16, words: std::ops::Range<usize>) {
        self.read(array, words);
    }
}
