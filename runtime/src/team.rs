//! Teams of threads that live from call to call.
//!
//! A team of T threads is the calling thread (number 0) and T - 1 workers. Idle teams wait in a
//! registry that all kernels of the process share. A call takes one of its size out, or founds one,
//! and puts it back. So calls may run at once, each with its own team. An idle worker sleeps; it
//! costs memory but no time.
//!
//! A team serves calls from any thread. Its workers may use the cores of the process, and in each
//! call they compute in the floating-point mode of the caller. A child made by `fork` begins with
//! an empty registry.
//!
//! # Protocol
//!
//! Threads meet in three layers:
//!
//! * a *bed*, in which one thread sleeps until a condition holds;
//! * the *posts* of the processors of a run (module `run`), whose page has their protocol;
//! * the *rounds* of a team.
//!
//! Who writes what others wait for wakes who may wait for it.
//!
//! ## A bed (module `wait`)
//!
//! Only its owner sleeps in a bed, and goes through these states. In each it looks whether the
//! condition holds, and if so it is awake again.
//!
//! | state | next | when |
//! |---|---|---|
//! | spinning | yielding | after 200 looks; at once if threads outnumber cores |
//! | yielding | lying down | after 64 looks, and between calls not before a millisecond |
//! | lying down: its handle is in the bed, `asleep` is set | asleep | one more look finds that the condition does not hold |
//! | asleep: parked | lying down | unparked, at the end of a nap, or for no reason |
//! | awake: `asleep` is cleared | | |
//!
//! The *waker* makes the condition hold, then looks at `asleep`; if it is set, it clears it and
//! unparks the owner. Of several wakers one does.
//!
//! **No wake-up is lost.** The owner stores `asleep` and then loads the condition; the waker stores
//! the condition and then loads `asleep`. The four accesses are sequentially consistent: all
//! threads agree on one order of them. If the owner misses the waker's store, its load comes first
//! in that order, and before its load its store. So the waker's load, which comes last, sees
//! `asleep`. The handle is there by then, for it is written before `asleep`. Unparking a thread
//! that has not parked yet leaves a token with which it does not park. A waker that comes late may
//! unpark an owner who waits for something else by now. That owner looks once more than it need.
//!
//! Threads of a run also wake from a nap after a millisecond and look again. Nothing here relies on
//! that.
//!
//! ## Rounds of a team (this module)
//!
//! The caller and each worker share a *seat*:
//!
//! * a command, under a mutex;
//! * the numbers `start` and `done` of the last round begun and ended;
//! * a bed each.
//!
//! | worker | next | when |
//! |---|---|---|
//! | waiting, in its bed | called | `start` is not what it has last seen |
//! | called: it has noted `start`, and takes the command | running | the command is to run |
//! | | waiting | there is none: it was excused, or has run it already |
//! | | ended | the command is to end |
//! | running its part | waiting | the part is over: it lets go of the job, stores the part's round in `done`, and wakes the caller |
//!
//! *A round*: for each worker the caller puts a command, stores the round in `start` and wakes the
//! worker. It runs its own part. Then it waits in its bed until `done` is the round. A command is
//! put before `start` changes, and `start` is noted before a command is taken. So a worker may find
//! the command before it sees that round in `start`, and then comes once for nothing. But none
//! waits while a command lies there.
//!
//! *Late workers*: a caller with nothing left to do may excuse those who have not begun (reductions
//! and farms do). It takes the command back. As taking is under the mutex, either the worker runs
//! it, and the caller waits, or nobody does. Where the job itself tells workers that it is over
//! (runs do), the caller waits for none. One that is on its way out takes the next command when it
//! has left.
//!
//! *A panic* does not come here: a job catches it, and ends its part.
//!
//! *Shutting down*: who drops a team puts the command to end in place of any other, wakes all
//! workers, and joins them. A team is dropped only when it is out of the registry and its caller is
//! in no round. So its workers wait, or come late for a command that was taken back.
//!
//! # Model check
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p superstep-runtime --lib model
//! ```
//!
//! runs this code, not a copy of it, in all orders of its threads' steps up to a number of
//! preemptions. It takes seconds. It covers
//!
//! * waiting in step;
//! * processors that are put down, handed over and stopped;
//! * several listeners;
//! * callers that leave before their workers, excused and awaited workers;
//! * the end of a team, with beds that know no naps.
//!
//! It does not cover the registry, nor where threads run.
//!
//! The checker is loom, as what is to be checked is an order of memory. Loom lets a load see each
//! value that C11 allows. Shuttle runs all accesses as if they were sequentially consistent, and
//! samples. Of sequential consistency loom knows only fences. So the module `sync` has types that
//! add them. Each model runs twice: with a fence after each such store, and with one before each
//! such load.

mod registry;
#[cfg(all(test, not(loom)))]
mod tests;

use std::borrow::Borrow;
use std::cell::Cell;
use std::io;
use std::sync::{Arc, OnceLock};

