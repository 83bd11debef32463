//! Runs of a plan: processors run their chunks and wait for those of others, or share its parts.
//!
//! A grain that fails stops nobody. From then on all grains behind it in the sequential run are
//! left out. Those before it run, on whatever values there are: where each goes, the values do not
//! decide. So every grain that would have failed before it does fail. The failure that is first in
//! the sequential run is found for every schedule and every timing.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::extents::Kind;
use super::list::Place;
use super::program::Program;
use super::{Grains, LentInput, Permit, Proof, Tape};
use crate::error::{Failure, catch};
use crate::run::{Payload, Turn};
use crate::sync::{Mutex, Padded, lock};
use crate::team::Job;
use crate::timeline::{self, Recorder};
use crate::words::Loan;

/// Arguments and memory that are lent to the processors of a run.
struct Lent<K: Grains> {
    arguments: K::Lent,
    common: K::LentCommon,
    control: K::LentControl,
    /// Tapes from which structure and values are read, if they are.
    tapes: Option<LentInput<Padded<K::Tape>>>,
}

/// State that the threads of one run share.
pub(super) struct State<K: Grains> {
    program: Arc<Program>,
    loan: Loan<Lent<K>>,
    /// Memories of scratch arrays, one for each thread: other arguments are lent, and each grain
    /// has its locals.
    memories: Vec<Padded<Mutex<K::Memory>>>,
    /// Memory of the arrays that are in common.
    common: Mutex<K::Memory>,
    /// Flags of all arrays that are arguments, set for those that are used where the caller has
    /// them: all but scratch.
    shared: Vec<bool>,
    /// Position at which each processor was put down whose grains read a tape.
    put_down: Vec<Padded<Mutex<Behind<K::Tape>>>>,
    /// Number of the next part that is dealt to each thread, if parts are shared.
    next: Vec<Padded<AtomicU32>>,
    /// Number of threads that have run a part, if parts are shared.
    worked: AtomicUsize,
    /// First iteration of the first grain that has failed; beyond all others if none has.
    failed: AtomicU32,
    failures: Mutex<Vec<(u32, Failure)>>,
    /// Recorder of the times of shared parts, if they are noted.
    recorder: Mutex<Option<Arc<Recorder>>>,
}

impl<K: Grains> State<K> {
    pub(super) fn new(
        program: &Arc<Program>,
        threads: usize,
        arguments: &K::Arguments<'_>,
    ) -> Self {
        let (mut words, mut shared) = (vec![0; K::ARRAYS], vec![true; K::ARRAYS]);
        let mut in_common = vec![0; K::ARRAYS];
        for needed in &program.needed[..] {
            // Words of arguments that the caller has are fewer than 2^32, as iterations that use
            // them.
            let (array, length) = (usize::from(needed.array.number), needed.words as u32);
            match needed.array.kind {
                Kind::Scratch => {
                    words[array] = length;
                    shared[array] = false;
                }
                Kind::Common => in_common[array] = length,
                _ => {}
            }
        }
        let memory = |_| Padded(Mutex::new(K::memory(arguments, &words)));
        let (dealt, held) = match program.is_shared() {
            true => (threads, 0),
            false => (0, program.parts()),
        };
        Self {
            program: Arc::clone(program),
            loan: Loan::default(),
            memories: (0..threads).map(memory).collect(),
            common: Mutex::new(K::memory(arguments, &in_common)),
            shared,
            put_down: (0..held).map(|_| Padded::default()).collect(),
            next: (0..dealt).map(|_| Padded::default()).collect(),
            worked: AtomicUsize::new(0),
            failed: AtomicU32::new(u32::MAX),
            failures: Mutex::new(Vec::new()),
            recorder: Mutex::new(None),
        }
    }

