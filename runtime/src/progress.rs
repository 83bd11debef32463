//! How far each processor of a run has come: it counts the supersteps that it has ended, and others
//! wait for its count.
//!
//! A count has one writer and needs no read-modify-write, and who waits goes on as soon as it has
//! seen the counts of those for which it waits. The [protocol](crate::team#protocol) has its
//! states.

use std::sync::atomic::Ordering;
use std::time::Duration;

use superstep_order as order;

use crate::sync::AtomicBool;
use crate::wait::{Bed, Flag, Patience};

/// A sleeping processor looks again at least this often.
const NAP: Duration = Duration::from_millis(1);

/// The counts of a fixed number of processors. They go on from run to run, and wrap.
#[derive(Debug)]
pub(crate) struct Progress {
    processors: Box<[Processor]>,
    patience: Patience,
}

#[derive(Debug, Default)]
struct Processor {
    /// Supersteps ended. It is behind where nobody waits for the one ended last.
    ended: Flag,
    /// It will not end another.
    has_stopped: AtomicBool,
    bed: Bed,
}

/// What is awaited will never be, because the processor that should do it has failed, or waits
/// itself for one that has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aborted;

impl Progress {
    pub(crate) fn new(processors: usize, patience: Patience) -> Self {
        Self {
            processors: (0..processors).map(|_| Processor::default()).collect(),
            patience,
        }
    }

    /// The count of a processor between runs, which is that of all.
    pub(crate) fn start(&self, processor: usize) -> u32 {
        self.processors[processor].ended.get()
    }

    /// Says that `processor` has ended so many supersteps since the `start`, and what it wrote in
    /// them, and wakes the `listeners`.
    pub(crate) fn end(&self, processor: usize, start: u32, supersteps: u32, listeners: &[u32]) {
        self.processors[processor]
            .ended
            .set(start.wrapping_add(supersteps));
        for &listener in listeners {
            self.processors[listener as usize].bed.wake();
        }
    }

    /// Says that `processor` goes no further in this run, where it should. There must be no other
    /// run.
    pub(crate) fn stop(&self, processor: usize) {
        self.processors[processor]
            .has_stopped
            .store(true, Ordering::SeqCst);
        self.processors
            .iter()
            .for_each(|processor| processor.bed.wake());
    }

