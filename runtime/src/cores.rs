//! The cores that this process may use, and the one that a thread runs on.
//!
//! Threads run where the system puts them. Two that wait for each other and never sleep it may
//! leave on one core for seconds, next to an idle one (Linux 6.18 does, after a moment in which
//! that one was busy): each superstep then takes two switches between threads. So a
//! [team](crate::team) looks where its threads are, and has one that shares its core leave those
//! that the team is on: which other one it goes to is the system's choice. A thread may run
//! afterwards where it could before; only, its cores then count as asked for, and a container that
//! is given more of them while it runs gives that thread none.
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

    #[cfg(all(test, not(loom)))]
    pub(crate) fn set(&self, core: usize) {
        self.0.store(core, Ordering::Relaxed);
    }

    /// Where the thread was; none, if it was seen nowhere yet.
    pub(crate) fn get(&self) -> Option<usize> {
        let core = self.0.load(Ordering::Relaxed);
        (core != usize::MAX).then_some(core)
    }
}

pub(crate) use system::{Cores, current, leave};

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// A set of cores.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Cores(CpuSet);

    impl FromIterator<usize> for Cores {
        /// Those cores, as far as the system counts.
        fn from_iter<I: IntoIterator<Item = usize>>(cores: I) -> Self {
            let mut set = CpuSet::new();
            let cores = cores.into_iter().filter(|&core| core < CpuSet::MAX_CPU);
            cores.for_each(|core| set.set(core));
            Self(set)
        }
    }

    /// The core that this thread runs on: a few nanoseconds on x86-64, a call of the system on some
    /// others.
    #[inline]
    pub(crate) fn current() -> Option<usize> {
        Some(sched_getcpu())
    }

    /// Goes from one of the `taken` cores to another that is none of them, and lets the system move
    /// it from there. If it may use no other, the thread stays where it is; so it does if the
    /// system has moved it already.
    ///
    /// Costs up to three calls of the system, and the way.
    pub(crate) fn leave(taken: &Cores) {
        let is_taken = |core: usize| core < CpuSet::MAX_CPU && taken.0.is_set(core);
        if !is_taken(sched_getcpu()) {
            return;
        }
        let Ok(allowed) = sched_getaffinity(None) else {
            return;
        };
        let all = 0..CpuSet::MAX_CPU;
        let Cores(free) = all
            .filter(|&core| allowed.is_set(core) && !is_taken(core))
            .collect();
        if free.count() > 0 && sched_setaffinity(None, &free).is_ok() {
            // If the system has taken cores away meanwhile, it has seen to this thread itself.
            let _ = sched_setaffinity(None, &allowed);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
mod system {
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Cores;

    impl FromIterator<usize> for Cores {
        fn from_iter<I: IntoIterator<Item = usize>>(_: I) -> Self {
            Self
        }
    }

    pub(crate) fn current() -> Option<usize> {
        None
    }

    pub(crate) fn leave(_: &Cores) {}
}

#[cfg(all(test, target_os = "linux", not(any(miri, loom))))]
mod tests {
    use rustix::thread::sched_getaffinity;

    use super::*;

    fn allowed() -> Vec<usize> {
        let allowed = sched_getaffinity(None).expect("it has one");
        (0..1024).filter(|&core| allowed.is_set(core)).collect()
    }

    #[test]
    fn a_thread_leaves_for_any_other_of_its_cores_and_may_come_back() {
        let all = allowed();
        for &core in &all {
            let others = || all.iter().copied().filter(|&other| other != core);
            // The system may have moved it before it looks.
            let arrives = |_| {
                leave(&others().collect());
                current() == Some(core)
            };
            assert!((0..1000).any(arrives));
            assert_eq!(allowed(), all);
        }
    }

    #[test]
    fn where_all_cores_are_taken_a_thread_stays() {
        let all = allowed();
        leave(&(0..5000).collect());
        assert_eq!(allowed(), all);
    }
}