    /// Lends all arguments to a run. Fails with the failure of the grain that is first in the
    /// sequential run: then there must be no other run.
    pub(super) fn during<R>(
        &self,
        control: K::Control<'_>,
        tapes: Option<&[Padded<K::Tape>]>,
        arguments: &mut K::Arguments<'_>,
        run: impl FnOnce() -> R,
    ) -> Result<R, Failure> {
        self.deal();
        let common = &mut *lock(&self.common);
        let lend = |arguments: &mut K::Arguments<'_>| {
            Some(Lent {
                arguments: K::lend(arguments)?,
                common: K::lend_common(common),
                control: K::lend_control(control),
                tapes: tapes.map(LentInput::new),
            })
        };
        let result = self.loan.during(arguments, lend, run);
        match self.first_failure() {
            Some(first) => Err(first),
            None => Ok(result),
        }
    }

    /// Returns the failure of the grain that is first in the sequential run.
    fn first_failure(&self) -> Option<Failure> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        let first = failures.into_iter().min_by_key(|&(iteration, _)| iteration);
        first.map(|(_, failure)| failure)
    }

    /// Runs shared parts, whose times are noted if that is wanted.
    pub(super) fn recorded<R>(self: &Arc<Self>, run: impl FnOnce(&Arc<Self>) -> R) -> R {
        let order = self.program.ordered.order();
        let recorder = Recorder::wanted(order.steps());
        lock(&self.recorder).clone_from(&recorder);
        let ran = run(self);
        timeline::keep(recorder, &order.processors, self.has_failed());
        ran
    }

    fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed) != u32::MAX
    }

    /// Returns how many threads have run something.
    pub(super) fn worked(&self) -> usize {
        match self.program.is_shared() {
            true => self.worked.load(Ordering::Relaxed),
            false => self.program.threads,
        }
    }

    /// Deals the parts anew, between two runs.
    fn deal(&self) {
        self.worked.store(0, Ordering::Relaxed);
        for (thread, next) in self.next.iter().enumerate() {
            let first = self.program.dealt(thread, self.next.len()).start;
            next.0.store(first, Ordering::Relaxed);
        }
    }

    /// Claims the next part that a thread has been dealt or, if none is left, one of another
    /// thread.
    fn claim(&self, thread: usize) -> Option<u32> {
        let threads = self.next.len();
        (thread..threads).chain(0..thread).find_map(|dealt| {
            let (next, end) = (&self.next[dealt].0, self.program.dealt(dealt, threads).end);
            // One that is used up is not written to: those that look for parts share it.
            if next.load(Ordering::Relaxed) >= end {
                return None;
            }
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&part| part < end)
        })
    }

    /// Runs `with` on a thread, if the arguments are still lent.
    fn with(&self, thread: usize, with: impl FnOnce(&Lent<K>, Permit<'_>, &mut K::View<'_>)) {
        let memory = &mut *lock(&self.memories[thread].0);
        self.loan.with(|lent| {
            // Without a loan there is no run, and nothing to do.
            let Some((lent, permit)) = lent else { return };
            let mut view = K::shared_view(&lent.arguments, memory, &self.shared, permit);
            K::use_common(&lent.common, permit, &mut view);
            with(lent, permit, &mut view);
        });
    }
}

/// A farm: threads run parts until none is left.
impl<K: Grains> Job for State<K> {
    fn run(&self, thread: usize) {
        let plan = self.program.proved.plan();
        let recorder = lock(&self.recorder).clone();
        self.with(thread, |lent, permit, view| {
            let mut has_worked = false;
            while let Some(part) = self.claim(thread) {
                if !has_worked {
                    self.worked.fetch_add(1, Ordering::Relaxed);
                    has_worked = true;
                }
                let mut grains = Processor::new(self, lent, permit, part as usize);
                for (count, chunk) in (0..).zip(plan.order.steps_of(part)) {
                    if let Some(recorder) = &recorder {
                        recorder.ready(chunk, thread, recorder.now());
                    }
                    grains.chunk(count, chunk, view);
                    if let Some(recorder) = &recorder {
                        recorder.ended(chunk);
                    }
                }
            }
        });
    }
}

/// All other plans: processors run their chunks.
impl<K: Grains> Payload for State<K> {
    fn run(&self, turn: &mut Turn<'_>) {
        let processor = turn.processor();
        self.with(turn.thread(), |lent, permit, view| {
            let mut grains = Processor::new(self, lent, permit, processor);
            if turn.count() > 0 {
                grains.take_up();
            }
            while let Some(chunk) = turn.next() {
                grains.chunk(turn.count(), chunk, view);
            }
            grains.put_down(turn.count());
        });
    }
}

/// A processor of a plan in a run.
struct Processor<'r, K: Grains> {
    state: &'r State<K>,
    program: &'r Program,
    control: K::Control<'r>,
    processor: usize,
    replay: Option<Replay<'r, K>>,
}

impl<'r, K: Grains> Processor<'r, K> {
    fn new(state: &'r State<K>, lent: &'r Lent<K>, permit: Permit<'r>, processor: usize) -> Self {
        let tapes = lent.tapes.map(|tapes| tapes.slice(permit));
        Self {
            state,
            program: &state.program,
            control: K::control(&lent.control, permit),
            processor,
            replay: tapes.map(|tapes| Replay::new(&tapes[processor].0)),
        }
    }

    /// Goes on behind the grains that other turns have run.
    fn take_up(&mut self) {
        if let Some(replay) = &mut self.replay {
            replay.take_up(&mut lock(&self.state.put_down[self.processor].0));
        }
    }

    /// Lets another turn go on behind so many chunks.
    fn put_down(self, chunks: u32) {
        if let Some(replay) = self.replay {
            let first = self.program.proved.plan().order.processors[self.processor];
            let behind = self.program.lists.range(first..first + chunks);
            let put_down = &self.state.put_down[self.processor].0;
            replay.put_down(behind.end, &mut lock(put_down));
        }
    }

