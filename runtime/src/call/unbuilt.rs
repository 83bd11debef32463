//! Cache of calls for which nothing was built: for each kernel, a few instances (choices of control
//! arguments). The least recently used one gives way.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{OnceLock, RwLock, RwLockReadGuard};

use super::{AnyPlan, Planning};
use crate::control::Glance;
use crate::fallback::Fallback;
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::sync::get_or_make;

/// Choices of control arguments that are kept for a kernel, at most: a bound of memory, not tuned.
/// A multigrid method has some eight levels that are worth a plan.
const KEYS: usize = 8;

/// Entries of `#[structure]` arguments, at most, of a choice that is kept: a bound of memory, not
/// tuned. Differences of sorted patterns take 1 to 4 bytes each, so that a kernel's keys take 64
/// MiB.
const MOST_ENTRIES: usize = 1 << 21;

/// Age at which an entry gives way, in calls for instances that are not kept. As many as calls wait
/// for a plan. Whoever cycles through nine sizes keeps eight.
const LEAST_AGE: u32 = 256;

/// Memory of a kernel's calls for which nothing was built, by control arguments.
///
/// An entry is known by a hash of a glance at it until a plan is made, then by its key. Before
/// that, instances with equal hashes count as one.
///
/// Calls never wait for each other here. Who finds a choice being replaced keeps nothing of the
/// call.
#[derive(Default)]
pub struct Unbuilt {
    slots: PerProcess<Slots>,
}

#[derive(Default)]
struct Slots {
    /// Hashes of the choices, beside each other: most calls look at these and one slot. Zero: none.
    hashes: [AtomicU64; KEYS],
    slots: [RwLock<Option<Slot>>; KEYS],
    /// Logical clock: calls for instances that are not kept.
    clock: AtomicU32,
}

/// Choice of control arguments.
struct Slot {
    hash: u64,
    /// Key, written when a plan is made.
    key: OnceLock<Box<[u8]>>,
    memory: Memory,
    /// Clock at its last call.
    last_used: AtomicU32,
}

impl Slot {
    /// Returns the key, which `make` makes where there is none. Nobody waits for another thread
    /// that makes one.
    fn key_or(&self, make: impl FnOnce() -> Vec<u8>) -> &[u8] {
        get_or_make::<Box<[u8]>>(&self.key, || make().into_boxed_slice())
    }
}

/// Memory of calls for one choice, which stays while this is held.
pub(crate) struct Found<'u> {
    slot: RwLockReadGuard<'u, Option<Slot>>,
    processors: usize,
    /// Set if the key was compared, and is that of the call.
    is_compared: bool,
}

impl Found<'_> {
    fn slot(&self) -> &Slot {
        match &*self.slot {
            Some(slot) => slot,
            None => unreachable!("a slot that was found stays"),
        }
    }

    /// Returns the memory.
    pub(super) fn memory(&self) -> &Memory {
        self.slot().memory.of(self.processors)
    }

    /// Returns who is told of calls.
    pub(super) fn fallback(&self) -> &Fallback {
        &self.memory().fallback
    }

    /// Returns the plan, if the choice is known to be the call's.
    pub(super) fn plan(&self) -> Option<&AnyPlan> {
        self.memory().plan().filter(|_| self.is_compared)
    }

    /// Returns whether the choice may be a call's: if there is a key, whether that is the call's.
    pub(super) fn may_be_of<K: Kernel>(&mut self, planning: &dyn Planning<K>) -> bool {
        let Some(key) = self.slot().key.get() else {
            return true;
        };
        self.is_compared = planning.is_for(key);
        self.is_compared
    }

    /// Returns whether the choice is a call's, by its key, which is written where there is none.
    pub(super) fn is_of<K: Kernel>(&mut self, planning: &dyn Planning<K>) -> bool {
        let key = self.slot().key_or(|| planning.key());
        self.is_compared = planning.is_for(key);
        self.is_compared
    }
}

impl Unbuilt {
    /// Returns a memory without choices.
    pub const fn new() -> Self {
        Self {
            slots: PerProcess::new(),
        }
    }

    /// Returns the memory of calls that look like this one, whose plans may have so many
    /// processors. Slots are searched in order. `wanted` tells whether it is the one.
    pub(super) fn find<'u>(
        &'u self,
        glance: Glance,
        processors: usize,
        mut wanted: impl FnMut(&mut Found<'u>) -> bool,
    ) -> Option<Found<'u>> {
        let kept = self.slots.get();
        let hash = hash_of(glance);
        for (other, slot) in kept.hashes.iter().zip(&kept.slots) {
            if other.load(Ordering::Relaxed) != hash {
                continue;
            }
            let Ok(slot) = slot.try_read() else {
                continue;
            };
            let Some(held) = slot.as_ref().filter(|slot| slot.hash == hash) else {
                continue;
            };
            let now = kept.clock.load(Ordering::Relaxed);
            if held.last_used.load(Ordering::Relaxed) != now {
                held.last_used.store(now, Ordering::Relaxed);
            }
            let mut found = Found {
                slot,
                processors,
                is_compared: false,
            };
            if wanted(&mut found) {
                return Some(found);
            }
        }
        None
    }

    /// Has calls of this choice of control arguments be kept, where there is room, or where the
    /// caller insists.
    pub(super) fn keep(&self, glance: Glance, insists: bool) {
        let kept = self.slots.get();
        if glance.entries > MOST_ENTRIES {
            return;
        }
        let now = kept.clock.fetch_add(1, Ordering::Relaxed);
        let is_free = |hash: &AtomicU64| hash.load(Ordering::Relaxed) == 0;
        let free = kept.hashes.iter().position(is_free);
        let least = if insists { 0 } else { LEAST_AGE };
        let Some(at) = free.or_else(|| kept.least_recently_used(now, least)) else {
            return;
        };
        if let Ok(mut slot) = kept.slots[at].try_write()
            // Another call may have taken it meanwhile.
            && (free.is_none() || slot.is_none())
        {
            let hash = hash_of(glance);
            *slot = Some(Slot {
                hash,
                key: OnceLock::new(),
                memory: Memory::default(),
                last_used: AtomicU32::new(kept.clock.load(Ordering::Relaxed)),
            });
            kept.hashes[at].store(hash, Ordering::Relaxed);
        }
    }
}

