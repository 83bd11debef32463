//! Posts of processors and seats of threads: who has which processor, and who sleeps.

use std::sync::atomic::Ordering;
use std::time::Duration;

use superstep_order::{Order, Wait};

use crate::sync::{self, AtomicBool, AtomicU32, Padded};
use crate::wait::{Bed, Patience};

/// Time after which a sleeping thread looks again, at most.
const NAP: Duration = Duration::from_millis(1);

/// Bit of a hand of a processor that nobody runs; the others say who had it last.
const DOWN: u32 = 1 << 31;
/// Hand of a processor that is over.
const OVER: u32 = DOWN - 1;

/// Progress of a processor.
#[derive(Debug, Default)]
struct Progress {
    /// Number of steps that have ended. It is behind where nobody waits for the one ended last.
    ended: AtomicU32,
    /// Set if it will not end another step.
    has_stopped: AtomicBool,
}

/// Hand of a processor: who has it.
#[derive(Debug, Default)]
struct Hand {
    /// Thread that runs it or, with [`DOWN`], that had it last; or [`OVER`].
    holder: AtomicU32,
    /// Number of its next step, counted from its first, while it is down.
    next: AtomicU32,
}

/// Post of a processor.
#[derive(Debug, Default)]
struct Post {
    progress: Padded<Progress>,
    hand: Padded<Hand>,
}

/// Seat of a thread.
#[derive(Debug, Default)]
struct Seat {
    bed: Bed,
    /// Set if it looks for a processor, or sleeps.
    is_free: AtomicBool,
    /// Set if it found a processor of another thread where its own had to wait.
    are_others_missing: AtomicBool,
}

/// State of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// Fulfilled: the peer that is awaited has ended its steps.
    Fulfilled,
    /// Not fulfilled yet, but it may be later.
    NotYet,
    /// Never fulfilled, as its processor has stopped before.
    Stopped,
}

/// Posts of a run's processors, and the seats of its threads.
#[derive(Debug)]
pub(crate) struct Posts {
    posts: Box<[Post]>,
    seats: Box<[Padded<Seat>]>,
    /// Number of threads that sleep, or lie down.
    sleepers: Padded<AtomicU32>,
    /// Patience with which threads look for processors.
    patience: Patience,
}

impl Posts {
    pub(crate) fn new(processors: usize, threads: usize, patience: Patience) -> Self {
        Self {
            posts: (0..processors).map(|_| Post::default()).collect(),
            seats: (0..threads).map(|_| Padded::default()).collect(),
            sleepers: Padded::default(),
            patience,
        }
    }

    /// Puts all processors down; returns how many have steps.
    pub(crate) fn begin(&mut self, order: &Order) -> u32 {
        let (threads, processors) = (self.seats.len(), self.posts.len());
        let mut left = 0;
        for (processor, post) in self.posts.iter_mut().enumerate() {
            let is_over = order.steps_of(processor as u32).is_empty();
            left += u32::from(!is_over);
            let holder = match is_over {
                true => OVER,
                false => DOWN | (processor * threads / processors) as u32,
            };
            post.progress.0 = Progress::default();
            post.hand.0 = Hand {
                holder: AtomicU32::new(holder),
                next: AtomicU32::new(0),
            };
        }
        for seat in &mut self.seats {
            seat.0.is_free = AtomicBool::new(false);
        }
        left
    }

    /// Returns the processor with which a thread begins.
    pub(super) fn own(&self, thread: usize) -> u32 {
        (thread * self.posts.len() / self.seats.len()) as u32
    }

    /// Returns what a wait has come to.
    fn waited(&self, wait: Wait) -> Waited {
        let Padded(peer) = &self.posts[wait.processor as usize].progress;
        let has_ended = || peer.ended.load(Ordering::SeqCst) >= wait.steps;
        if has_ended() {
            return Waited::Fulfilled;
        }
        match peer.has_stopped.load(Ordering::SeqCst) {
            // It may have stopped later than what is awaited.
            true if has_ended() => Waited::Fulfilled,
            true => Waited::Stopped,
            false => Waited::NotYet,
        }
    }

    /// Returns how often a thread is to look at a wait before it puts its processor down, having
    /// found one. It is not to look at all where its last one would still wait, as the threads of
    /// others do not come. What the last run has shown holds until its own is found.
    ///
    /// Calls of two processors and 50 supersteps of 0.1 us, on two cores, take these us in the
    /// median:
    ///
    /// | looks at each wait | 1 busy thread | 2 | 4 | idle |
    /// |---|---|---|---|---|
    /// | 200 | 249 | 249 | 257 | 9.6 |
    /// | 20 | 31 | 31 | 32 | 9.5 |
    /// | none | 8 | 8 | 12 | 12.6 |
    /// | by this rule | 8 | 8 | 8 | 9.6 |
    pub(super) fn looks(&self, thread: usize, found: u32, last: Option<u32>) -> u32 {
        let are_missing = &self.seats[thread].0.are_others_missing;
        if let Some(last) = last {
            are_missing.store(found != last, Ordering::Relaxed);
        }
        let is_own = !are_missing.load(Ordering::Relaxed) && self.seats.len() == self.posts.len();
        if is_own { self.patience.spins } else { 0 }
    }