use crate::cores::{self, Cores, Seen};
use crate::float_mode::FloatMode;
use crate::sync::{Builder, JoinHandle, Mutex, lock};
use crate::wait::{Bed, Flag, Patience};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread is at the moment a processor of a running program. A call from there
/// runs the original function.
pub(crate) fn inside() -> bool {
    INSIDE.get()
}

/// Makes this thread a processor for the time of `f`.
pub(crate) fn as_processor<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }
    let _restore = Restore(INSIDE.replace(true));
    f()
}

/// Ends the threads of all teams that are idle, and waits for them. Calls that run at the same time
/// are not disturbed, and later calls found new teams. There is no need to call this before a
/// process ends. A child made by `fork` has none, and its parent's are not disturbed.
pub fn shut_down() {
    drop(registry::take_all());
}

/// Job that a team runs: the same one on each of its processors.
pub(crate) trait Job: Send + Sync {
    /// Runs one processor's part, to its end: it must not unwind.
    fn run(&self, processor: usize);
}

/// Treatment of late workers: those that have not begun their part when the calling thread has done
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    /// Awaited: every processor's part must run.
    Awaited,
    /// Excused: they have nothing left to do, and need not come.
    Excused,
    /// Left: nor need those have ended who have come, as they have nothing left to do, either.
    Left,
}

/// Need that a call has of a team's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Wish: the call can do without. After attempts in vain to spawn threads, most such calls do
    /// not try.
    Wishes,
    /// Insistence: the call fails without.
    Insists,
}

/// Runs `job` on `processors` processors, the calling thread being the first, and returns when all
/// have ended.
///
/// # Errors
/// If a thread cannot be spawned; then nothing has run.
pub(crate) fn run(
    processors: usize,
    late: Late,
    need: Need,
    job: &Arc<impl Job + 'static>,
) -> io::Result<()> {
    run_made(processors, late, need, || job).map(drop)
}

/// Runs a job as [`run`] does, which is made when the threads are there, and returns it.
///
/// # Errors
/// If a thread cannot be spawned; then nothing was made.
pub(crate) fn run_made<J: Job + 'static, A: Borrow<Arc<J>>>(
    processors: usize,
    late: Late,
    need: Need,
    make: impl FnOnce() -> A,
) -> io::Result<A> {
    let mut team = registry::take(processors, need)?;
    let job = make();
    team.run(late, job.borrow());
    registry::put(team);
    Ok(job)
}

/// Founds a team of so many processors if none is idle: calls find their workers there.
pub(crate) fn found(processors: usize) {
    if processors > 1 {
        // Where there are no threads, calls learn it by themselves.
        let _ = registry::take(processors, Need::Wishes).map(registry::put);
    }
}

/// Counts the workers of idle teams that have not gone to sleep yet: the next call has their cores.
pub(crate) fn awake() -> usize {
    registry::awake()
}

/// Command that a worker finds when its seat's `start` has changed.
#[derive(Default)]
enum Command {
    /// Command to go on waiting: the worker has been excused.
    #[default]
    Wait,
    /// Command to run its part of a job.
    Run {
        /// Round that the worker reports when it is done.
        round: u32,
        /// Set if the worker was sent from its core, and may use those that are `allowed` again.
        is_sent: bool,
        /// Mode of the caller, in which the worker computes as well.
        mode: FloatMode,
        job: Arc<dyn Job>,
    },
    /// Command to end.
    End,
}

/// Seat of a worker, where it and the thread that calls it meet.
#[derive(Default)]
struct Seat {
    command: Mutex<Command>,
    /// Cores that the worker may use, where it was sent from one. They are not in the command,
    /// which is small without them.
    allowed: Mutex<Cores>,
    /// Thread of the worker, when it has begun.
    thread: OnceLock<cores::Thread>,
    /// Core on which the worker was at the end of its last part.
    seen: Seen,
    start: Flag,
    done: Flag,
    worker: Bed,
    caller: Bed,
}

impl Seat {
    fn give(&self, round: u32, command: Command) {
        *lock(&self.command) = command;
        self.start.set(round);
        self.worker.wake();
    }

    fn take(&self) -> Command {
        std::mem::take(&mut *lock(&self.command))
    }
}

/// Calls from one in which a worker was sent from its core to the next in which it may be, at
/// least, and at most. Where that does not help most calls do not pay for it. (Another program is
/// on the other core, calls are too short for a worker to come, or it may use none.)
const AGAIN: [u32; 2] = [64, 4096];

struct Worker {
    seat: Arc<Seat>,
    /// Round in which it was sent from its core last, and the number of those after which it may be
    /// again.
    sent: u32,
    again: u32,
    /// Set if it did not come to its last part.
    is_missing: bool,
    /// Set if it was sent, and has not come since.
    is_sent: bool,
    thread: Option<JoinHandle<()>>,
}

/// Team of a calling thread's workers. Dropping it ends and joins them.
pub(crate) struct Team {
    workers: Vec<Worker>,
    round: u32,
    patience: Patience,
    /// Number of cores for the threads of the team.
    cores: usize,
}

