//! Runs of proved plans: processors run their chunks, and wait for those of others.
//!
//! A grain that fails stops nobody. From then on all grains behind it in the sequential run are
//! left out, and those before it run, on whatever values there are: where each goes, the values do
//! not decide. So every grain that would have failed before it does fail, and the failure that is
//! first in the sequential run is found for every schedule and every timing.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use superstep_plan::synchronisation::Awaited;
use superstep_planner::{Proved, RIVALS};

use super::{Grains, LentInput, Permit, Settings, Space, Tape, Wait};
use crate::call::{self, Original, Outcome, Ran, Reason};
use crate::cores;
use crate::error::{Failure, RunError};
use crate::fallback::{Fallback, Form, Forms, Next};
use crate::fork::PerProcess;
use crate::progress::{Aborted, Progress};
use crate::statement;
use crate::sync::{Mutex, Padded, lock};
use crate::team::{self, Job, Late, Need};
use crate::transport::Pool;
use crate::wait::Patience;
use crate::words::Loan;

/// A proved plan with its iterations.
pub(super) struct Program {
    space: Arc<Space>,
    pub(super) proved: Proved,
    /// Number of threads that run it: one for each processor of the plan, but for a farm.
    threads: usize,
    /// Words that are needed of each shared array.
    lengths: Vec<usize>,
    /// Words that are needed of each scratch array.
    scratch: Vec<usize>,
    /// For each chunk, where the processors that wait for its end begin in `listeners`.
    first_listeners: Vec<u32>,
    listeners: Vec<u32>,
}

