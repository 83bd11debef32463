//! Plans made at run time: which processor runs which iterations of a kernel's loops, for a pattern that nobody knew before.
//!
//! A build generates programs for sizes and patterns that it is given. Where these come with the
//! data, `#[kernel(plan)]` adds `plan` to the kernel's module: it tracks what each iteration reads
//! and writes, schedules the iterations, and proves the schedule ([`superstep_planner`]). Nothing
//! is generated: processors run the statements of the kernel, compiled in the crate, iteration by
//! iteration, on the caller's arrays.
//!
//! Control is evaluated again while the plan runs. It has the same values then: what it reads are
//! control arguments, which the plan holds, and constants; the macro refuses all else. So what each
//! iteration reads and writes is what the proof has seen, and no two processors use a word at once
//! if one of them writes it.

mod control;
mod file;
mod space;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use superstep_plan::synchronisation::Awaited;
pub use superstep_planner::{Accesses, Costs, Report as PlanReport, Windows, Within};
use superstep_planner::{Fault, Graph, PlanError, Proved, Track, TrackError};
pub use superstep_tracer::arithmetic;

pub use self::control::{Control, is_control, number};
pub use self::file::{DecodeError, FileError, Identity, scalar, structure};
pub use self::space::{
    Item, Site, SomeValues, Space, UNKNOWN, item, items, read, read_all, write, write_all,
};
use crate::call::{self, Ran, Reason};
use crate::cores;
use crate::error::{Failure, RunError};
use crate::kernel::Kernel;
pub use crate::options::Wait;
use crate::progress::{Aborted, Progress};
use crate::statement;
use crate::sync::{Mutex, Padded, lock};
use crate::team::{self, Job, Late, Need};
use crate::transport::Pool;
use crate::wait::Patience;
use crate::words::Loan;
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

    /// Tells what some iterations read and write of the shared arrays.
    fn track(control: Self::Control<'_>, site: &Site<'_>, accesses: &mut impl Accesses);

    /// Runs some iterations.
    fn compute(control: Self::Control<'_>, site: &Site<'_>, view: &mut Self::View<'_>);
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
    wait: Wait,
    schedule: Schedule,
    costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            processors: None,
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
}

/// A proved plan of a kernel, and what its runs keep.
pub struct Planned<K: Grains> {
    program: Arc<Program>,
    report: PlanReport,
    idle: Pool<Arc<State<K>>>,
    wait: Wait,
}

impl<K: Grains> fmt::Debug for Planned<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned")
            .field("kernel", &K::NAME)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// A proved plan with its iterations.
struct Program {
    space: Space,
    proved: Proved,
    /// Words that are needed of each shared array.
    lengths: Vec<usize>,
    /// For each chunk, where the processors that wait for its end begin in `listeners`.
    first_listeners: Vec<u32>,
    listeners: Vec<u32>,
}

impl<K: Grains> Planned<K> {
    /// Tracks the iterations of a kernel, schedules them, and proves the schedule.
    ///
    /// # Errors
    /// If control fails, there are too many iterations, or no processors.
    pub fn new(control: K::Control<'_>, settings: Settings) -> Result<Self, PlanningError> {
        Self::with(control, settings.wait, |tracked| tracked.plan(&settings))
    }

    /// Finds the iterations of a kernel, and takes a plan of them.
    fn with(
        control: K::Control<'_>,
        wait: Wait,
        plan: impl FnOnce(&Tracked<'_, '_, K>) -> Result<(Proved, PlanReport), PlanError>,
    ) -> Result<Self, PlanningError> {
        let kernel = K::NAME;
        let planning = || -> Result<(Program, PlanReport), PlanningError> {
            let mut space = Space::default();
            K::walk(control, &mut space);
            let iterations = space
                .iterations()
                .ok_or(PlanningError::Iterations { kernel })?;
            let tracked = Tracked::<K>::new(control, &space, iterations);
            let (proved, report) =
                plan(&tracked).map_err(|source| PlanningError::Plan { kernel, source })?;
            let lengths = tracked.lengths;
            Ok((Program::new(space, proved, lengths), report))
        };
        let planned = catch_unwind(AssertUnwindSafe(planning));
        let (program, report) = planned.unwrap_or_else(|payload| {
            let message = superstep_tracer::overflow(&*payload)
                .or_else(|| crate::error::message(&*payload).map(str::to_owned))
                .unwrap_or_else(|| "a panic without a message".into());
            Err(PlanningError::Control { kernel, message })
        })?;
        Ok(Self {
            program: Arc::new(program),
            report,
            idle: Pool::default(),
            wait,
        })
    }

