//! The cores that this process may use, and the one that a thread runs on.
//!
//! Threads run where the system puts them. Two that wait for each other and never sleep it may leave on one core for seconds, next to an idle
//! one (Linux 6.18 does, after a moment in which that one was busy): each supersteps then takes two switches between threads. So a
//! [team](crate::team) looks where its threads are, and sends one that shares its core to another. Nothing is bound to where it was sent.
//!
//! Where the system does not tell cores, threads stay where they are.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of cores that this process may use, asked for once.
pub(crate) fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Where a thread was seen last; nowhere at first.
#[derive(Debug)]
pub(crate) struct Seen(AtomicUsize);

impl Default for Seen {
    fn default() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }
}

impl Seen {
    /// Takes note of where this thread is.
    pub(crate) fn here(&self) {
        if let Some(core) = current() {
            self.0.store(core, Ordering::Relaxed);
        }
    }

    /// Whether this thread is where it was then.
    pub(crate) fn is_still_here(&self) -> bool {
        current().is_some_and(|core| self.is_on(core))
    }

    pub(crate) fn is_on(&self, core: usize) -> bool {
        self.get() == core
    }

    pub(crate) fn is_with(&self, other: &Self) -> bool {
        self.get() == other.get()
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) use system::{current, move_to, other_than};

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The core that this thread runs on: a few nanoseconds.
    #[inline]
    pub(crate) fn current() -> Option<usize> {
        Some(sched_getcpu())
    }

    /// A core that this thread may use, and that is not taken.
    pub(crate) fn other_than(is_taken: impl Fn(usize) -> bool) -> Option<usize> {
        let allowed = sched_getaffinity(None).ok()?;
        (0..CpuSet::MAX_CPU).find(|&core| allowed.is_set(core) && !is_taken(core))
    }

    /// Goes to `core`, and lets the system move it from there. If that cannot be, the thread stays where it is.
    pub(crate) fn move_to(core: usize) {
        let Ok(allowed) = sched_getaffinity(None) else {
            return;
        };
        let mut only = CpuSet::new();
        only.set(core);
        if allowed.is_set(core) && sched_setaffinity(None, &only).is_ok() {
            // It was valid before.
            let _ = sched_setaffinity(None, &allowed);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    pub(crate) fn current() -> Option<usize> {
        None
    }

    pub(crate) fn other_than(_: impl Fn(usize) -> bool) -> Option<usize> {
        None
    }

    pub(crate) fn move_to(_: usize) {}
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use rustix::thread::sched_getaffinity;

    use super::*;

    #[test]
    fn a_thread_goes_to_any_of_its_cores_and_may_leave_it() {
        let affinity = || {
            let allowed = sched_getaffinity(None).expect("it has one");
            (0..1024)
                .filter(|&core| allowed.is_set(core))
                .collect::<Vec<_>>()
        };
        let all = affinity();
        for &core in &all {
            // The system may have moved it before it looks.
            let arrives = |_| {
                move_to(core);
                current() == Some(core)
            };
            assert!((0..1000).any(arrives));
            assert_eq!(affinity(), all);
        }
        assert_eq!(other_than(|_| true), None);
        assert_eq!(other_than(|core| core != all[0]), Some(all[0]));
    }

    #[test]
    fn a_core_that_is_none_of_this_thread_s_changes_nothing() {
        let before = sched_getaffinity(None).expect("it has one");
        move_to(1023);
        assert_eq!(sched_getaffinity(None).expect("it has one"), before);
    }
}
