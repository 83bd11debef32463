//! Driver of runs: has threads run the steps of an [order](superstep_order), each when its waits
//! are fulfilled.
//!
//! A processor is a list of steps, not a thread. A run has as many threads as there are processors,
//! but no more than cores. Each begins with a processor of its own. One that would have to wait
//! puts its processor down, and any thread takes up a processor that is down and can go on. So a
//! core that is missing, asleep or taken away costs its share of the work: only within a step does
//! nobody take over.
//!
//! What steps do is a [`Payload`]: supersteps of a program, chunks of a plan. Threads, waits and
//! claims are compiled once, in this crate. [`in_turn`] runs a payload step by step in one fixed
//! order, [`alone`] one processor that nobody waits for: both are their payload's oracle.
//!
//! # Protocol
//!
//! Each processor has a *post*: the number of its steps that have ended, a flag that it has
//! stopped, its next step, and a *hand*. The hand is one word that says who has the processor. Each
//! thread has a *seat*: its [bed](crate::wait::Bed), and whether it runs a processor.
//!
//! | hand | next | when |
//! |---|---|---|
//! | down, with who had it last | held | a thread finds its waits fulfilled, or one of them stopped, and swaps the word |
//! | held, by a thread | down | it has to wait, has looked some times, and stores its next step |
//! | | over | it has ended its last step, or stopped |
//!
//! | a thread that | does |
//! |---|---|
//! | ends a step that others await | stores its count; if a thread sleeps, looks at the hands of those others |
//! | finds one of them down | wakes who had it last; if that one runs another, any that sleeps |
//! | has no post | looks at all that are down: its last one first, then the one that it waited for |
//! | finds none | lies in its bed until it finds one, or all are over |
//! | stops: its step panicked, or it waits for one that has stopped | stores the flag, wakes all |
//! | makes the last one over | wakes all |
//!
//! *Order of memory*: storing a count releases, and loading it acquires; so do storing and swapping
//! a hand. What a processor wrote is in one order, whoever ran it, and is seen by all who have
//! waited for it.
//!
//! *No wake-up is lost.* Counts, flags, hands, the number of sleepers and beds are sequentially
//! consistent. Who puts a processor down stores its hand, then looks at the counts. Who fulfils its
//! wait stores a count, then loads its hand. So one of them sees the other. Who lies down counts
//! itself among the sleepers, then looks at all hands. Who fulfils a wait loads the sleepers after
//! its count.
//!
//! *No deadlock*: a step awaits earlier ones only, so of the processors that are not over one that
//! is furthest behind can go on. It is held, or it is down, and then a thread that looks, or was
//! woken, takes it up. No thread ever holds two.
//!
//! *A panic* ends a step before it is counted. Who waits for that step finds the flag, and stops as
//! well. A count is stored before the flag, and looked at once more after the flag was found. So a
//! processor gets as far as its peers' counts allow, whatever the timing. The failure that is first
//! by superstep and processor is the same in each run.
//!
//! *The end*: the caller leaves when all processors are over, and waits for no thread. A worker
//! that comes late, or leaves late, finds nothing to do, and runs nothing. As it may still look at
//! the posts, the next run has others: see [`Runs`].

mod hands;
mod in_turn;
#[cfg(all(test, not(loom)))]
mod tests;
mod turn;

use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) use in_turn::{alone, in_turn};
use superstep_order::Ordered;
pub(crate) use turn::Turn;

pub(crate) use self::hands::Posts;
use crate::cores;
use crate::error::{Failure, catch};
use crate::options::WaitPolicy;
use crate::sync::{AtomicU32, Mutex, lock};
use crate::team::{self, Late, Need};
use crate::timeline::{self, Recorder};
use crate::wait::Patience;

/// Payload of a run: the work of the steps of an order.
pub(crate) trait Payload: Send + Sync {
    /// Runs steps of the turn's processor while [`Turn::next`] gives one. It is called again, by
    /// any thread, where the processor was put down. A panic ends the processor's part of the run.
    fn run(&self, turn: &mut Turn<'_>);
}

/// Run of a payload on threads.
pub(crate) struct Run {
    ordered: Arc<Ordered>,
    payload: Arc<dyn Payload>,
    posts: Posts,
    /// Number of processors that are not over.
    left: AtomicU32,
    failures: Mutex<Vec<Failure>>,
    /// Recorder of times, if they are noted.
    recorder: Option<Arc<Recorder>>,
}

impl Run {
    pub(crate) fn new(
        ordered: &Arc<Ordered>,
        payload: &Arc<dyn Payload>,
        threads: usize,
        patience: Patience,
    ) -> Self {
        let mut run = Self {
            ordered: Arc::clone(ordered),
            payload: Arc::clone(payload),
            posts: Posts::new(ordered.order().processors(), threads, patience),
            left: AtomicU32::default(),
            failures: Mutex::default(),
            recorder: None,
        };
        run.begin();
        run
    }

