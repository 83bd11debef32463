//! Cores that threads may use, and the one that a thread runs on.
//!
//! *How many*: each thread has a mask of cores. A call has the cores of its thread. So one from a
//! thread that is kept on one core chooses the program for one processor, and calls from other
//! threads do not. Workers serve calls of all threads. They may use what the main thread may use,
//! whose mask is that of the process. They may also use what the thread may use that founded their
//! team. No more of either count than a container's quota grants, where there is one.
//!
//! *Where*: threads run where the system puts them. Two that wait for each other and never sleep it
//! may leave on one core for seconds, next to an idle one. Each superstep then takes two switches
//! between threads. Linux 6.18 does so, after a moment in which the other core was busy.
//!
//! So a [team](crate::team) looks where its threads are. It sends one that shares its core, or did
//! not come, to cores that the team is not on. Which one it goes to is the system's choice. A
//! thread may run afterwards where it could before. Only, its cores then count as asked for, and a
//! container that is given more of them while it runs gives that thread none.
//!
//! Where the system does not tell cores, threads stay where they are.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of questions for a thread's cores that are answered from memory before the system is
/// asked again. Asking takes 0.2 us, by a loop over calls, and so 3 ns for each question.
const REMEMBERED: u32 = 64;

/// Number of a thread's cores, as it was told last.
#[derive(Clone, Copy)]
struct Told {
    /// Questions that are yet answered by it.
    left: u32,
    count: usize,
    /// Set if a container's quota was looked at.
    is_granted: bool,
}

thread_local! {
    static TOLD: Cell<Told> = const {
        Cell::new(Told {
            left: 0,
            count: 0,
            is_granted: false,
        })
    };
}

/// Returns the number of cores that this thread may use, or could at most 64 questions ago.
pub(crate) fn count() -> usize {
    told(|told| told.is_granted).unwrap_or_else(|| {
        let mask = system::own().map(|own| own.count());
        remember(granted(mask), true)
    })
}

/// Returns the number of cores that this thread may use, as far as is known. A container's quota is
/// known once a team was founded, as finding it out takes longer than some calls.
pub(crate) fn count_by_now() -> usize {
    told(|_| true).unwrap_or_else(|| {
        let mask = system::own().map(|own| own.count());
        match mask.filter(|&mask| mask > quota::asked_with()) {
            Some(mask) => remember(mask, false),
            None => remember(granted(mask), true),
        }
    })
}

/// Answers from memory, if what this thread was told serves.
fn told(serves: impl FnOnce(&Told) -> bool) -> Option<usize> {
    let told = TOLD.get();
    (told.left > 0 && serves(&told)).then(|| {
        TOLD.set(Told {
            left: told.left - 1,
            ..told
        });
        told.count
    })
}

fn remember(count: usize, is_granted: bool) -> usize {
    TOLD.set(Told {
        left: REMEMBERED,
        count,
        is_granted,
    });
    count
}

/// Returns the number of cores that workers may use which this thread spawns.
pub(crate) fn count_of_workers() -> usize {
    let own = count();
    system::of_workers().map_or(own, |cores| cores.count().min(quota::get()))
}

/// Counts those cores of this thread that the process may keep busy; all, if it has no mask.
fn granted(mask: Option<usize>) -> usize {
    let Some(mask) = mask else {
        return all();
    };
    if mask > quota::asked_with() {
        // What the standard library finds is the less of this thread's mask and the quota.
        quota::found(mask, all());
    }
    mask.min(quota::get())
}

fn all() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Quota of a container: its share of processor time, in cores. Finding it takes some files, so it
/// is looked for only by threads with more cores than any that has looked.
mod quota {
    use super::{AtomicUsize, Ordering};

    static QUOTA: AtomicUsize = AtomicUsize::new(usize::MAX);
    static ASKED_WITH: AtomicUsize = AtomicUsize::new(0);

    /// Returns the quota, as far as it is known.
    pub(super) fn get() -> usize {
        QUOTA.load(Ordering::Relaxed)
    }

    /// Returns the most cores that a thread had when it looked.
    pub(super) fn asked_with() -> usize {
        ASKED_WITH.load(Ordering::Relaxed)
    }

    /// Takes note that a thread with so many cores was granted so many.
    pub(super) fn found(mask: usize, granted: usize) {
        if granted < mask {
            QUOTA.store(granted, Ordering::Relaxed);
        }
        ASKED_WITH.fetch_max(mask, Ordering::Relaxed);
    }
}

/// Core on which a thread was seen last; none at first.
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

    /// Returns the core of the thread; none, if it was seen nowhere yet.
    pub(crate) fn get(&self) -> Option<usize> {
        let core = self.0.load(Ordering::Relaxed);
        (core != usize::MAX).then_some(core)
    }
}