    /// Looks at a wait, some times.
    pub(super) fn look(&self, wait: Wait, looks: u32) -> Waited {
        for _ in 0..looks {
            let waited = self.waited(wait);
            if waited != Waited::NotYet {
                return waited;
            }
            sync::spin_loop();
        }
        self.waited(wait)
    }

    /// Returns the next step of a processor that this thread has taken up, counted from its first.
    pub(super) fn next(&self, processor: u32) -> u32 {
        self.posts[processor as usize]
            .hand
            .0
            .next
            .load(Ordering::Relaxed)
    }

    /// Finds a processor that can go on and takes it up: the thread's last one, the one that this
    /// waits for, or any. Waits until there is one; none if the run is over.
    pub(crate) fn find(
        &self,
        order: &Order,
        thread: usize,
        last: u32,
        awaited: Option<u32>,
        is_over: impl Fn() -> bool,
    ) -> Option<u32> {
        let Padded(seat) = &self.seats[thread];
        seat.is_free.store(true, Ordering::SeqCst);
        let mut found = None;
        let mut ready = || {
            found = self.take_up(order, thread, last, awaited);
            found.is_some() || is_over()
        };
        if !ready() && !self.patience(thread, awaited).looks(&mut ready) {
            let Padded(sleepers) = &self.sleepers;
            sleepers.fetch_add(1, Ordering::SeqCst);
            seat.bed.sleep(Some(NAP), ready);
            sleepers.fetch_sub(1, Ordering::SeqCst);
        }
        seat.is_free.store(false, Ordering::SeqCst);
        found
    }

    /// Returns how a thread looks for processors: a worker whose part is over is as patient as
    /// between calls.
    fn patience(&self, thread: usize, awaited: Option<u32>) -> Patience {
        match awaited {
            None if thread > 0 => self.patience.between_calls(),
            _ => self.patience,
        }
    }

    fn take_up(
        &self,
        order: &Order,
        thread: usize,
        last: u32,
        awaited: Option<u32>,
    ) -> Option<u32> {
        let others = (last..self.posts.len() as u32).chain(0..last);
        let mut all = [last].into_iter().chain(awaited).chain(others);
        all.find(|&processor| self.try_take_up(order, thread, processor))
    }

    /// Takes a processor up if it is down, and can go on or has to stop.
    fn try_take_up(&self, order: &Order, thread: usize, processor: u32) -> bool {
        let Padded(hand) = &self.posts[processor as usize].hand;
        let holder = hand.holder.load(Ordering::SeqCst);
        if holder & DOWN == 0 {
            return false;
        }
        let step = order.steps_of(processor).start + hand.next.load(Ordering::Relaxed);
        // Another thread may have had it meanwhile: then the step may be an earlier one, and this
        // thread puts it down again.
        let mut waits = order.waits_of(step).iter().map(|&wait| self.waited(wait));
        let is_ready = !waits.any(|waited| waited == Waited::NotYet);
        is_ready
            && hand
                .holder
                .compare_exchange(holder, thread as u32, Ordering::SeqCst, Ordering::SeqCst)
                .is_ok()
    }

    /// Puts a processor down before a step, counted from its first.
    pub(super) fn put_down(&self, processor: u32, thread: usize, next: u32) {
        let Padded(hand) = &self.posts[processor as usize].hand;
        hand.next.store(next, Ordering::Relaxed);
        hand.holder.store(DOWN | thread as u32, Ordering::SeqCst);
    }

    /// Notes that a processor has ended so many steps, and wakes who can take up its listeners.
    pub(crate) fn ended(&self, processor: u32, steps: u32, listeners: &[u32]) {
        let Padded(progress) = &self.posts[processor as usize].progress;
        progress.ended.store(steps, Ordering::SeqCst);
        if self.sleepers.0.load(Ordering::SeqCst) == 0 {
            return;
        }
        for &listener in listeners {
            let Padded(hand) = &self.posts[listener as usize].hand;
            let holder = hand.holder.load(Ordering::SeqCst);
            if holder & DOWN != 0 {
                self.wake((holder & !DOWN) as usize);
            }
        }
    }

    /// Wakes a thread or, if it runs a processor, any that sleeps.
    fn wake(&self, thread: usize) {
        let Padded(seat) = &self.seats[thread];
        if !seat.bed.wake() && !seat.is_free.load(Ordering::SeqCst) {
            self.seats.iter().any(|Padded(seat)| seat.bed.wake());
        }
    }

    pub(super) fn wake_all(&self) {
        if self.sleepers.0.load(Ordering::SeqCst) > 0 {
            for Padded(seat) in &self.seats {
                seat.bed.wake();
            }
        }
    }

    /// Notes that a processor is over.
    pub(super) fn end(&self, processor: u32) {
        let Padded(hand) = &self.posts[processor as usize].hand;
        hand.holder.store(OVER, Ordering::SeqCst);
    }

    /// Notes that a processor goes no further in this run, where it should.
    pub(super) fn stop(&self, processor: u32) {
        let Padded(progress) = &self.posts[processor as usize].progress;
        progress.has_stopped.store(true, Ordering::SeqCst);
        self.end(processor);
        self.wake_all();
    }
}