/// Returns the hash by which an entry is found; it is never zero, the mark of a free slot.
fn hash_of(glance: Glance) -> u64 {
    glance.hash | 1
}

impl Slots {
    /// Returns the slot of the least recently used entry, if it is as old as `least`.
    fn least_recently_used(&self, now: u32, least: u32) -> Option<usize> {
        let ages = self.slots.iter().enumerate().filter_map(|(at, slot)| {
            let slot = slot.try_read().ok()?;
            let last = slot.as_ref()?.last_used.load(Ordering::Relaxed);
            Some((now.wrapping_sub(last) as i32, at))
        });
        let (age, at) = ages.max()?;
        (age >= least as i32).then_some(at)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::control::ControlSink;

    fn glance(n: usize) -> Glance {
        let mut glance = Glance::default();
        glance.scalar(n as i128);
        glance
    }

    /// Calls for a size; returns whether it is kept.
    fn call(unbuilt: &Unbuilt, n: usize, insists: bool) -> bool {
        let find = || unbuilt.find(glance(n), 2, |_| true).is_some();
        find() || {
            unbuilt.keep(glance(n), insists);
            find()
        }
    }

    #[test]
    fn the_first_choices_stay_while_calls_come_for_them() {
        let unbuilt = Unbuilt::new();
        for _ in 0..2 * LEAST_AGE {
            for n in 0..KEYS {
                assert!(call(&unbuilt, n, false));
            }
            assert!(!call(&unbuilt, KEYS, false) && !call(&unbuilt, KEYS + 1, false));
        }
    }

    #[test]
    fn a_choice_that_is_not_called_for_gives_way() {
        let unbuilt = Unbuilt::new();
        for n in 0..KEYS {
            assert!(call(&unbuilt, n, false));
        }
        let until = (0..).take_while(|_| !call(&unbuilt, KEYS, false)).count();
        assert!(until <= LEAST_AGE as usize, "{until}");
        let kept = (0..KEYS).filter(|&n| {
            let found = unbuilt.find(glance(n), 2, |_| true);
            found.is_some()
        });
        assert_eq!(kept.count(), KEYS - 1);
    }

    #[test]
    fn who_insists_is_kept_at_once() {
        let unbuilt = Unbuilt::new();
        for n in 0..3 * KEYS {
            assert!(call(&unbuilt, n, true));
        }
        assert!(!call(&unbuilt, 0, false));
    }

    /// Nobody compares before there is a key; then each has a memory of its own.
    #[test]
    fn choices_that_look_alike_are_told_apart_by_keys() {
        let unbuilt = Unbuilt::new();
        let find = |key: &[u8]| {
            let found = unbuilt.find(glance(1), 2, |found| {
                found.slot().key.get().is_none_or(|other| **other == *key)
            });
            found.map(|found| std::ptr::from_ref(found.memory()))
        };
        unbuilt.keep(glance(1), false);
        assert!(find(&[1]).is_some() && find(&[1]) == find(&[2]));
        let first = unbuilt.find(glance(1), 2, |_| true).expect("it is kept");
        first.slot().key_or(|| vec![1]);
        drop(first);
        assert!(find(&[1]).is_some() && find(&[2]).is_none());
        unbuilt.keep(glance(1), false);
        assert!(find(&[2]).is_some() && find(&[2]) != find(&[1]));
    }

    /// Another call writes a key, here in the midst of this one's: both go on, with the first key.
    #[test]
    fn who_writes_a_key_waits_for_nobody_who_writes_one() {
        let unbuilt = Unbuilt::new();
        unbuilt.keep(glance(1), false);
        let [one, other] = [1, 2].map(|_| unbuilt.find(glance(1), 2, |_| true));
        let (one, other) = (one.expect("it is kept"), other.expect("it is kept"));
        let key = one.slot().key_or(|| {
            assert_eq!(other.slot().key_or(|| vec![2]), [2]);
            vec![1]
        });
        assert_eq!(key, [2]);
    }

    #[test]
    fn large_structure_is_not_kept() {
        let unbuilt = Unbuilt::new();
        let mut glance = Glance::default();
        glance.slice(&vec![0_u8; MOST_ENTRIES + 1]);
        unbuilt.keep(glance, true);
        assert!(unbuilt.find(glance, 2, |_| true).is_none());
    }

    /// A thread that holds the memory of a choice does not wait, and is not waited for.
    #[test]
    fn a_choice_stays_while_a_call_runs() {
        let unbuilt = Unbuilt::new();
        for n in 0..KEYS {
            assert!(call(&unbuilt, n, false));
        }
        let held: Vec<_> = (0..KEYS)
            .filter_map(|n| unbuilt.find(glance(n), 2, |_| true))
            .collect();
        assert!(!call(&unbuilt, KEYS, true));
        drop(held);
        assert!(call(&unbuilt, KEYS, true));
    }
}