/// Has this thread go to a core that is none of the `taken`, and lets the system move it from
/// there. If it may use no other it stays where it is.
pub(crate) fn leave(taken: &Cores) {
    if let Some(allowed) = send(this_thread(), taken) {
        enter(&allowed);
    }
}

pub(crate) use system::{Cores, Thread, current, enter, send, this_thread, wider};

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod system {
    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// Thread, as the system knows it.
    pub(crate) type Thread = Pid;

    /// Returns this thread.
    pub(crate) fn this_thread() -> Thread {
        gettid()
    }

    /// Set of cores.
    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct Cores(CpuSet);

    impl FromIterator<usize> for Cores {
        /// Collects cores, as far as the system counts.
        fn from_iter<I: IntoIterator<Item = usize>>(cores: I) -> Self {
            let mut set = CpuSet::new();
            let cores = cores.into_iter().filter(|&core| core < CpuSet::MAX_CPU);
            cores.for_each(|core| set.set(core));
            Self(set)
        }
    }

    impl Cores {
        pub(super) fn count(&self) -> usize {
            self.0.count() as usize
        }

        fn holds(&self, core: usize) -> bool {
            core < CpuSet::MAX_CPU && self.0.is_set(core)
        }
    }

    /// Returns the cores of this thread; none, if the system has more than a set can hold.
    pub(super) fn own() -> Option<Cores> {
        sched_getaffinity(None).ok().map(Cores)
    }

    /// Joins the cores of this process's main thread and of this thread.
    pub(super) fn of_workers() -> Option<Cores> {
        let own = own()?;
        let main = i32::try_from(std::process::id())
            .ok()
            .and_then(Pid::from_raw);
        // A main thread that has ended may have none.
        let main = Cores(sched_getaffinity(main).unwrap_or(own.0));
        let either = |&core: &usize| own.holds(core) || main.holds(core);
        Some((0..CpuSet::MAX_CPU).filter(either).collect())
    }

    /// Returns the cores of workers, if they are more than those that a thread inherits from this
    /// one.
    pub(crate) fn wider() -> Option<Cores> {
        let (own, workers) = (own()?, of_workers()?);
        (workers.count() > own.count()).then_some(workers)
    }

    /// Lets this thread run on these cores and no others.
    pub(crate) fn enter(cores: &Cores) {
        // If the system has taken them away meanwhile, the thread keeps what it has inherited.
        let _ = sched_setaffinity(None, &cores.0);
    }

    /// Returns the core that this thread runs on: a few nanoseconds on x86-64, a call of the system
    /// on some others.
    #[inline]
    pub(crate) fn current() -> Option<usize> {
        Some(sched_getcpu())
    }

    /// Sends a thread to cores that are none of the `taken`, and returns those that it may use
    /// otherwise. It is to [enter](enter) them when it is there. None if there are no others, or it
    /// is no thread any more.
    ///
    /// One that runs or is about to goes at once, one that sleeps when it is woken. Costs two calls
    /// of the system.
    pub(crate) fn send(thread: Thread, taken: &Cores) -> Option<Cores> {
        let allowed = Cores(sched_getaffinity(Some(thread)).ok()?);
        let is_free = |&core: &usize| allowed.holds(core) && !taken.holds(core);
        let Cores(free) = (0..CpuSet::MAX_CPU).filter(is_free).collect();
        (free.count() > 0 && sched_setaffinity(Some(thread), &free).is_ok()).then_some(allowed)
    }
}

#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
mod system {
    pub(crate) type Thread = ();

    pub(crate) fn this_thread() -> Thread {}

    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct Cores;

    impl FromIterator<usize> for Cores {
        fn from_iter<I: IntoIterator<Item = usize>>(_: I) -> Self {
            Self
        }
    }

    impl Cores {
        pub(super) fn count(&self) -> usize {
            0
        }
    }

    pub(super) fn own() -> Option<Cores> {
        None
    }

    pub(super) fn of_workers() -> Option<Cores> {
        None
    }

    pub(crate) fn wider() -> Option<Cores> {
        None
    }

    pub(crate) fn enter(_: &Cores) {}

    pub(crate) fn current() -> Option<usize> {
        None
    }

    pub(crate) fn send(_: Thread, _: &Cores) -> Option<Cores> {
        None
    }
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
    #[test]
    fn questions_are_answered_from_memory_and_what_knows_no_quota_serves_those_without() {
        let asked = || {
            let before = count_by_now();
            let left = TOLD.get().left;
            assert_eq!((count_by_now(), TOLD.get().left), (before, left - 1));
            remember(usize::MAX, false);
            assert_eq!(count_by_now(), usize::MAX);
            assert!(count() <= allowed().len(), "it asks for the quota");
            assert!(TOLD.get().is_granted);
        };
        std::thread::spawn(asked).join().expect("it holds");
    }
}
