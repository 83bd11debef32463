//! Model check of waiting. Loom runs the code of [`wait`](crate::wait), [`run`](crate::run) and
//! [`team`](crate::team) in every order of their threads' steps, up to a number of preemptions.
//! It lets each load see every value that it may.
//!
//! A thread sleeps here without the timeout (nap) that it has elsewhere: a lost wake-up is a
//! deadlock, which loom reports. Happens-before is tested by relaxed loads, which see old values
//! where nothing orders them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loom::sync::atomic::AtomicU32;
use loom::thread;
use superstep_order::{Order, Ordered, Rows, Wait};

use crate::run::{Payload, Posts, Run, Turn};
use crate::sync::model::{Fences, set_fences};
use crate::team::{Job, Late, Team};
use crate::wait::Patience;

/// Checks a model with at most so many preemptions: most errors need two, and each more takes some
/// ten times as long. It runs with each of the [`Fences`], which stand for sequentially consistent
/// accesses.
fn check(preemptions: usize, model: impl Fn() + Clone + Send + Sync + 'static) {
    for fences in [Fences::AfterStores, Fences::BeforeLoads] {
        set_fences(fences);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.max_branches = 100_000;
        builder.check(model.clone());
    }
}

/// Returns the patience that sleeps after so many looks.
fn patience(yields: u32) -> Patience {
    Patience {
        spins: 0,
        yields,
        awake: Duration::ZERO,
    }
}

/// Makes an order of processors with so many steps each. A wait is (processor, its step, peer,
/// steps): before that step the peer must have ended so many of its own.
fn ordered(steps: &[u32], waits: &[(u32, u32, u32, u32)]) -> Arc<Ordered> {
    let mut processors = vec![0];
    processors.extend(steps.iter().scan(0, |sum, steps| {
        *sum += steps;
        Some(*sum)
    }));
    let all = steps.iter().sum::<u32>() as usize;
    let pairs = waits.iter().map(|&(own, step, processor, steps)| {
        let step = processors[own as usize] + step;
        (step as usize, Wait { processor, steps })
    });
    let waits = Rows::sorted(all, pairs.collect::<Vec<_>>().into_iter());
    Arc::new(Ordered::from(Arc::new(Order { processors, waits })))
}

/// Payload whose steps count themselves, for each processor. A step first checks that the steps for
/// which it waits were counted. Accesses are relaxed, so nothing but the protocol orders them.
struct Steps {
    ordered: Arc<Ordered>,
    done: Vec<AtomicU32>,
    /// Step that fails.
    trap: Option<u32>,
}

impl Steps {
    fn of(ordered: &Arc<Ordered>, trap: Option<u32>) -> Arc<Self> {
        let processors = 0..ordered.order().processors();
        Arc::new(Self {
            ordered: Arc::clone(ordered),
            done: processors.map(|_| AtomicU32::new(0)).collect(),
            trap,
        })
    }

    fn done(&self) -> Vec<u32> {
        self.done
            .iter()
            .map(|done| done.load(Ordering::Relaxed))
            .collect()
    }
}

impl Payload for Steps {
    fn run(&self, turn: &mut Turn<'_>) {
        let own = &self.done[turn.processor()];
        while let Some(step) = turn.next() {
            for wait in self.ordered.order().waits_of(step) {
                let done = self.done[wait.processor as usize].load(Ordering::Relaxed);
                assert!(done >= wait.steps, "what was done before is seen");
            }
            if self.trap == Some(step) {
                turn.stop();
                return;
            }
            let done = own.load(Ordering::Relaxed);
            assert_eq!(
                done,
                turn.count(),
                "each step runs once, in order, whoever runs it"
            );
            own.store(done + 1, Ordering::Relaxed);
        }
    }
}

fn run_of(steps: &Arc<Steps>, threads: usize, patience: Patience) -> Arc<Run> {
    let payload: Arc<dyn Payload> = Arc::clone(steps) as _;
    Arc::new(Run::new(&steps.ordered, &payload, threads, patience))
}

/// Runs on the model's thread and others until all is over; returns the steps that were done.
fn ran(ordered: &Arc<Ordered>, trap: Option<u32>, threads: usize, patience: Patience) -> Vec<u32> {
    let steps = Steps::of(ordered, trap);
    let run = run_of(&steps, threads, patience);
    let others = (1..threads).map(|thread| {
        let run = Arc::clone(&run);
        thread::spawn(move || run.work(thread))
    });
    let others: Vec<_> = others.collect();
    run.work(0);
    // The caller goes on before the others have left.
    let done = steps.done();
    for other in others {
        other.join().expect("it ends");
    }
    done
}

/// Waits in step: each processor waits for the other after each step.
const IN_STEP: [(u32, u32, u32, u32); 2] = [(0, 1, 1, 1), (1, 1, 0, 1)];