    /// Lets `processor` wait until a peer has ended as many supersteps since the `start` as is
    /// awaited.
    ///
    /// It leaves with [`Aborted`] if and only if the peer stops before. So which processors reach
    /// which superstep does not depend on timing, failures included.
    pub(crate) fn wait(
        &self,
        processor: usize,
        start: u32,
        awaited: order::Wait,
    ) -> Result<(), Aborted> {
        let peer = &self.processors[awaited.processor as usize];
        let has_ended = || peer.ended.get().wrapping_sub(start) >= awaited.steps;
        if has_ended() {
            return Ok(());
        }
        self.processors[processor]
            .bed
            .wait(self.patience, Some(NAP), || {
                has_ended() || peer.has_stopped.load(Ordering::SeqCst)
            });
        // It may have stopped later than what is awaited.
        if has_ended() { Ok(()) } else { Err(Aborted) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;
    use crate::cores;
    use crate::options::Wait;

    fn progress(processors: usize, wait: Wait) -> Progress {
        Progress::new(processors, Patience::new(processors, wait, cores::count()))
    }

    const ROUNDS: u32 = if cfg!(miri) { 4 } else { 50 };

    /// Everyone waits for all others after each of `rounds` rounds, from `start` on; returns how
    /// many of them each has passed. Each counts its rounds; after it has waited, nobody may be
    /// behind. The last one stops in `failing`.
    fn passed(progress: &Progress, processors: usize, failing: Option<u32>) -> Vec<u32> {
        let rounds: Vec<AtomicU32> = (0..processors).map(|_| AtomicU32::new(0)).collect();
        let run = |processor: usize| {
            let others: Vec<u32> = (0..processors as u32)
                .filter(|&p| p as usize != processor)
                .collect();
            let start = progress.start(processor);
            for round in 0..ROUNDS {
                if processor + 1 == processors && Some(round) == failing {
                    progress.stop(processor);
                    return round;
                }
                rounds[processor].store(round + 1, Ordering::Relaxed);
                progress.end(processor, start, round + 1, &others);
                for &peer in &others {
                    let awaited = order::Wait {
                        processor: peer,
                        steps: round + 1,
                    };
                    if progress.wait(processor, start, awaited).is_err() {
                        progress.stop(processor);
                        return round;
                    }
                }
                assert!(rounds.iter().all(|r| r.load(Ordering::Relaxed) > round));
            }
            ROUNDS
        };
        std::thread::scope(|scope| {
            let run = &run;
            let threads: Vec<_> = (0..processors)
                .map(|p| scope.spawn(move || run(p)))
                .collect();
            threads
                .into_iter()
                .map(|t| t.join().expect("no thread panics"))
                .collect()
        })
    }

    #[test]
    fn nobody_passes_before_all_have_arrived() {
        let many = if cfg!(miri) { 4 } else { 64 };
        // More spinning threads than cores would take a scheduler's time slice for each round.
        let spinning = cores::count().min(2);
        for (processors, wait) in [
            (1, Wait::Hybrid),
            (2, Wait::Hybrid),
            (3, Wait::Hybrid),
            (many, Wait::Hybrid),
            (spinning, Wait::Spin),
            (3, Wait::Park),
        ] {
            let progress = progress(processors, wait);
            // Again from where the first run has ended, and across the end of the numbers.
            for start in [0, ROUNDS, u32::MAX - 2] {
                (0..processors).for_each(|p| progress.end(p, start, 0, &[]));
                assert_eq!(
                    passed(&progress, processors, None),
                    vec![ROUNDS; processors]
                );
            }
        }
    }

    /// The last processor fails in each round in turn: all others pass exactly the rounds before
    /// it.
    #[test]
    fn a_failure_releases_everyone_in_the_same_round() {
        for processors in [2, 5] {
            for failing in 0..ROUNDS.min(10) {
                let progress = progress(processors, Wait::Hybrid);
                assert_eq!(
                    passed(&progress, processors, Some(failing)),
                    vec![failing; processors]
                );
            }
        }
    }

    /// 0 waits for 1, which waits for 2, which fails; 3 waits for nobody.
    #[test]
    fn a_failure_holds_up_nobody_else() {
        for wait in [Wait::Hybrid, Wait::Park] {
            let progress = progress(4, wait);
            let waits = |processor: usize, peer| {
                let awaited = order::Wait {
                    processor: peer,
                    steps: 1,
                };
                let done = progress.wait(processor, 0, awaited);
                if done.is_err() {
                    progress.stop(processor);
                }
                done
            };
            std::thread::scope(|scope| {
                let first = scope.spawn(|| waits(0, 1));
                let second = scope.spawn(|| waits(1, 2));
                let fourth = scope.spawn(|| waits(3, 0));
                progress.stop(2);
                let [first, second] = [first, second].map(|t| t.join().expect("no thread panics"));
                assert_eq!([first, second], [Err(Aborted); 2]);
                assert_eq!(fourth.join().expect("no thread panics"), Err(Aborted));
            });
        }
        let progress = progress(3, Wait::Hybrid);
        progress.end(1, 0, 1, &[]);
        progress.stop(1);
        progress.stop(2);
        let after = |supersteps| {
            progress.wait(
                0,
                0,
                order::Wait {
                    processor: 1,
                    steps: supersteps,
                },
            )
        };
        assert_eq!(
            [after(1), after(2)],
            [Ok(()), Err(Aborted)],
            "1 has stopped after what is awaited"
        );
    }
}