    /// Returns what was planned, and why.
    pub fn report(&self) -> &PlanReport {
        &self.report
    }

    /// Runs the plan, if all lengths of arguments that it was made for are the same. Returns whether
    /// it has run: [`last_reason`](call::last_reason) says why not.
    ///
    /// # Errors
    /// If an iteration panics: the error is that of the first one in the sequential run.
    pub fn run(
        &self,
        control: K::Control<'_>,
        is_fitting: bool,
        arguments: K::Arguments<'_>,
    ) -> Result<bool, RunError> {
        let outcome = self.try_run(control, is_fitting, arguments)?;
        call::keep(outcome);
        Ok(outcome.is_ok())
    }

    fn try_run(
        &self,
        control: K::Control<'_>,
        is_fitting: bool,
        mut arguments: K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError> {
        let processors = self.program.processors();
        let shared = K::SHARED.iter().zip(&self.program.lengths);
        let mut is_short =
            shared.map(|(&array, &words)| K::argument_words(&arguments, array) < words);
        if processors < 2 {
            return Ok(Err(Reason::Sequential));
        }
        if team::inside() {
            return Ok(Err(Reason::Nested));
        }
        if !is_fitting || is_short.any(|is_short| is_short) {
            return Ok(Err(Reason::Short));
        }
        let state = self
            .idle
            .take()
            .unwrap_or_else(|| Arc::new(State::new(&self.program, &arguments, self.wait)));
        let lend = |arguments: &mut K::Arguments<'_>| {
            Some((K::lend(arguments)?, K::lend_control(control)))
        };
        let run = || team::run(processors, Late::Awaited, Need::Wishes, &state);
        if state.loan.during(&mut arguments, lend, run).is_err() {
            return Ok(Err(Reason::NoThreads));
        }
        if let Some(first) = state.first_failure() {
            return Err(first.into_error(K::NAME));
        }
        self.idle.put(state);
        Ok(Ok(Ran {
            kernel: K::NAME,
            processors,
            instead_of: None,
            supersteps: self.program.longest() as usize,
            worked: processors,
            predicted: None,
        }))
    }
}

/// A kernel's control, iteration by iteration.
struct Tracked<'c, 's, K: Grains> {
    control: K::Control<'c>,
    space: &'s Space,
    iterations: u32,
    lengths: Vec<usize>,
}

impl<'c, 's, K: Grains> Tracked<'c, 's, K> {
    fn new(control: K::Control<'c>, space: &'s Space, iterations: u32) -> Self {
        let mut tracked = Self {
            control,
            space,
            iterations,
            lengths: vec![0; K::SHARED.len()],
        };
        let mut extents = Extents(std::mem::take(&mut tracked.lengths));
        tracked.each(0..iterations, &mut extents);
        tracked.lengths = extents.0;
        tracked
    }