impl Program {
    pub(super) fn new(
        space: Arc<Space>,
        proved: Proved,
        most: usize,
        lengths: Vec<usize>,
        scratch: Vec<usize>,
    ) -> Self {
        let plan = proved.plan();
        let chunks = plan.chunks.len() - 1;
        let processors = plan.processors.len() as u32 - 1;
        let threads = match plan.waits.is_empty() {
            true => most.min(processors as usize),
            false => processors as usize,
        };
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
            threads,
            lengths,
            scratch,
        }
    }

    /// Returns the number of threads that run the plan.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the number of the plan's processors: of a farm, of its parts.
    pub(super) fn parts(&self) -> usize {
        self.proved.plan().processors.len() - 1
    }

    /// Returns whether nobody waits, so that any thread may run any part.
    fn is_shared(&self) -> bool {
        self.proved.plan().waits.is_empty()
    }

    /// Returns the thread to which a part is dealt.
    fn thread_of(&self, part: usize) -> usize {
        let starts = (0..self.threads).map(|thread| self.dealt(thread).start as usize);
        starts.take_while(|&start| start <= part).count() - 1
    }

    /// Returns the parts that are dealt to a thread.
    fn dealt(&self, thread: usize) -> Range<u32> {
        let bounds = [thread, thread + 1].map(|thread| thread * self.parts() / self.threads);
        bounds[0] as u32..bounds[1] as u32
    }

    /// Returns the grains of a processor in its order.
    pub(super) fn grains_of(&self, processor: usize) -> &[u32] {
        let plan = self.proved.plan();
        let chunks = plan.chunks_of(processor as u32);
        let [first, end] =
            [chunks.start, chunks.end].map(|chunk| plan.chunks[chunk as usize] as usize);
        &plan.grains[first..end]
    }

    /// Returns the iterations of the grain at a position, with those of all grains that follow it
    /// both in the list and in the sequential run, whose positions are taken.
    fn run_from(&self, position: u32, positions: &mut Range<u32>) -> Range<u32> {
        let plan = self.proved.plan();
        let first = plan.grains[position as usize];
        let mut last = first;
        for &next in &plan.grains[positions.start as usize..positions.end as usize] {
            if next != last + 1 {
                break;
            }
            last = next;
            positions.start += 1;
        }
        plan.iterations_of(first).start..plan.iterations_of(last).end
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

/// The tape of each processor of a plan; none if there is one, which runs the function.
pub(super) type Tapes<K> = Vec<Padded<<K as Grains>::Tape>>;

/// Runs a plan, in place or loaded, several times at once too; or the faster one of two plans.
pub(super) struct Runner<K: Grains> {
    /// Programs of the plans: at least one; two if both are parallel.
    programs: Vec<Arc<Program>>,
    wait: Wait,
    may_fall_back: bool,
    kept: PerProcess<Kept<K>>,
}

/// Memory that runs leave for those that follow.
struct Kept<K: Grains> {
    /// Memory of each plan's runs.
    idle: [Pool<Arc<State<K>>>; RIVALS],
    fallback: Fallback,
}

impl<K: Grains> Default for Kept<K> {
    fn default() -> Self {
        Self {
            idle: Default::default(),
            fallback: Fallback::of_plans(),
        }
    }
}

impl<K: Grains> Runner<K> {
    pub(super) fn new(programs: Vec<Arc<Program>>, settings: &Settings) -> Self {
        Self {
            programs,
            wait: settings.wait,
            may_fall_back: settings.may_fall_back,
            kept: PerProcess::new(),
        }
    }

    /// Returns one for a plan, or for all.
    pub(super) fn another(&self, plan: Option<usize>) -> Self {
        let programs = match plan {
            Some(plan) => vec![Arc::clone(&self.programs[plan])],
            None => self.programs.clone(),
        };
        Self {
            programs,
            kept: PerProcess::new(),
            ..*self
        }
    }

    pub(super) fn programs(&self) -> &[Arc<Program>] {
        &self.programs
    }

    /// Returns the number of the plan that calls have found to be faster, or that there is alone.
    pub(super) fn faster(&self) -> Option<usize> {
        match self.programs.len() {
            RIVALS => self.kept.get().fallback.faster_plan().map(plan_of),
            _ => Some(0),
        }
    }

    /// Returns the number of threads of the first plan.
    pub(super) fn threads(&self) -> usize {
        self.programs[0].threads()
    }

    /// Returns whether an array is shorter than the plan needs.
    fn is_short(&self, arguments: &K::Arguments<'_>) -> bool {
        self.programs.iter().any(|program| {
            let shared = K::SHARED.iter().zip(&program.lengths);
            let scratch = K::SCRATCH.iter().map(|(array, _)| array);
            let mut all = shared.chain(scratch.zip(&program.scratch));
            all.any(|(&array, &words)| K::argument_words(arguments, array) < words)
        })
    }

    /// Runs a plan, or gives the arguments back for the function. `tapes`: of each plan; none
    /// where they run in place.
    pub(super) fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        tapes: &[Tapes<K>],
        is_fitting: bool,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        call::begin();
        if !is_fitting || self.is_short(&arguments) {
            return Ok(call::original(Reason::Short, arguments));
        }
        let turn = match self.turn() {
            Ok(next) => match self.run_timed(control, tapes, next, &mut arguments)? {
                Some(ran) => {
                    call::keep(ran);
                    return Ok(Outcome::Ran);
                }
                None => Original::in_place_of::<K>(Reason::NoThreads, None),
            },
            Err(turn) => turn,
        };
        Ok(Outcome::Original(arguments, turn))
    }

    /// Runs the plan, which is not compared with the function here, or gives the reason why it
    /// cannot run.
    pub(super) fn run_uncompared(
        &self,
        control: K::Control<'_>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError> {
        if self.is_short(arguments) {
            return Ok(Err(Reason::Short));
        }
        let ran = self.run_timed(control, &[], None, arguments)?;
        Ok(ran.ok_or(Reason::NoThreads))
    }

    /// Chooses the form of the next call: parallel, or the function. None if runs insist.
    fn turn(&self) -> Result<Option<Next>, Original<'_>> {
        if self.threads() < 2 {
            return Err(Original::in_place_of::<K>(Reason::Sequential, None));
        }
        if team::inside() {
            return Err(Original::in_place_of::<K>(Reason::Nested, None));
        }
        if K::CAN_GIVE_UP && cfg!(panic = "abort") {
            return Err(Original::in_place_of::<K>(Reason::Aborts, None));
        }
        if !self.may_fall_back {
            return Ok(None);
        }
        let fallback = &self.kept.get().fallback;
        let next = fallback.next(Forms {
            parallel: true,
            alone: false,
            planned: self.programs.len() == RIVALS,
        });
        if next.form == Form::Written {
            let timed = next.timed.then_some(fallback);
            return Err(Original::chosen::<K>(next, timed));
        }
        Ok(Some(next))
    }

    /// Runs the plan on its processors, if these can be had, and takes note of how long it takes.
    fn run_timed(
        &self,
        control: K::Control<'_>,
        tapes: &[Tapes<K>],
        next: Option<Next>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Option<Ran>, RunError> {
        let start = next.filter(|next| next.timed).map(|_| Instant::now());
        let form = next.map_or(Form::Parallel, |next| next.form);
        let plan = plan_of(form);
        let program = &self.programs[plan];
        let late = match program.is_shared() {
            true => Late::Excused,
            false => Late::Awaited,
        };
        let on_threads = |state: &_| team::run(program.threads(), late, Need::Wishes, state);
        let tapes = tapes.get(plan).map(|tapes| &tapes[..]);
        let outcome = self.lend(plan, control, tapes, arguments, on_threads)?;
        let fallback = &self.kept.get().fallback;
        match (&outcome, start) {
            (Ok(()), Some(start)) => fallback.took(form, start.elapsed()),
            (Err(_), Some(_)) => fallback.lacks_threads(),
            _ => {}
        }
        Ok(outcome.is_ok().then(|| self.ran(plan)))
    }

    /// Lends all arguments to a run of a plan.
    fn lend<R>(
        &self,
        plan: usize,
        control: K::Control<'_>,
        tapes: Option<&[Padded<K::Tape>]>,
        arguments: &mut K::Arguments<'_>,
        run: impl FnOnce(&Arc<State<K>>) -> R,
    ) -> Result<R, RunError> {
        let idle = &self.kept.get().idle[plan];
        let new = || Arc::new(State::new(&self.programs[plan], arguments, self.wait));
        let state = idle.take().unwrap_or_else(new);
        state.deal();
        let lend = |arguments: &mut K::Arguments<'_>| {
            Some(Lent {
                arguments: K::lend(arguments)?,
                control: K::lend_control(control),
                tapes: tapes.map(LentInput::new),
            })
        };
        let result = state.loan.during(arguments, lend, || run(&state));
        if let Some(first) = state.first_failure() {
            return Err(first.into_error(K::NAME));
        }
        idle.put(state);
        Ok(result)
    }

    fn ran(&self, plan: usize) -> Ran {
        let threads = self.programs[plan].threads();
        Ran {
            kernel: K::NAME,
            processors: threads,
            instead_of: None,
            supersteps: self.programs[plan].longest() as usize,
            worked: threads,
            predicted: None,
        }
    }
}

