//! Primitives by which threads meet: those of the standard library, or loom's in the [model
//! check](crate::team#model-check).
//!
//! Modules whose threads wait for each other take mutexes, atomics and threads from here. What is
//! never waited for may be the standard library's.

#[cfg(not(all(test, loom)))]
mod primitives {
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32};
    pub(crate) use std::sync::{Mutex, MutexGuard};
    pub(crate) use std::thread::{
        Builder, JoinHandle, Thread, current, park, park_timeout, yield_now,
    };
}

#[cfg(all(test, loom))]
mod primitives {
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    pub(crate) use loom::thread::{Builder, JoinHandle, yield_now};

    pub(crate) use super::model::{AtomicBool, AtomicU32, Thread, current, park, park_timeout};
}

use std::sync::{OnceLock, PoisonError};

pub(crate) use primitives::*;

/// Locks a mutex. A thread that panicked while it held the lock has reported that elsewhere.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what a cell holds, made here and now if it holds nothing. Nobody waits for another
/// thread that makes it, which may have no core.
pub(crate) fn get_or_make<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if cell.get().is_none() {
        let _ = cell.set(make());
    }
    match cell.get() {
        Some(value) => value,
        None => unreachable!("what is written stays"),
    }
}

/// Padding against false sharing: keeps what it holds on cache lines of its own, so that writing it
/// disturbs no neighbour.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

/// Promises of the standard library of which loom says less, in terms that loom knows.
#[cfg(all(test, loom))]
pub(crate) mod model {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use loom::sync::atomic::fence;
    use loom::sync::{Condvar, Mutex};

    /// Places of fences that stand for sequentially consistent accesses, of which loom knows no
    /// others. With either, of two threads that each store and then load what the other stores, one
    /// at least sees the other's store. An access that is weaker than it should be shows in one of
    /// both.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Fences {
        AfterStores,
        BeforeLoads,
    }

    thread_local! {
        /// Choice of the model that runs on this thread of the system; loom's threads all run on
        /// it.
        static FENCES: Cell<Fences> = const { Cell::new(Fences::AfterStores) };
    }

    pub(crate) fn set_fences(fences: Fences) {
        FENCES.set(fences);
    }

    fn fence_if(here: Fences, order: Ordering) {
        if order == Ordering::SeqCst && FENCES.get() == here {
            fence(order);
        }
    }

    /// Runs an access that both loads and stores.
    fn both<R>(order: Ordering, access: impl FnOnce() -> R) -> R {
        fence_if(Fences::BeforeLoads, order);
        let result = access();
        fence_if(Fences::AfterStores, order);
        result
    }

    macro_rules! atomic {
        ($name:ident, $value:ty) => {
            #[derive(Debug, Default)]
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                pub(crate) fn new(value: $value) -> Self {
                    Self(loom::sync::atomic::$name::new(value))
                }

                pub(crate) fn load(&self, order: Ordering) -> $value {
                    fence_if(Fences::BeforeLoads, order);
                    self.0.load(order)
                }

                pub(crate) fn store(&self, value: $value, order: Ordering) {
                    self.0.store(value, order);
                    fence_if(Fences::AfterStores, order);
                }

                pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                    both(order, || self.0.swap(value, order))
                }
            }
        };
    }

    atomic!(AtomicBool, bool);
    atomic!(AtomicU32, u32);

    impl AtomicU32 {
        pub(crate) fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
            both(order, || self.0.fetch_add(value, order))
        }

        pub(crate) fn fetch_sub(&self, value: u32, order: Ordering) -> u32 {
            both(order, || self.0.fetch_sub(value, order))
        }

        pub(crate) fn compare_exchange(
            &self,
            current: u32,
            new: u32,
            success: Ordering,
            failure: Ordering,
        ) -> Result<u32, u32> {
            both(success, || {
                self.0.compare_exchange(current, new, success, failure)
            })
        }
    }

    /// Token of a thread. (Loom's own wakes a thread that is about to lock, too.)
    #[derive(Debug, Default)]
    struct Token {
        is_there: Mutex<bool>,
        comes: Condvar,
    }

    loom::thread_local! {
        static TOKEN: Arc<Token> = Arc::default();
    }

    #[derive(Clone, Debug)]
    pub(crate) struct Thread(Arc<Token>);

    pub(crate) fn current() -> Thread {
        Thread(TOKEN.with(Arc::clone))
    }

    impl Thread {
        pub(crate) fn unpark(&self) {
            *super::lock(&self.0.is_there) = true;
            self.0.comes.notify_one();
        }
    }

    pub(crate) fn park() {
        let Thread(token) = current();
        let mut is_there = super::lock(&token.is_there);
        while !*is_there {
            is_there = token.comes.wait(is_there).expect("loom poisons nothing");
        }
        *is_there = false;
    }

    /// Sleeps without end: what needs the time to run out is a wake-up lost.
    pub(crate) fn park_timeout(_: Duration) {
        park();
    }
}
