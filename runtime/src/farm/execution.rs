//! Execution of a deal: threads compute chunks as they are dealt, and then share what is left of
//! them.
//!
//! A thread begins with the chunks that are sent to its workers, then pulls, then takes chunks of
//! those that have not come. In the end it takes half of what another one holds and has not begun.
//! So neither an item that takes long nor a thread that comes late holds the others back. Any deal
//! is executed to its end by any number of threads.

use std::cell::Cell;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use superstep_farm::Deal;

use super::known::{self, Bits};
use super::progress::Reporter;
use crate::error::{Payload, catch};
use crate::sync::{Mutex, Padded, lock};
use crate::team;
use crate::timeline::Log;

/// Time of a batch of items, between half and twice of which its size stays as it is.
///
/// A batch costs a look at the clock (25 to 60 ns) and an atomic addition (6 ns): 0.8 % of this at
/// most. Nobody takes items of a batch that has begun, so it must be short beside a run.
const BATCH: Duration = Duration::from_micros(8);

/// Largest batch, in items: beyond it, the costs of a batch are below 0.3 ns an item.
const LARGEST: u32 = 256;

/// Chunks that are handed out one after another.
struct Queue {
    chunks: Vec<Range<u32>>,
    claimed: AtomicUsize,
}

impl Queue {
    fn new(chunks: Vec<Range<u32>>) -> Self {
        Self {
            chunks,
            claimed: AtomicUsize::new(0),
        }
    }

    fn claim(&self) -> Option<Range<u32>> {
        // An empty queue is not written to: those that look for work share it.
        if self.claimed.load(Ordering::Relaxed) >= self.chunks.len() {
            return None;
        }
        let number = self.claimed.fetch_add(1, Ordering::Relaxed);
        self.chunks.get(number).cloned()
    }
}

/// Items that a thread has claimed and not begun: its owner takes from the front, others from the
/// back.
#[derive(Default)]
struct Hand(AtomicU64);

impl Hand {
    fn fill(&self, range: &Range<u32>) {
        self.0.store(pack(range), Ordering::Relaxed);
    }

    /// Takes the first items, at most so many; none if the hand is empty.
    fn take(&self, most: u32) -> Range<u32> {
        let Range { start, end } =
            unpack(self.0.fetch_add(u64::from(most) << 32, Ordering::Relaxed));
        start..end.min(start.saturating_add(most))
    }

    /// Takes the rear half, the larger one of an odd number.
    fn halve(&self) -> Option<Range<u32>> {
        let middle = |held: &Range<u32>| held.start + (held.end - held.start) / 2;
        let rest = |held| {
            let held = unpack(held);
            (!held.is_empty()).then(|| pack(&(held.start..middle(&held))))
        };
        let before = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        let held = unpack(before.ok()?);
        Some(middle(&held)..held.end)
    }

    fn get(&self) -> Range<u32> {
        unpack(self.0.load(Ordering::Relaxed))
    }
}

fn pack(range: &Range<u32>) -> u64 {
    u64::from(range.start) << 32 | u64::from(range.end)
}

fn unpack(held: u64) -> Range<u32> {
    (held >> 32) as u32..held as u32
}

/// Results of neighbouring items.
struct Batch<R> {
    first: u32,
    results: Vec<R>,
}

/// Panic of an item.
pub(super) struct Panic {
    pub(super) item: u32,
    pub(super) payload: Payload,
}

/// Execution of one deal.
pub(super) struct Execution<T, R, F> {
    items: Arc<[T]>,
    f: Arc<F>,
    known: Bits,
    /// Chunks that are sent to the workers of each thread.
    sent: Vec<Queue>,
    pulled: Queue,
    hands: Vec<Padded<Hand>>,
    batches: Mutex<Vec<Batch<R>>>,
    /// End of the items that are wanted: it, or one before it, has panicked.
    end: AtomicU32,
    panic: Mutex<Option<Panic>>,
    reporter: Option<Reporter>,
    /// Log in which times of chunks are noted, if they are.
    log: Option<Arc<Log>>,
}

impl<T, R, F: Fn(&T) -> R> Execution<T, R, F> {
    /// Prepares the execution of `deal` by so many threads, which may be fewer than its workers.
    /// Items that are `known` are left out.
    pub(super) fn new(
        items: Arc<[T]>,
        f: Arc<F>,
        known: Bits,
        threads: usize,
        deal: &Deal,
        reporter: Option<Reporter>,
    ) -> Self {
        let narrow = |chunk: Range<usize>| chunk.start as u32..chunk.end as u32;
        let mut sent = vec![Vec::new(); threads];
        for chunk in &deal.sent {
            sent[chunk.worker % threads].push(narrow(chunk.items.clone()));
        }
        let mut dealer = deal.pulled.dealer();
        // Threads are equal, so it does not matter who asks.
        let pulled = iter::from_fn(|| dealer.next(0).map(narrow));
        Self {
            sent: sent.into_iter().map(Queue::new).collect(),
            pulled: Queue::new(pulled.collect()),
            hands: (0..threads).map(|_| Padded::default()).collect(),
            end: AtomicU32::new(items.len() as u32),
            items,
            f,
            known,
            batches: Mutex::new(Vec::new()),
            panic: Mutex::new(None),
            reporter,
            log: None,
        }
    }

    /// Has the times of chunks noted.
    pub(super) fn logged(self, log: Option<Arc<Log>>) -> Self {
        Self { log, ..self }
    }

    pub(super) fn threads(&self) -> usize {
        self.hands.len()
    }