/// Returns the number of the plan that is a form of calls.
fn plan_of(form: Form) -> usize {
    usize::from(form == Form::Planned)
}

/// Arguments and memory that are lent to the processors of a run.
struct Lent<K: Grains> {
    arguments: K::Lent,
    control: K::LentControl,
    /// Where structure and values are read from tapes.
    tapes: Option<LentInput<Padded<K::Tape>>>,
}

/// State that the threads of one run share.
pub(super) struct State<K: Grains> {
    program: Arc<Program>,
    loan: Loan<Lent<K>>,
    /// Memories of scratch arrays: other arguments are lent, and each grain has its locals.
    memories: Vec<Padded<Mutex<K::Memory>>>,
    /// All arrays that are arguments are used where the caller has them, but for scratch.
    shared: Vec<bool>,
    progress: Progress,
    /// The next part that is dealt to each thread, if parts are shared.
    next: Vec<Padded<AtomicU32>>,
    /// The first iteration of the first grain that has failed; beyond all others if none has.
    failed: AtomicU32,
    failures: Mutex<Vec<(u32, Failure)>>,
}

impl<K: Grains> State<K> {
    fn new(program: &Arc<Program>, arguments: &K::Arguments<'_>, wait: Wait) -> Self {
        let threads = program.threads();
        let (mut words, mut shared) = (vec![0; K::ARRAYS], vec![true; K::ARRAYS]);
        for (&(array, _), &length) in K::SCRATCH.iter().zip(&program.scratch) {
            // Words of arguments that the caller has are fewer than 2^32, as iterations that use them.
            words[usize::from(array)] = length as u32;
            shared[usize::from(array)] = false;
        }
        let memory = |_| Padded(Mutex::new(K::memory(arguments, &words)));
        let patience = Patience::new(threads, wait, cores::count_of_workers());
        let dealt = match program.is_shared() {
            true => threads,
            false => 0,
        };
        Self {
            program: Arc::clone(program),
            loan: Loan::default(),
            memories: (0..threads).map(memory).collect(),
            shared,
            progress: Progress::new(threads, patience),
            next: (0..dealt).map(|_| Padded::default()).collect(),
            failed: AtomicU32::new(u32::MAX),
            failures: Mutex::new(Vec::new()),
        }
    }