/// Processors are held to the end, or put down while the other makes them ready.
#[test]
fn two_that_wait_for_each_other_see_what_was_done() {
    for (yields, preemptions) in [(0, 3), (1, 2)] {
        check(preemptions, move || {
            let ordered = ordered(&[2, 2], &IN_STEP);
            assert_eq!(ran(&ordered, None, 2, patience(yields)), [2, 2]);
        });
    }
}

/// Three processors on two threads: one thread puts a processor down, the other takes it up, and
/// both may try to at once.
#[test]
fn each_step_runs_once_across_a_hand_over() {
    for waits in [
        &[(0, 1, 1, 1), (1, 1, 2, 1), (2, 1, 0, 1)][..],
        &[(1, 0, 0, 1), (2, 0, 0, 1), (0, 1, 2, 1)],
        &[(0, 0, 1, 1), (0, 1, 2, 2), (1, 1, 2, 1)],
    ] {
        check(3, move || {
            let ordered = ordered(&[2, 2, 2], waits);
            assert_eq!(ran(&ordered, None, 2, patience(0)), [2, 2, 2]);
        });
    }
}

/// A processor is made ready while the thread that had it goes to sleep.
#[test]
fn all_listeners_are_woken() {
    check(2, || {
        let ordered = ordered(&[1, 1, 1], &[(0, 0, 2, 1), (1, 0, 2, 1)]);
        assert_eq!(ran(&ordered, None, 3, patience(0)), [1, 1, 1]);
    });
}

/// A stop reaches processors that wait, and those that wait for these, also while nobody runs them.
/// Steps that ended before it count.
#[test]
fn a_stop_releases_who_waits_for_whom_it_releases() {
    check(2, || {
        let waits = [(0, 1, 1, 1), (1, 0, 2, 2), (0, 0, 2, 1)];
        let ordered = ordered(&[2, 1, 2], &waits);
        assert_eq!(ran(&ordered, Some(4), 2, patience(0)), [1, 0, 1]);
    });
}

/// A thread that sleeps is woken by the end of the step that its last processor waits for. Where
/// that thread runs another, who else sleeps is woken. (In whole runs who ends the step would go on
/// with that processor.)
#[test]
fn who_sleeps_is_woken_to_take_up_what_is_ready() {
    check(3, || {
        let ordered = ordered(&[1, 1, 1], &[(1, 0, 0, 1)]);
        for busy in [None, Some(1)] {
            let mut posts = Posts::new(3, 3, patience(0));
            posts.begin(ordered.order());
            let posts = Arc::new(posts);
            // Of the others only 1 is left, which waits for 0.
            for processor in [0, 2] {
                let found = posts.find(ordered.order(), 0, processor, None, || false);
                assert_eq!(found, Some(processor));
            }
            let sleeper = thread::spawn({
                let (posts, ordered) = (Arc::clone(&posts), Arc::clone(&ordered));
                let thread = if busy == Some(1) { 2 } else { 1 };
                move || posts.find(ordered.order(), thread, 1, None, || false)
            });
            posts.ended(0, 1, &[1]);
            assert_eq!(sleeper.join().expect("it is woken"), Some(1));
        }
    });
}

/// Steps that ended before a stop count, also for who looks meanwhile.
#[test]
fn what_was_ended_before_a_stop_counts() {
    check(4, || {
        let ordered = ordered(&[2, 2], &[(0, 1, 1, 1)]);
        assert_eq!(ran(&ordered, Some(3), 2, patience(0)), [2, 1]);
    });
}

/// The caller is gone before a worker comes or leaves, and runs the payload again.
#[test]
fn who_comes_late_runs_nothing_of_the_next_run() {
    check(2, || {
        let ordered = ordered(&[1, 1], &[(1, 0, 0, 1)]);
        let steps = Steps::of(&ordered, None);
        let mut workers = Vec::new();
        for _ in 0..2 {
            for done in &steps.done {
                done.store(0, Ordering::Relaxed);
            }
            let run = run_of(&steps, 2, patience(0));
            workers.push(thread::spawn({
                let run = Arc::clone(&run);
                move || run.work(1)
            }));
            run.work(0);
            assert_eq!(steps.done(), [1, 1]);
        }
        for worker in workers {
            worker.join().expect("it ends");
        }
    });
}

/// Job in which each processor leaves a mark.
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

/// A thread that has left a job that is over runs the next one, wherever it was.
#[test]
fn who_was_left_behind_runs_the_next_job() {
    check(3, || {
        let mut team = team(2);
        let left = Arc::new(Marks::default());
        team.run(Late::Left, &left);
        let awaited = Arc::new(Marks::default());
        team.run(Late::Awaited, &awaited);
        assert_eq!(awaited.count(), 2);
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