    /// Returns the results of all items that were not known, in their order, when all threads have
    /// run. A panic of who is told the progress goes on here.
    pub(super) fn finish(&self) -> Result<Vec<R>, Panic> {
        if let Some(reporter) = &self.reporter {
            reporter.resume();
        }
        if let Some(panic) = lock(&self.panic).take() {
            return Err(panic);
        }
        let mut batches = std::mem::take(&mut *lock(&self.batches));
        batches.sort_unstable_by_key(|batch| batch.first);
        let mut batches = batches.into_iter().map(|batch| batch.results);
        let mut all = batches.next().unwrap_or_default();
        let batches: Vec<_> = batches.collect();
        all.reserve_exact(batches.iter().map(Vec::len).sum());
        batches
            .into_iter()
            .for_each(|mut results| all.append(&mut results));
        Ok(all)
    }

    /// Returns the next chunk of `thread`.
    fn claim(&self, thread: usize) -> Option<Range<u32>> {
        let own = || self.sent[thread].claim();
        let pulled = || self.pulled.claim();
        let of_others = || self.sent.iter().find_map(Queue::claim);
        own()
            .or_else(pulled)
            .or_else(of_others)
            .or_else(|| self.share())
    }

    /// Takes half of the items of the thread that holds most.
    fn share(&self) -> Option<Range<u32>> {
        loop {
            let held = self.hands.iter().map(|hand| (hand.0.get().len(), hand));
            let (most, hand) = held.max_by_key(|&(held, _)| held)?;
            if most == 0 {
                return None;
            }
            if let Some(half) = hand.0.halve() {
                return Some(half);
            }
        }
    }

    /// Runs a chunk that the thread has claimed, as far as no other thread takes of it.
    fn work(&self, thread: usize, chunk: Range<u32>) {
        let hand = &self.hands[thread].0;
        hand.fill(&chunk);
        let mut results = Vec::new();
        let at = Cell::new(chunk.start);
        let run = || {
            // One thread alone shares with nobody, and needs no clock.
            let mut pace = Pace::new(self.threads() > 1 || self.reporter.is_some());
            loop {
                let batch = hand.take(pace.most);
                if batch.is_empty() || batch.start >= self.end.load(Ordering::Relaxed) {
                    break;
                }
                if results.is_empty() {
                    // Others may have taken from its end already.
                    results.reserve_exact((hand.get().end.max(batch.end) - chunk.start) as usize);
                }
                if let Some(reporter) = &self.reporter {
                    reporter.begin(thread, &batch);
                }
                for item in batch {
                    if known::is_in(&self.known, item) {
                        continue;
                    }
                    at.set(item);
                    results.push((self.f)(&self.items[item as usize]));
                }
                let now = pace.next();
                if let (Some(reporter), Some(now)) = (&self.reporter, now) {
                    reporter.look(now);
                }
            }
        };
        if let Err(payload) = catch(run) {
            self.panicked(Panic {
                item: at.get(),
                payload,
            });
        }
        hand.fill(&(0..0));
        let first = chunk.start;
        lock(&self.batches).push(Batch { first, results });
    }

    /// Keeps the panic of the first item. Items before it still run, so that it is the same one in
    /// every run.
    fn panicked(&self, panic: Panic) {
        self.end.fetch_min(panic.item, Ordering::Relaxed);
        let mut kept = lock(&self.panic);
        let is_first = kept.as_ref().is_none_or(|kept| panic.item < kept.item);
        let other = match is_first {
            true => kept.replace(panic),
            false => Some(panic),
        };
        // Its payload is the user's, who is kept out of locks.
        drop(kept);
        drop(other);
    }
}

impl<T, R, F> team::Job for Execution<T, R, F>
where
    T: Send + Sync,
    R: Send,
    F: Fn(&T) -> R + Send + Sync,
{
    fn run(&self, thread: usize) {
        while let Some(chunk) = self.claim(thread) {
            match &self.log {
                Some(log) => log.note(thread, || self.work(thread, chunk)),
                None => self.work(thread, chunk),
            }
        }
    }
}

/// Sizes of batches, by the time that the last one took.
struct Pace {
    /// Number of items of the next batch, at most.
    most: u32,
    /// Time at which the last batch ended, if anybody asks.
    then: Option<Instant>,
}

impl Pace {
    fn new(is_timed: bool) -> Self {
        Self {
            most: if is_timed { 1 } else { LARGEST },
            then: is_timed.then(Instant::now),
        }
    }

    /// Ends a batch.
    fn next(&mut self) -> Option<Instant> {
        let then = self.then?;
        let now = Instant::now();
        let took = now - then;
        if took < BATCH / 2 {
            self.most = (self.most * 2).min(LARGEST);
        } else if took > BATCH * 2 {
            self.most = (self.most / 2).max(1);
        }
        self.then = Some(now);
        self.then
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Payload that panics when it is dropped, with another one that does.
    struct Bomb(u32);

    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(Self(self.0));
        }
    }

    #[test]
    fn panics_that_are_not_the_first_are_dropped_for_good() {
        let deal = crate::farm::nothing();
        let items: Arc<[u32]> = (0..10).collect();
        let f = Arc::new(|&item: &u32| item);
        let execution = Execution::new(items, f, Bits::default(), 1, &deal, None);
        for item in [5, 7, 3, 4] {
            let payload = Payload::new(Box::new(Bomb(item)));
            execution.panicked(Panic { item, payload });
        }
        let Err(first) = execution.finish() else {
            panic!("items have panicked");
        };
        assert_eq!(first.item, 3);
    }
}