    /// Runs a chunk. `count`: of the processor's chunks, without this one.
    fn chunk(&mut self, count: u32, chunk: u32, view: &mut K::View<'_>) {
        let lists = &self.program.lists;
        let mut range = lists.range(chunk..chunk + 1);
        while !range.is_empty() {
            let place = Place::default();
            let Err(payload) = catch(|| self.intervals(chunk, range.start, &place, view)) else {
                return;
            };
            range.start = place.position(lists) + 1;
            if let Some(replay) = &mut self.replay {
                replay.behind.is_behind = true;
            }
            let thread = self.program.thread_of(self.processor);
            let failure = Failure::in_step(count as usize, thread, payload);
            let failed = place.iteration(lists);
            self.state.failed.fetch_min(failed, Ordering::Relaxed);
            lock(&self.state.failures).push((failed, failure));
        }
    }

    /// Runs the intervals of a chunk from a position on. The place is told of each before it runs.
    ///
    /// Failures of grains are looked for before the intervals of a visit, not before each.
    /// Intervals that run in vain change neither the error that is returned nor where runs end:
    /// control is pure.
    fn intervals(&mut self, chunk: u32, mut from: u32, place: &Place, view: &mut K::View<'_>) {
        let program = self.program;
        for (visit, end) in program.lists.visits(chunk, from) {
            while from < end {
                let failed = self.state.failed.load(Ordering::Relaxed);
                let mut range = from..end;
                let first = &program.lists.intervals(range.clone())[0];
                // Also for statements between loops, which ask for no values.
                place.begin(first);
                if failed != u32::MAX {
                    range.end = from + 1;
                    if first.first >= failed {
                        if let Some(replay) = &mut self.replay {
                            replay.behind.is_behind = true;
                        }
                        from += 1;
                        continue;
                    }
                }
                if let Some(replay) = &mut self.replay
                    && replay.behind.is_behind
                {
                    replay.catch_up(program, self.control, self.processor, from);
                }
                from = range.end;
                let intervals = program.lists.intervals(range);
                let site = program.space.site(visit, intervals, place);
                let (control, proof) = (self.control, Proof::of(&program.proved));
                match &mut self.replay {
                    None => K::compute(control, &site, proof, view),
                    Some(Replay { reader, .. }) => {
                        K::replay(control, &site, proof, reader, view);
                    }
                }
            }
        }
    }
}

/// Tape of a processor in a run.
struct Replay<'r, K: Grains> {
    tape: &'r K::Tape,
    reader: K::Reader<'r>,
    behind: Behind<K::Tape>,
}

/// Words of a tape that are behind a processor.
#[derive(Default)]
struct Behind<T> {
    /// Tape that has counted the words of the processor's intervals up to a position, if they were
    /// counted.
    counted: (T, Option<u32>),
    /// Set if they are not all: intervals were left out, or run to the middle only, and their words
    /// are still ahead.
    is_behind: bool,
}

impl<'r, K: Grains> Replay<'r, K> {
    fn new(tape: &'r K::Tape) -> Self {
        Self {
            tape,
            reader: K::reader(tape, &K::Tape::default()),
            behind: Behind::default(),
        }
    }

    /// Goes on where a turn before has ended.
    fn take_up(&mut self, behind: &mut Behind<K::Tape>) {
        self.behind = std::mem::take(behind);
        self.reader = K::reader(self.tape, &self.behind.counted.0);
    }

    /// Lets another turn go on behind the intervals up to a position.
    fn put_down(mut self, end: u32, behind: &mut Behind<K::Tape>) {
        if !self.behind.is_behind {
            self.behind.counted = (K::read_by(self.tape, &self.reader), Some(end));
        }
        *behind = self.behind;
    }

    /// Goes to the words of the interval at a position.
    fn catch_up(
        &mut self,
        program: &Program,
        control: K::Control<'_>,
        processor: usize,
        position: u32,
    ) {
        let (counted, end) = &mut self.behind.counted;
        let first = end.unwrap_or_else(|| {
            counted.count();
            program.intervals_of(processor).start
        });
        record::<K>(program, control, first..position, counted);
        *end = Some(position);
        self.reader = K::reader(self.tape, counted);
        self.behind.is_behind = false;
    }
}

/// Records what intervals read.
pub(super) fn record<K: Grains>(
    program: &Program,
    control: K::Control<'_>,
    intervals: Range<u32>,
    tape: &mut K::Tape,
) {
    for interval in program.lists.intervals(intervals) {
        program.space.each(interval.iterations(), |site| {
            K::record(control, site, tape);
        });
    }
}
