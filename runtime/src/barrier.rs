//! The barrier between supersteps: each processor raises a flag and waits for all others' flags.
//!
//! All-to-all flags need no read-modify-write and let each processor go on as soon as it has seen the last flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::wait::{Bed, Flag, Patience, Wait, cores};

/// A sleeping processor looks again at least this often.
const NAP: Duration = Duration::from_millis(1);

/// A barrier for a fixed number of processors.
#[derive(Debug)]
pub(crate) struct Barrier {
    flags: Box<[Flag]>,
    beds: Box<[Bed]>,
    aborted: AtomicBool,
    patience: Patience,
}

/// The barrier will never be passed, because a processor failed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aborted;

impl Barrier {
    pub(crate) fn new(processors: usize, wait: Wait) -> Self {
        Self {
            flags: (0..processors).map(|_| Flag::default()).collect(),
            beds: (0..processors).map(|_| Bed::default()).collect(),
            aborted: AtomicBool::new(false),
            patience: Patience::new(processors, wait, cores()),
        }
    }

    /// Waits until all processors have called this as often as `processor` has.
    ///
    /// A processor leaves with [`Aborted`] if and only if another failed before it reached this barrier: a failure after it does not
    /// hold back anyone here. So which processors reach which superstep does not depend on timing, failures included.
    pub(crate) fn wait(&self, processor: usize) -> Result<(), Aborted> {
        let before = self.flags[processor].get();
        self.flags[processor].set(before.wrapping_add(1));
        self.wake_others(processor);
        // A processor is at most one barrier ahead of another, so "not the old number" is "arrived".
        let mut arrived = 0;
        let mut all_arrived = || {
            while arrived < self.flags.len() && self.flags[arrived].get() != before {
                arrived += 1;
            }
            arrived == self.flags.len()
        };
        self.beds[processor].wait(self.patience, Some(NAP), || {
            all_arrived() || self.aborted.load(Ordering::SeqCst)
        });
        // The abort may have come from a processor that was past this barrier; then everyone's flag is up.
        if all_arrived() { Ok(()) } else { Err(Aborted) }
    }

    /// Releases all processors that wait, now or later, for one that has failed. The barrier cannot be used again.
    pub(crate) fn abort(&self) {
        self.aborted.store(true, Ordering::SeqCst);
        self.beds.iter().for_each(Bed::wake);
    }

    fn wake_others(&self, processor: usize) {
        for (other, bed) in self.beds.iter().enumerate() {
            if other != processor {
                bed.wake();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    const ROUNDS: u32 = if cfg!(miri) { 4 } else { 50 };

    /// Each processor counts its rounds; after a barrier nobody may be behind.
    #[test]
    fn nobody_passes_before_all_have_arrived() {
        let many = if cfg!(miri) { 4 } else { 64 };
        // More spinning threads than cores would take a scheduler's time slice for each barrier.
        let spinning = cores().min(2);
        for (processors, wait) in [
            (1, Wait::Hybrid),
            (2, Wait::Hybrid),
            (3, Wait::Hybrid),
            (many, Wait::Hybrid),
            (spinning, Wait::Spin),
            (3, Wait::Park),
        ] {
            let barrier = Barrier::new(processors, wait);
            let rounds: Vec<AtomicU32> = (0..processors).map(|_| AtomicU32::new(0)).collect();
            std::thread::scope(|scope| {
                for processor in 0..processors {
                    let (barrier, rounds) = (&barrier, &rounds);
                    scope.spawn(move || {
                        for round in 1..=ROUNDS {
                            rounds[processor].store(round, Ordering::Relaxed);
                            assert_eq!(barrier.wait(processor), Ok(()));
                            assert!(rounds.iter().all(|r| r.load(Ordering::Relaxed) >= round));
                        }
                    });
                }
            });
        }
    }

    /// The last processor fails in each round in turn: all others pass exactly the barriers before it.
    #[test]
    fn a_failure_releases_everyone_at_the_same_barrier() {
        for processors in [2, 5] {
            for failing in 0..ROUNDS.min(10) {
                let barrier = Barrier::new(processors, Wait::Hybrid);
                let passed: Vec<u32> = std::thread::scope(|scope| {
                    let run = |processor: usize| {
                        let barrier = &barrier;
                        move || {
                            for round in 0..ROUNDS {
                                if processor + 1 == processors && round == failing {
                                    barrier.abort();
                                    return round;
                                }
                                if barrier.wait(processor).is_err() {
                                    return round;
                                }
                            }
                            ROUNDS
                        }
                    };
                    let threads: Vec<_> = (0..processors).map(|p| scope.spawn(run(p))).collect();
                    threads
                        .into_iter()
                        .map(|t| t.join().expect("no thread panics"))
                        .collect()
                });
                assert_eq!(passed, vec![failing; processors]);
            }
        }
    }
}
