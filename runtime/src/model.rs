//! The model check of waiting: loom runs the code of [`wait`](crate::wait),
//! [`progress`](crate::progress) and [`team`](crate::team) in every order of their threads' steps,
//! with at most so many preemptions, and with every value that a load may see.
//!
//! Whoever sleeps here has no nap to wake it: a lost wake-up is a deadlock, which loom reports.
//! What happens before what shows in relaxed loads, which see old values where nothing orders them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loom::sync::atomic::AtomicU32;
use loom::thread;
use superstep_order as order;

use crate::progress::{Aborted, Progress};
use crate::sync::model::{Fences, set_fences};
use crate::team::{Job, Late, Team};
use crate::wait::Patience;

/// Checks a model with at most so many preemptions: most errors need two, and each more takes some
/// ten times as long.
fn check(preemptions: usize, model: impl Fn() + Clone + Send + Sync + 'static) {
    for fences in [Fences::AfterStores, Fences::BeforeLoads] {
        set_fences(fences);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.check(model.clone());
    }
}

/// Sleeps after so many looks.
fn patience(yields: u32) -> Patience {
    Patience {
        spins: 0,
        yields,
        awake: Duration::ZERO,
    }
}

fn after(peer: u32, supersteps: u32) -> order::Wait {
    order::Wait {
        processor: peer,
        steps: supersteps,
    }
}

/// What each processor has done, by which others see it. Nothing but the protocol orders the
/// accesses.
#[derive(Default)]
struct Done([AtomicU32; 3]);

impl Done {
    fn set(&self, processor: usize, supersteps: u32) {
        self.0[processor].store(supersteps, Ordering::Relaxed);
    }

    fn of(&self, processor: usize) -> u32 {
        self.0[processor].load(Ordering::Relaxed)
    }
}

/// Two processors that wait for each other after each superstep, from a count that wraps.
fn in_step(processor: usize, supersteps: u32, progress: &Progress, done: &Done) {
    let other = 1 - processor;
    let start = progress.start(processor);
    for superstep in 1..=supersteps {
        done.set(processor, superstep);
        progress.end(processor, start, superstep, &[other as u32]);
        let waited = progress.wait(processor, start, after(other as u32, superstep));
        assert_eq!(waited, Ok(()));
        assert!(done.of(other) >= superstep, "what it did before is seen");
    }
}

#[test]
fn who_waits_is_woken_and_sees_what_was_done() {
    for (yields, preemptions) in [(0, 4), (1, 3)] {
        check(preemptions, move || {
            let progress = Arc::new(Progress::new(2, patience(yields)));
            (0..2).for_each(|processor| progress.end(processor, u32::MAX, 0, &[]));
            let done = Arc::new(Done::default());
            let other = thread::spawn({
                let (progress, done) = (Arc::clone(&progress), Arc::clone(&done));
                move || in_step(1, 2, &progress, &done)
            });
            in_step(0, 2, &progress, &done);
            other.join().expect("it ends");
        });
    }
}

/// Two wait for a third, which ends one superstep for both of them.
#[test]
fn all_listeners_are_woken() {
    check(2, || {
        let progress = Arc::new(Progress::new(3, patience(0)));
        let done = Arc::new(Done::default());
        let waiting = [0, 1].map(|processor| {
            let (progress, done) = (Arc::clone(&progress), Arc::clone(&done));
            thread::spawn(move || {
                assert_eq!(progress.wait(processor, 0, after(2, 1)), Ok(()));
                assert_eq!(done.of(2), 1);
            })
        });
        done.set(2, 1);
        progress.end(2, 0, 1, &[0, 1]);
        for thread in waiting {
            thread.join().expect("it ends");
        }
    });
}

/// 0 waits for 1, which waits for 2, which stops.
#[test]
fn a_stop_releases_who_waits_for_whom_it_releases() {
    check(2, || {
        let progress = Arc::new(Progress::new(3, patience(0)));
        let waiting = [0, 1].map(|processor| {
            let progress = Arc::clone(&progress);
            thread::spawn(move || {
                let waited = progress.wait(processor, 0, after(processor as u32 + 1, 1));
                assert_eq!(waited, Err(Aborted));
                progress.stop(processor);
            })
        });
        progress.stop(2);
        for thread in waiting {
            thread.join().expect("it ends");
        }
    });
}

/// Which supersteps others reach depends on no timing: a processor that stops has ended what it had
/// ended.
#[test]
fn what_was_ended_before_a_stop_counts() {
    check(4, || {
        let progress = Arc::new(Progress::new(2, patience(0)));
        let done = Arc::new(Done::default());
        let other = thread::spawn({
            let (progress, done) = (Arc::clone(&progress), Arc::clone(&done));
            move || {
                done.set(1, 1);
                progress.end(1, 0, 1, &[0]);
                progress.stop(1);
            }
        });
        assert_eq!(progress.wait(0, 0, after(1, 1)), Ok(()));
        assert_eq!(done.of(1), 1);
        assert_eq!(progress.wait(0, 0, after(1, 2)), Err(Aborted));
        other.join().expect("it ends");
    });
}

/// A job in which each processor leaves a mark.
#[derive(Default)]
struct Marks([AtomicU32; 3]);

impl Job for Marks {
    fn run(&self, processor: usize) {
        self.0[processor].store(1, Ordering::Relaxed);
    }
}

impl Marks {
    fn count(&self) -> u32 {
        self.0.iter().map(|mark| mark.load(Ordering::Relaxed)).sum()
    }
}

fn team(processors: usize) -> Team {
    Team::new(processors, patience(0), patience(0)).expect("loom spawns threads")
}

#[test]
fn every_processor_runs_every_job_and_then_all_end() {
    for (processors, jobs, preemptions) in [(2, 2, 3), (3, 1, 2)] {
        check(preemptions, move || {
            let mut team = team(processors);
            for _ in 0..jobs {
                let marks = Arc::new(Marks::default());
                team.run(Late::Awaited, &marks);
                assert_eq!(
                    marks.count() as usize,
                    processors,
                    "all are seen to be done"
                );
                assert_eq!(
                    Arc::strong_count(&marks),
                    1,
                    "workers have let go of the job"
                );
            }
        });
    }
}

/// Ends in any state of the worker: before it has slept, while it sleeps, when it has been excused.
#[test]
fn a_team_ends_whatever_its_worker_does() {
    check(4, || drop(team(2)));
    check(3, || {
        let mut team = team(2);
        team.run(Late::Excused, &Arc::new(Marks::default()));
    });
}

#[test]
fn who_is_excused_runs_the_next_job() {
    check(3, || {
        let mut team = team(2);
        let excused = Arc::new(Marks::default());
        team.run(Late::Excused, &excused);
        let done = excused.count();
        assert!(done == 1 || done == 2, "the caller's part is done");
        assert_eq!(Arc::strong_count(&excused), 1, "nobody keeps the job");
        let awaited = Arc::new(Marks::default());
        team.run(Late::Awaited, &awaited);
        assert_eq!(awaited.count(), 2);
        assert_eq!(excused.count(), done, "nobody runs what is over");
    });
}