impl Team {
    /// Founds a team whose caller waits with `patience`, and whose workers wait for calls with that
    /// of the `idle`.
    ///
    /// # Errors
    /// If a thread cannot be spawned; those that were have ended.
    pub(crate) fn new(processors: usize, patience: Patience, idle: Patience) -> io::Result<Self> {
        let mut team = Self {
            workers: Vec::new(),
            round: 0,
            patience,
            cores: cores::count_of_workers(),
        };
        let wider = cores::wider();
        for processor in 1..processors {
            let seat = Arc::new(Seat::default());
            let thread = Builder::new()
                .name(format!("superstep {processor}"))
                .spawn({
                    let seat = Arc::clone(&seat);
                    move || {
                        if let Some(cores) = wider {
                            cores::enter(&cores);
                        }
                        work(processor, &seat, idle);
                    }
                })?;
            team.workers.push(Worker {
                seat,
                sent: team.round.wrapping_sub(AGAIN[0]),
                again: AGAIN[0],
                is_missing: false,
                is_sent: false,
                thread: Some(thread),
            });
        }
        Ok(team)
    }

    fn processors(&self) -> usize {
        self.workers.len() + 1
    }

    /// Counts the workers that do not sleep.
    fn awake(&self) -> usize {
        let beds = self.workers.iter().map(|worker| &worker.seat.worker);
        beds.filter(|bed| !bed.is_asleep()).count()
    }

    pub(crate) fn run(&mut self, late: Late, job: &Arc<impl Job + 'static>) {
        self.round = self.round.wrapping_add(1);
        // Where there are too few cores, or a single thread, some share one whatever is done.
        let here = (2..=self.cores)
            .contains(&self.processors())
            .then(cores::current)
            .flatten();
        let mode = FloatMode::here();
        for at in 0..self.workers.len() {
            if let Some(here) = here {
                self.send(at, here);
            }
            let worker = &self.workers[at];
            let command = Command::Run {
                round: self.round,
                is_sent: worker.is_sent,
                mode,
                job: job.clone(),
            };
            worker.seat.give(self.round, command);
        }
        job.run(0);
        for worker in &mut self.workers {
            let seat = &worker.seat;
            worker.is_missing = late != Late::Awaited && matches!(seat.take(), Command::Run { .. });
            worker.is_sent &= worker.is_missing;
            if !worker.is_missing && late != Late::Left {
                seat.caller
                    .wait(self.patience, None, || seat.done.get() == self.round);
            }
        }
    }

    /// Sends the worker at that place to cores that the others are not on, if it is
    /// [due](Self::is_due).
    fn send(&mut self, at: usize, here: usize) {
        if !self.is_due(at, here) {
            return;
        }
        let others = self.workers.iter().enumerate().filter(|(of, _)| *of != at);
        let seen = others.filter_map(|(_, worker)| worker.seat.seen.get());
        let taken: Cores = [here].into_iter().chain(seen).collect();
        let worker = &mut self.workers[at];
        worker.sent = self.round;
        worker.again = AGAIN[1].min(2 * worker.again);
        let thread = worker.seat.thread.get();
        if let Some(allowed) = thread.and_then(|&thread| cores::send(thread, &taken))
            && !worker.is_sent
        {
            *lock(&worker.seat.allowed) = allowed;
            worker.is_sent = true;
        }
    }

    /// Returns whether the worker at that place is to be sent from its core. It was seen on that of
    /// the caller, who is `here`, or of a worker before it, or it did not come. And it was not sent
    /// a short time ago.
    fn is_due(&mut self, at: usize, here: usize) -> bool {
        let seen = |worker: &Worker| worker.seat.seen.get();
        let own = seen(&self.workers[at]);
        let mut before = self.workers[..at].iter().map(seen);
        let is_shared = own.is_some() && (own == Some(here) || before.any(|other| other == own));
        let worker = &mut self.workers[at];
        if !is_shared && !worker.is_missing {
            worker.again = AGAIN[0];
            return false;
        }
        self.round.wrapping_sub(worker.sent) >= worker.again
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        for Worker { seat, .. } in &self.workers {
            seat.give(self.round.wrapping_add(1), Command::End);
        }
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A worker's jobs do not unwind, so there is nothing to learn from the join.
                let _ = thread.join();
            }
        }
    }
}

/// Runs a worker's life: waits for a job, runs it, says so.
fn work(processor: usize, seat: &Seat, patience: Patience) {
    INSIDE.set(true);
    let _ = seat.thread.set(cores::this_thread());
    let mut seen = 0u32;
    loop {
        seat.worker
            .wait(patience, None, || seat.start.get() != seen);
        seen = seat.start.get();
        match seat.take() {
            // It may be the command of a later round already, whose start is then found later, and
            // the command gone.
            Command::Run {
                round,
                is_sent,
                mode,
                job,
            } => {
                if is_sent {
                    cores::enter(&lock(&seat.allowed));
                }
                mode.adopt();
                job.run(processor);
                drop(job); // before the caller goes on: then the caller's is the last reference
                seat.seen.here();
                seat.done.set(round);
                seat.caller.wake();
            }
            Command::Wait => {}
            Command::End => return,
        }
    }
}