    /// Puts all processors down before their first steps.
    fn begin(&mut self) {
        let left = self.posts.begin(self.ordered.order());
        self.left = AtomicU32::new(left);
    }

    /// Runs processors on a thread until all are over.
    pub(crate) fn work(&self, thread: usize) {
        let (own, mut last, mut awaited) = (self.posts.own(thread), None, None);
        let find = |last, awaited| {
            let is_over = || self.is_over();
            self.posts
                .find(self.ordered.order(), thread, last, awaited, is_over)
        };
        while let Some(processor) = find(last.unwrap_or(own), awaited) {
            let looks = self.posts.looks(thread, processor, last);
            awaited = self.hold(processor, thread, looks);
            last = Some(processor);
        }
    }

    fn is_over(&self) -> bool {
        self.left.load(Ordering::SeqCst) == 0
    }

    /// Runs a processor that this thread has taken up, until it has to wait or is over; returns the
    /// one that it waits for.
    fn hold(&self, processor: u32, thread: usize, looks: u32) -> Option<u32> {
        let mut turn = Turn::of(self, processor, thread, looks);
        if let Err(payload) = catch(|| self.payload.run(&mut turn)) {
            let superstep = turn.count() as usize;
            let failure = Failure::in_step(superstep, processor as usize, payload);
            lock(&self.failures).push(failure);
            turn.stop();
        }
        match turn.outcome() {
            turn::Outcome::Waits { next, peer } => {
                self.posts.put_down(processor, thread, next);
                return Some(peer);
            }
            turn::Outcome::Over => self.posts.end(processor),
            turn::Outcome::Stopped => self.posts.stop(processor),
        }
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.posts.wake_all();
        }
        None
    }
}

impl team::Job for Run {
    fn run(&self, thread: usize) {
        self.work(thread);
    }
}

/// Returns the number of threads that run so many processors: no more than cores.
pub(crate) fn threads(processors: usize) -> usize {
    processors.min(cores::count_of_workers()).max(1)
}

/// Runs of one payload, one at a time.
///
/// A worker may still be on its way out of a run when the next one begins, for a time slice on a
/// busy machine. So there are two or more in turn, of which one is free: at most one for each
/// thread. Each has 256 bytes for a processor, and 256 for a thread.
pub(crate) struct Runs {
    idle: Vec<Arc<Run>>,
    ordered: Arc<Ordered>,
    payload: Arc<dyn Payload>,
    threads: usize,
    patience: Patience,
}

impl Runs {
    /// Returns runs on so many [`threads`] that wait in a way.
    pub(crate) fn new(
        ordered: &Arc<Ordered>,
        payload: Arc<dyn Payload>,
        threads: usize,
        wait: WaitPolicy,
    ) -> Self {
        // Idle states serve calls of all threads, as teams do.
        let cores = cores::count_of_workers();
        let mut runs = Self {
            idle: Vec::new(),
            ordered: Arc::clone(ordered),
            payload,
            threads,
            patience: Patience::new(threads, wait, cores),
        };
        runs.idle = (0..2).map(|_| runs.another()).collect();
        runs
    }

    fn another(&self) -> Arc<Run> {
        Arc::new(Run::new(
            &self.ordered,
            &self.payload,
            self.threads,
            self.patience,
        ))
    }

    /// Runs all steps on a team of threads, the calling thread being the first. After a failure
    /// there must be no other run.
    ///
    /// # Errors
    /// If a thread cannot be spawned; then nothing has run. Inside, the failure that is first by
    /// superstep and processor.
    pub(crate) fn run(&mut self, need: Need) -> std::io::Result<Result<(), Failure>> {
        let free = self
            .idle
            .iter_mut()
            .position(|run| Arc::get_mut(run).is_some());
        let mut run = match free {
            Some(free) => self.idle.swap_remove(free),
            None => self.another(),
        };
        let recorder = Recorder::wanted(self.ordered.order().steps());
        if let Some(run) = Arc::get_mut(&mut run) {
            run.begin();
            run.recorder.clone_from(&recorder);
        }
        let ran = team::run(self.threads, Late::Left, need, &run);
        let failure = Failure::take_first(&run.failures);
        timeline::keep(
            recorder,
            &self.ordered.order().processors,
            failure.is_some(),
        );
        self.idle.push(run);
        ran.map(|()| failure.map_or(Ok(()), Err))
    }
}