    fn each(&self, iterations: std::ops::Range<u32>, accesses: &mut impl Accesses) {
        let mut left = iterations;
        while !left.is_empty() {
            let (site, rest) = self.space.split(left);
            K::track(self.control, &site, accesses);
            left = rest;
        }
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
    ) -> Result<(), TrackError> {
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

impl Program {
    fn new(space: Space, proved: Proved, lengths: Vec<usize>) -> Self {
        let plan = proved.plan();
        let chunks = plan.chunks.len() - 1;
        let processors = plan.processors.len() as u32 - 1;
        let mut pairs = Vec::new();
        for processor in 0..processors {
            for chunk in plan.chunks_of(processor) {
                for wait in plan.waits_of(chunk).iter().filter(|wait| wait.chunks > 0) {
                    let awaited = plan.processors[wait.processor as usize] + wait.chunks - 1;
                    pairs.push((awaited, processor));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let first = |chunk| pairs.partition_point(|&(awaited, _)| awaited < chunk) as u32;
        Self {
            first_listeners: (0..=chunks as u32).map(first).collect(),
            listeners: pairs.iter().map(|&(_, processor)| processor).collect(),
            space,
            proved,
            lengths,
        }
    }

    fn processors(&self) -> usize {
        self.proved.plan().processors.len() - 1
    }

    /// Returns the most chunks of a processor.
    fn longest(&self) -> u32 {
        let bounds = self.proved.plan().processors.windows(2);
        bounds.map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    fn listeners(&self, chunk: u32) -> &[u32] {
        let chunk = chunk as usize;
        &self.listeners
            [self.first_listeners[chunk] as usize..self.first_listeners[chunk + 1] as usize]
    }
}

/// State that the threads of one run share.
struct State<K: Grains> {
    program: Arc<Program>,
    loan: Loan<(K::Lent, K::LentControl)>,
    /// Memories without words: arguments are lent, and each grain has arrays of its own.
    memories: Vec<Padded<Mutex<K::Memory>>>,
    /// All arrays that are arguments are used where the caller has them.
    shared: Vec<bool>,
    progress: Progress,
    failures: Mutex<Vec<(u32, Failure)>>,
}

impl<K: Grains> State<K> {
    fn new(program: &Arc<Program>, arguments: &K::Arguments<'_>, wait: Wait) -> Self {
        let processors = program.processors();
        let none = vec![0; K::ARRAYS];
        let memory = |_| Padded(Mutex::new(K::memory(arguments, &none)));
        let patience = Patience::new(processors, wait, cores::count_of_workers());
        Self {
            program: Arc::clone(program),
            loan: Loan::default(),
            memories: (0..processors).map(memory).collect(),
            shared: vec![true; K::ARRAYS],
            progress: Progress::new(processors, patience),
            failures: Mutex::new(Vec::new()),
        }
    }

    /// Returns the failure of the iteration that is first in the sequential run.
    fn first_failure(&self) -> Option<Failure> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        let first = failures.into_iter().min_by_key(|&(iteration, _)| iteration);
        first.map(|(_, failure)| failure)
    }

    /// Runs all chunks of a processor, whose count is at `start`.
    fn chunks(&self, processor: usize, start: u32) -> Result<(), Aborted> {
        let plan = self.program.proved.plan();
        let memory = &mut *lock(&self.memories[processor].0);
        self.loan.with(|lent| {
            let Some(((lent, control), permit)) = lent else {
                return Err(Aborted);
            };
            let control = K::control(control, permit);
            let mut view = K::shared_view(lent, memory, &self.shared, permit);
            for (count, chunk) in (1..).zip(plan.chunks_of(processor as u32)) {
                for wait in plan.waits_of(chunk) {
                    let awaited = Awaited {
                        peer: wait.processor,
                        supersteps: wait.chunks,
                    };
                    self.progress.wait(processor, start, awaited)?;
                }
                self.chunk(processor, count, chunk, control, &mut view)?;
                let listeners = self.program.listeners(chunk);
                if !listeners.is_empty() {
                    self.progress.end(processor, start, count, listeners);
                }
            }
            Ok(())
        })
    }

    fn chunk(
        &self,
        processor: usize,
        count: u32,
        chunk: u32,
        control: K::Control<'_>,
        view: &mut K::View<'_>,
    ) -> Result<(), Aborted> {
        let plan = self.program.proved.plan();
        let begun = AtomicU32::new(0);
        let run = || {
            for &grain in plan.grains_of(chunk) {
                let mut left = plan.iterations_of(grain);
                begun.store(left.start, Ordering::Relaxed);
                while !left.is_empty() {
                    let (site, rest) = self.program.space.split(left);
                    K::compute(control, &site, view);
                    left = rest;
                }
            }
        };
        catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
            let failure = Failure {
                superstep: count as usize - 1,
                processor,
                statement: statement::take(),
                payload,
            };
            let iteration = begun.load(Ordering::Relaxed);
            lock(&self.failures).push((iteration, failure));
            Aborted
        })
    }
}

impl<K: Grains> Job for State<K> {
    fn run(&self, processor: usize) {
        let start = self.progress.start(processor);
        match self.chunks(processor, start) {
            // The next run starts from here, and all counts are equal then.
            Ok(()) => self
                .progress
                .end(processor, start, self.program.longest(), &[]),
            Err(Aborted) => self.progress.stop(processor),
        }
    }
}