    /// Returns the failure of the grain that is first in the sequential run.
    fn first_failure(&self) -> Option<Failure> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        let first = failures.into_iter().min_by_key(|&(iteration, _)| iteration);
        first.map(|(_, failure)| failure)
    }

    /// Deals the parts anew, between two runs.
    fn deal(&self) {
        for (thread, next) in self.next.iter().enumerate() {
            let first = self.program.dealt(thread).start;
            next.0.store(first, Ordering::Relaxed);
        }
    }

    /// Claims a part that a thread has been dealt, or then one of another thread's.
    fn claim(&self, thread: usize) -> Option<u32> {
        let threads = self.next.len();
        (thread..threads).chain(0..thread).find_map(|dealt| {
            let (next, end) = (&self.next[dealt].0, self.program.dealt(dealt).end);
            // One that is used up is not written to: those that look for parts share it.
            if next.load(Ordering::Relaxed) >= end {
                return None;
            }
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&part| part < end)
        })
    }

    /// Runs `with` on a thread, if the arguments are still lent.
    fn with<R>(
        &self,
        thread: usize,
        with: impl FnOnce(&Lent<K>, Permit<'_>, &mut K::View<'_>) -> Result<R, Aborted>,
    ) -> Result<R, Aborted> {
        let memory = &mut *lock(&self.memories[thread].0);
        self.loan.with(|lent| {
            let (lent, permit) = lent.ok_or(Aborted)?;
            let mut view = K::shared_view(&lent.arguments, memory, &self.shared, permit);
            with(lent, permit, &mut view)
        })
    }

    /// Runs parts, until none is left.
    fn share(&self, thread: usize) -> Result<(), Aborted> {
        let plan = self.program.proved.plan();
        self.with(thread, |lent, permit, view| {
            while let Some(part) = self.claim(thread) {
                let mut grains = Processor::new(self, lent, permit, part as usize);
                for (count, chunk) in (1..).zip(plan.chunks_of(part)) {
                    grains.chunk(count, chunk, view);
                }
            }
            Ok(())
        })
    }

    /// Runs all chunks of a processor, whose count is at `start`.
    fn chunks(&self, processor: usize, start: u32) -> Result<(), Aborted> {
        let plan = self.program.proved.plan();
        self.with(processor, |lent, permit, view| {
            let mut grains = Processor::new(self, lent, permit, processor);
            for (count, chunk) in (1..).zip(plan.chunks_of(processor as u32)) {
                for wait in plan.waits_of(chunk) {
                    let awaited = Awaited {
                        peer: wait.processor,
                        supersteps: wait.chunks,
                    };
                    self.progress.wait(processor, start, awaited)?;
                }
                grains.chunk(count, chunk, view);
                let listeners = self.program.listeners(chunk);
                if !listeners.is_empty() {
                    self.progress.end(processor, start, count, listeners);
                }
            }
            Ok(())
        })
    }
}

impl<K: Grains> Job for State<K> {
    fn run(&self, processor: usize) {
        if self.program.is_shared() {
            // Without a loan there is no run, and nothing to do.
            let _ = self.share(processor);
            return;
        }
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

/// A processor in a run.
struct Processor<'r, K: Grains> {
    state: &'r State<K>,
    control: K::Control<'r>,
    processor: usize,
    replay: Option<Replay<'r, K>>,
}

impl<'r, K: Grains> Processor<'r, K> {
    fn new(state: &'r State<K>, lent: &'r Lent<K>, permit: Permit<'r>, processor: usize) -> Self {
        let tapes = lent.tapes.map(|tapes| tapes.slice(permit));
        Self {
            state,
            control: K::control(&lent.control, permit),
            processor,
            replay: tapes.map(|tapes| Replay::new(&tapes[processor].0)),
        }
    }

