use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::*;
use crate::options::WaitPolicy;

fn team(processors: usize) -> Team {
    let patience = Patience::of(processors);
    Team::new(processors, patience, patience).expect("threads can be spawned")
}

#[derive(Default)]
struct Census {
    seen: AtomicU64,
    inside: AtomicUsize,
}

impl Job for Census {
    fn run(&self, processor: usize) {
        assert_eq!(
            self.seen.fetch_or(1 << processor, Ordering::Relaxed) >> processor & 1,
            0,
            "each processor once"
        );
        self.inside
            .fetch_add(usize::from(inside()), Ordering::Relaxed);
    }
}

#[test]
fn each_processor_runs_once_and_workers_know_what_they_are() {
    for _ in 0..3 {
        for processors in [1, 2, 3, if cfg!(miri) { 4 } else { 64 }] {
            let job = Arc::new(Census::default());
            run(processors, Late::Awaited, Need::Insists, &job).expect("threads can be spawned");
            assert_eq!(
                job.seen.load(Ordering::Relaxed).count_ones() as usize,
                processors
            );
            assert_eq!(job.inside.load(Ordering::Relaxed), processors - 1);
            assert_eq!(Arc::strong_count(&job), 1, "workers have let go of the job");
        }
    }
    assert!(!inside());
    assert!(as_processor(inside));
    assert!(!inside());
}

#[test]
fn calls_at_once_have_a_team_each_and_shutting_down_disturbs_none() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for processors in (1..6).cycle().take(if cfg!(miri) { 5 } else { 50 }) {
                    let job = Arc::new(Census::default());
                    run(processors, Late::Awaited, Need::Insists, &job)
                        .expect("threads can be spawned");
                    assert_eq!(job.seen.load(Ordering::Relaxed), (1 << processors) - 1);
                }
            });
        }
        for _ in 0..20 {
            shut_down();
            thread::yield_now();
        }
    });
}

#[test]
fn who_was_seen_with_another_is_sent_now_and_then() {
    let mut team = team(4);
    let sent = |team: &mut Team| [0, 1, 2].map(|at| team.is_due(at, 0));
    assert_eq!(sent(&mut team), [false; 3], "none was seen yet");
    let places = |team: &Team, cores: [usize; 3]| {
        for (worker, core) in team.workers.iter().zip(cores) {
            worker.seat.seen.set(core);
        }
    };
    for (cores, expected) in [
        ([1, 2, 3], [false; 3]),
        ([0, 1, 2], [true, false, false]),
        ([0, 0, 0], [true; 3]),
        ([1, 2, 1], [false, false, true]),
    ] {
        places(&team, cores);
        assert_eq!(sent(&mut team), expected, "{cores:?}");
    }
    places(&team, [0, 0, 1]);
    team.workers[0].sent = team.round;
    assert_eq!(sent(&mut team), [false, true, false]);
    team.round += AGAIN[0];
    assert_eq!(sent(&mut team), [true, true, false]);
    // Where sending does not help it comes the more rarely.
    team.send(0, 0);
    team.round += AGAIN[0];
    assert_eq!(sent(&mut team), [false, true, false]);
    team.round += AGAIN[0];
    assert_eq!(sent(&mut team), [true, true, false]);
    // Who did not come may be anywhere.
    places(&team, [1, 2, 3]);
    assert_eq!(sent(&mut team), [false; 3]);
    team.workers[2].is_missing = true;
    assert_eq!(sent(&mut team), [false, false, true]);
}

/// The system counts workers that spin as running, though they are in nobody's way.
#[test]
fn workers_that_wait_for_a_call_are_awake_until_they_sleep() {
    let patience = |wait| Patience::new(3, wait, 3);
    let caller = patience(WaitPolicy::Park);
    let founded = |idle| Team::new(3, caller, patience(idle)).expect("threads can be spawned");
    let mut spinning = founded(WaitPolicy::Spin);
    spinning.run(Late::Awaited, &Arc::new(Census::default()));
    assert_eq!(spinning.awake(), 2);
    let mut parked = founded(WaitPolicy::Park);
    parked.run(Late::Awaited, &Arc::new(Census::default()));
    while parked.awake() > 0 {
        thread::yield_now();
    }
}

/// Job in which worker 1 joins the caller's core, or tells whether it is there.
#[cfg(all(target_os = "linux", not(miri)))]
struct Meeting {
    core: AtomicUsize,
    joins: bool,
}

#[cfg(all(target_os = "linux", not(miri)))]
impl Job for Meeting {
    fn run(&self, processor: usize) {
        let core = self.core.load(Ordering::Relaxed);
        if processor == 1 && self.joins {
            let others = (0..1024).filter(|&other| other != core);
            cores::leave(&others.collect());
        } else if processor == 1 {
            self.core.store(
                cores::current().expect("Linux tells cores"),
                Ordering::Relaxed,
            );
        }
    }
}

/// The system may bring them together again before the worker looks, on a busy machine; without
/// orders it separated them in none of 200 meetings.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn a_worker_that_has_joined_the_caller_leaves_in_the_next_call() {
    if cores::count() < 2 {
        return;
    }
    let mut team = team(2);
    let mut meet = |joins| {
        let here = cores::current().expect("Linux tells cores");
        let core = AtomicUsize::new(here);
        let meeting = Arc::new(Meeting { core, joins });
        team.run(Late::Awaited, &meeting);
        team.round = team.round.wrapping_add(AGAIN[1]);
        (here, meeting.core.load(Ordering::Relaxed))
    };
    let parted = (0..200).filter(|_| {
        meet(true);
        let (here, there) = meet(false);
        here != there
    });
    let parted = parted.count();
    assert!(parted > 50, "{parted} of 200");
}

/// A job of which whoever comes first does everything.
#[derive(Default)]
struct Errand {
    done: AtomicUsize,
}

impl Job for Errand {
    fn run(&self, _: usize) {
        let first = self
            .done
            .compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
        // Those who are excused from one errand are called to the next while they wake.
        if first.is_err() {
            thread::yield_now();
        }
    }
}

#[test]
fn who_is_excused_comes_to_later_jobs() {
    for round in 0..if cfg!(miri) { 5 } else { 500 } {
        let errand = Arc::new(Errand::default());
        run(3, Late::Excused, Need::Wishes, &errand).expect("threads can be spawned");
        assert_eq!(errand.done.load(Ordering::Relaxed), 1);
        assert_eq!(Arc::strong_count(&errand), 1, "nobody keeps the job");
        if round % 7 == 0 {
            let census = Arc::new(Census::default());
            run(3, Late::Awaited, Need::Insists, &census).expect("threads can be spawned");
            assert_eq!(census.seen.load(Ordering::Relaxed), 0b111);
        }
    }
}
