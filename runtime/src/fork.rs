//! State that belongs to one process: a child made by `fork` begins without it.
//!
//! Of the threads of a process only the one that calls `fork` goes on in the child, with a copy of
//! all memory. There, teams are handles of threads that do not exist, and what another thread was
//! changing stays half changed and locked for ever. So everything that calls share and lock is
//! [`PerProcess`]: a child makes it anew, and never looks at its parent's.
//!
//! A child learns that it is one from a handler that runs in it before `fork` returns
//! (`pthread_atfork`). Asking for the process's number would cost a call of the system in each
//! call. A page that the system wipes in children (`MADV_WIPEONFORK`) is Linux's alone. Processes
//! that are made past the C library (a raw `clone`) run no handlers, and are not noticed. Nor can
//! this module free what others lock: see [the crate's page](crate#threads-and-processes).

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// Forks between the first process and this one, or a higher number; those before anything was kept
/// do not count. Numbers wrap.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Value that is made when it is first asked for, and anew in a child of the process.
///
/// A child leaks its parent's value, which may be in any state. Costs two loads. There are values
/// only of types that threads may share and drop for each other.
pub(crate) struct PerProcess<T> {
    kept: AtomicPtr<Kept<T>>,
}

/// Value on cache lines of its own. Beside words that a worker writes (false sharing) it made a
/// warm call on two processors take 50 ns more, of 320.
#[repr(align(128))]
struct Kept<T> {
    /// Process in which it was made.
    forks: u32,
    value: T,
}

impl<T> PerProcess<T> {
    /// Makes one without a value.
    pub(crate) const fn new() -> Self {
        Self {
            kept: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Default + Send + Sync> PerProcess<T> {
    /// Returns the value of this process.
    pub(crate) fn get(&self) -> &T {
        let kept = self.kept.load(Ordering::Acquire);
        // SAFETY: the pointer is null, or of a box that `renew` has leaked and published with
        // release. Only dropping `self` frees it, and `self` is borrowed.
        match unsafe { kept.as_ref() } {
            Some(kept) if kept.forks == FORKS.load(Ordering::Relaxed) => &kept.value,
            _ => self.renew(kept),
        }
    }

    /// Puts a new value in place of none, or of that of another process.
    #[cold]
    fn renew(&self, stale: *mut Kept<T>) -> &T {
        system::watch();
        let fresh = Box::into_raw(Box::new(Kept {
            forks: FORKS.load(Ordering::Relaxed),
            value: T::default(),
        }));
        let placed = self
            .kept
            .compare_exchange(stale, fresh, Ordering::AcqRel, Ordering::Acquire);
        let kept = match placed {
            Ok(_) => fresh,
            Err(other) => {
                // SAFETY: it comes from a box, and nobody else has seen it.
                drop(unsafe { Box::from_raw(fresh) });
                other
            }
        };
        // SAFETY: as in `get`. The other is not null: who put it there has put a fresh one.
        unsafe { &(*kept).value }
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let kept = *self.kept.get_mut();
        // SAFETY: as in `get`.
        let forks = unsafe { kept.as_ref() }.map(|kept| kept.forks);
        if forks == Some(FORKS.load(Ordering::Relaxed)) {
            // SAFETY: it comes from a box, and with `self` the last way to it goes.
            drop(unsafe { Box::from_raw(kept) });
        }
    }
}

#[cfg(all(unix, not(any(miri, target_family = "wasm"))))]
mod system {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::FORKS;

    type Handler = Option<unsafe extern "C" fn()>;

    unsafe extern "C" {
        /// Calls `child` in each child that `fork` makes from now on (POSIX). That it comes from
        /// the C library that the standard library links saves a dependency.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> i32;
    }

    /// Runs in the child while it has one thread, and may do only what a signal handler may.
    extern "C" fn forked() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    /// Registers the handler that counts children, before there is something that they must not
    /// use.
    ///
    /// Not under a lock, which a child could find locked: threads that come here at once are all
    /// heard, and a child counts for several.
    pub(super) fn watch() {
        static WATCHED: AtomicBool = AtomicBool::new(false);
        if !WATCHED.load(Ordering::Relaxed) {
            // SAFETY: the signature is that of POSIX, and the handler, which lives as long as this
            // code, changes an atomic number. (Who unloads a library that has it, unregisters it:
            // the C libraries see to that.)
            let refused = unsafe { pthread_atfork(None, None, Some(forked)) };
            WATCHED.store(refused == 0, Ordering::Relaxed);
        }
    }
}

#[cfg(not(all(unix, not(any(miri, target_family = "wasm")))))]
mod system {
    /// Does nothing: here no process is a copy of another.
    pub(super) fn watch() {}
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    /// Changes a value as if this process were a child, for values that only one test has.
    fn as_child<T>(cell: &mut PerProcess<T>) {
        let kept = *cell.kept.get_mut();
        // SAFETY: `cell` is borrowed mutably, so nobody else has the value.
        if let Some(kept) = unsafe { kept.as_mut() } {
            kept.forks = kept.forks.wrapping_sub(1);
        }
    }

    #[test]
    fn all_threads_find_one_value() {
        let cell = PerProcess::<Mutex<usize>>::new();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| *cell.get().lock().expect("nobody panics") += 1);
            }
        });
        assert_eq!(*cell.get().lock().expect("nobody panics"), 4);
    }

    #[test]
    fn a_child_makes_its_own_even_if_the_parents_is_locked() {
        let mut cell = PerProcess::<Mutex<Vec<u32>>>::new();
        let mut parents = cell.get().lock().expect("nobody panics");
        parents.push(1);
        std::mem::forget(parents);
        as_child(&mut cell);
        assert_eq!(*cell.get().lock().expect("it is another"), [0_u32; 0]);
    }

    #[test]
    fn values_are_dropped_in_their_process_and_leaked_in_another() {
        static ALIVE: AtomicU32 = AtomicU32::new(0);
        struct Counted;
        impl Default for Counted {
            fn default() -> Self {
                ALIVE.fetch_add(1, Ordering::Relaxed);
                Self
            }
        }
        impl Drop for Counted {
            fn drop(&mut self) {
                ALIVE.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let alive = || ALIVE.load(Ordering::Relaxed);
        let mut cell = PerProcess::<Counted>::new();
        assert_eq!(alive(), 0, "nobody has asked");
        cell.get();
        assert_eq!(alive(), 1);
        as_child(&mut cell);
        cell.get();
        assert_eq!(alive(), 2);
        drop(cell);
        assert_eq!(alive(), 1);
    }
}