    /// Runs a chunk. `count`: of the processor's chunks, with this one.
    fn chunk(&mut self, count: u32, chunk: u32, view: &mut K::View<'_>) {
        let plan = self.state.program.proved.plan();
        let bounds = [chunk, chunk + 1].map(|chunk| plan.chunks[chunk as usize]);
        let mut positions = bounds[0]..bounds[1];
        while !positions.is_empty() {
            let (mut iterations, left) = (0..0, Cell::new(0));
            let grains = || self.grains(&mut positions, &mut iterations, &left, view);
            let Err(payload) = catch_unwind(AssertUnwindSafe(grains)) else {
                return;
            };
            if let Some(replay) = &mut self.replay {
                replay.is_behind = true;
            }
            let failure = Failure {
                superstep: count as usize - 1,
                processor: self.state.program.thread_of(self.processor),
                statement: statement::take(),
                payload,
            };
            let failed = iterations.start - left.get();
            self.state.failed.fetch_min(failed, Ordering::Relaxed);
            lock(&self.state.failures).push((failed, failure));
        }
    }

    /// Runs grains. Before they run, their positions are taken from the range. `rest` are the
    /// iterations behind those that run, of which so many are left.
    fn grains(
        &mut self,
        positions: &mut Range<u32>,
        rest: &mut Range<u32>,
        left: &Cell<u32>,
        view: &mut K::View<'_>,
    ) {
        let program = &*self.state.program;
        while let Some(position) = positions.next() {
            *rest = program.run_from(position, positions);
            if rest.start >= self.state.failed.load(Ordering::Relaxed) {
                if let Some(replay) = &mut self.replay {
                    replay.is_behind = true;
                }
                continue;
            }
            if let Some(replay) = &mut self.replay
                && replay.is_behind
            {
                replay.catch_up(program, self.control, self.processor, position);
            }
            while rest.start < rest.end {
                let site;
                (site, *rest) = program.space.split(rest.clone(), left);
                match &mut self.replay {
                    None => K::compute(self.control, &site, view),
                    Some(replay) => K::replay(self.control, &site, &mut replay.reader, view),
                }
            }
        }
    }
}

/// The tape of a processor in a run.
struct Replay<'r, K: Grains> {
    tape: &'r K::Tape,
    reader: K::Reader<'r>,
    /// Grains were left out, or to the middle only, and their words are still ahead.
    is_behind: bool,
    /// Counts the words of the processor's first grains, so many of them.
    counted: (K::Tape, u32),
}

impl<'r, K: Grains> Replay<'r, K> {
    fn new(tape: &'r K::Tape) -> Self {
        Self {
            tape,
            reader: K::reader(tape, &K::Tape::default()),
            is_behind: false,
            counted: (K::Tape::default(), 0),
        }
    }

    /// Goes to the words of the grain at a position.
    fn catch_up(
        &mut self,
        program: &Program,
        control: K::Control<'_>,
        processor: usize,
        position: u32,
    ) {
        let plan = program.proved.plan();
        let first = plan.chunks[plan.processors[processor] as usize];
        let (counted, grains) = &mut self.counted;
        if *grains == 0 {
            counted.count();
        }
        let left_out = first + *grains..position;
        let left_out = left_out.map(|position| plan.grains[position as usize]);
        record::<K>(program, control, left_out, K::no_values(), counted);
        *grains = position - first;
        self.reader = K::reader(self.tape, counted);
        self.is_behind = false;
    }
}

/// Records what grains read.
pub(super) fn record<K: Grains>(
    program: &Program,
    control: K::Control<'_>,
    grains: impl Iterator<Item = u32>,
    values: K::Values<'_>,
    tape: &mut K::Tape,
) {
    for grain in grains {
        let iterations = program.proved.plan().iterations_of(grain);
        program.space.each(iterations, |site| {
            K::record(control, site, values, tape);
        });
    }
}
