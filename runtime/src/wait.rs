//! Waiting of a thread for another: it spins, then yields, then sleeps until it is woken.
//!
//! The figures of the usual policy are measured. About 200 pauses catch a partner that runs on
//! another core, and longer spinning only harms a busy machine. Then 64 yields let a partner on the
//! same core go on. After that the thread parks.
//!
//! Between calls a thread goes on to yield for a millisecond first, as waking one that sleeps takes
//! fifty microseconds. So a loop of calls finds its workers awake, whatever it does in between.
//! (Within a call that does harm where others want the cores: who has slept goes first.)

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::cores;
use crate::options::WaitPolicy;
use crate::sync::{self, AtomicBool, AtomicU32, Mutex, Padded, Thread, lock};

/// Pauses of a thread that spins. So many catch a partner that runs on another core, and longer
/// spinning only harms a busy machine.
const SPINS: u32 = 200;
/// Yields of a thread before it sleeps, which let a partner on the same core go on.
const YIELDS: u32 = 64;
/// Time for which threads yield between calls: waking one that sleeps takes 50 us.
const AWAKE: Duration = match cfg!(loom) {
    // The model check knows no time.
    true => Duration::ZERO,
    false => Duration::from_millis(1),
};

/// Round number that one thread sets and others wait for. Numbers wrap.
#[derive(Debug, Default)]
pub(crate) struct Flag(Padded<AtomicU32>);

impl Flag {
    /// Returns the round last set.
    pub(crate) fn get(&self) -> u32 {
        self.0.0.load(Ordering::SeqCst)
    }

    /// Publishes a round, and everything that this thread wrote before. The waiting threads must be
    /// woken as well.
    pub(crate) fn set(&self, round: u32) {
        self.0.0.store(round, Ordering::SeqCst);
    }
}

/// Patience of a thread: how often to spin and to yield before sleeping, and for how long to yield
/// at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    pub(crate) spins: u32,
    pub(crate) yields: u32,
    pub(crate) awake: Duration,
}

impl Patience {
    /// Returns the patience of `threads` that run together, by the usual policy.
    pub(crate) fn of(threads: usize) -> Self {
        Self::new(threads, WaitPolicy::Hybrid, cores::count_of_workers())
    }

    /// Returns the patience of a policy. By default there is no spinning if there are more threads
    /// than cores, since the awaited one may need this core.
    pub(crate) fn new(threads: usize, wait: WaitPolicy, cores: usize) -> Self {
        let (spins, yields) = match wait {
            // Half a minute, so that a thread that waits for nothing ends up asleep.
            WaitPolicy::Spin => (u32::MAX, YIELDS),
            WaitPolicy::Hybrid if threads > cores => (0, YIELDS),
            WaitPolicy::Hybrid => (SPINS, YIELDS),
            WaitPolicy::Park => (0, 0),
        };
        Self {
            spins,
            yields,
            awake: Duration::ZERO,
        }
    }

    /// Looks, spinning and then yielding, until `ready` says so; returns whether it did.
    pub(crate) fn looks(self, mut ready: impl FnMut() -> bool) -> bool {
        for _ in 0..self.spins {
            if ready() {
                return true;
            }
            sync::spin_loop();
        }
        let begin = Instant::now();
        let mut yields = 0;
        while yields < self.yields || begin.elapsed() < self.awake {
            if ready() {
                return true;
            }
            sync::yield_now();
            yields = yields.saturating_add(1);
        }
        false
    }

    /// Returns the patience for the time between calls.
    pub(crate) fn between_calls(self) -> Self {
        Self {
            awake: AWAKE,
            ..self
        }
    }
}

/// Bed in which one thread sleeps. Every write for which it may be waiting must be followed by
/// [`wake`](Self::wake).
///
/// No wake-up is lost: see the [protocol](crate::team#protocol).
#[derive(Debug, Default)]
pub(crate) struct Bed {
    asleep: AtomicBool,
    thread: Mutex<Option<Thread>>,
}

impl Bed {
    /// Waits until `ready` says so. With `nap`, it looks again at least that often.
    pub(crate) fn wait(
        &self,
        patience: Patience,
        nap: Option<Duration>,
        mut ready: impl FnMut() -> bool,
    ) {
        if !patience.looks(&mut ready) {
            self.sleep(nap, ready);
        }
    }

    /// Sleeps until `ready` says so. With `nap`, it looks again at least that often.
    pub(crate) fn sleep(&self, nap: Option<Duration>, mut ready: impl FnMut() -> bool) {
        *lock(&self.thread) = Some(sync::current());
        loop {
            self.asleep.store(true, Ordering::SeqCst);
            if ready() {
                break;
            }
            match nap {
                Some(nap) => sync::park_timeout(nap),
                None => sync::park(),
            }
        }
        self.asleep.store(false, Ordering::SeqCst);
    }

    /// Returns whether a thread sleeps here, or is about to.
    pub(crate) fn is_asleep(&self) -> bool {
        self.asleep.load(Ordering::Relaxed)
    }

    /// Wakes the thread if it sleeps here and nobody has yet; returns whether it did.
    pub(crate) fn wake(&self) -> bool {
        let wakes = self.asleep.load(Ordering::SeqCst) && self.asleep.swap(false, Ordering::SeqCst);
        if wakes && let Some(thread) = &*lock(&self.thread) {
            thread.unpark();
        }
        wakes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_differ_in_how_long_they_stay_awake() {
        let patience = |threads, wait| {
            let patience = Patience::new(threads, wait, 2);
            (patience.spins, patience.yields)
        };
        assert_eq!(patience(2, WaitPolicy::Hybrid), (SPINS, YIELDS));
        assert_eq!(patience(3, WaitPolicy::Hybrid), (0, YIELDS));
        assert_eq!(patience(2, WaitPolicy::Spin).0, u32::MAX);
        assert_eq!(patience(2, WaitPolicy::Park), (0, 0));
    }
}
