use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use superstep_order::{Order, Rows, Wait};

use super::*;
use crate::options::WaitPolicy;

/// A step that panics, by (processor, number of the step).
type Trap = (u32, u32);

/// Marks each step, and checks that those were marked for which it waits.
struct Marks {
    ordered: Arc<Ordered>,
    /// Steps of each processor that were marked in this run.
    done: Vec<AtomicU32>,
    traps: BTreeSet<Trap>,
    /// Steps that take long, of each so many one.
    slow: u32,
}

impl Payload for Marks {
    fn run(&self, turn: &mut Turn<'_>) {
        let processor = turn.processor();
        while let Some(step) = turn.next() {
            let count = turn.count();
            for wait in self.ordered.order().waits_of(step) {
                let done = self.done[wait.processor as usize].load(Ordering::Relaxed);
                assert!(done >= wait.steps, "what was done before is seen");
            }
            assert!(!self.traps.contains(&(processor as u32, count)), "trap");
            if self.slow > 0 && step.is_multiple_of(self.slow) {
                thread::sleep(Duration::from_micros(50));
            }
            // Neither a swap nor an addition: who runs the processor next sees what was stored.
            let done = self.done[processor].load(Ordering::Relaxed);
            assert_eq!(done, count, "each step runs once, in order");
            self.done[processor].store(done + 1, Ordering::Relaxed);
        }
    }
}

/// Steps in an order in which one processor could run them. Each has the processor that runs it and
/// steps before it for which it waits.
fn order(processors: u32, steps: &[(u32, Vec<usize>)]) -> Arc<Ordered> {
    let mut places = Vec::new();
    let mut counts = vec![0_u32; processors as usize];
    for (processor, _) in steps {
        let count = &mut counts[*processor as usize];
        places.push((*processor, *count));
        *count += 1;
    }
    let mut firsts = vec![0];
    firsts.extend(counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    }));
    let row = |(processor, count): (u32, u32)| (firsts[processor as usize] + count) as usize;
    let mut waits = Vec::new();
    for (at, (own, before)) in steps.iter().enumerate() {
        for &before in before.iter().filter(|_| at > 0) {
            let (processor, count) = places[before % at];
            if processor != *own {
                let steps = count + 1;
                waits.push((row(places[at]), Wait { processor, steps }));
            }
        }
    }
    let order = Order {
        waits: Rows::sorted(steps.len(), waits.iter().copied()),
        processors: firsts,
    };
    Arc::new(Ordered::from(Arc::new(order)))
}

/// Returns, for runs in which some steps panic, how many steps of each processor run, which neither
/// wait for these nor come after them. Returns the first that panics, too, by number and processor.
fn reached(ordered: &Ordered, traps: &BTreeSet<Trap>) -> (Vec<u32>, Option<(u32, u32)>) {
    let order = ordered.order();
    let processors = order.processors() as u32;
    let mut done = vec![0; processors as usize];
    loop {
        let (mut has_run, mut failures) = (false, Vec::new());
        for processor in 0..processors {
            let steps = order.steps_of(processor);
            let count = done[processor as usize];
            let next = steps.start + count;
            let is_ready = |wait: &Wait| done[wait.processor as usize] >= wait.steps;
            if next == steps.end || !order.waits_of(next).iter().all(is_ready) {
                continue;
            }
            match traps.contains(&(processor, count)) {
                true => failures.push((count, processor)),
                false => {
                    done[processor as usize] += 1;
                    has_run = true;
                }
            }
        }
        if !has_run {
            return (done, failures.into_iter().min());
        }
    }
}

fn check(
    ordered: &Arc<Ordered>,
    threads: usize,
    wait: WaitPolicy,
    traps: &BTreeSet<Trap>,
    slow: u32,
) {
    let processors = ordered.order().processors();
    let marks = Arc::new(Marks {
        ordered: Arc::clone(ordered),
        done: (0..processors).map(|_| AtomicU32::new(0)).collect(),
        traps: traps.clone(),
        slow,
    });
    let (expected, first) = reached(ordered, traps);
    let mut runs = Runs::new(ordered, Arc::clone(&marks) as _, threads, wait);
    for _ in 0..if traps.is_empty() { 3 } else { 1 } {
        marks
            .done
            .iter()
            .for_each(|done| done.store(0, Ordering::Relaxed));
        let ran = runs.run(Need::Insists).expect("there are threads");
        let failure = ran
            .err()
            .map(|failure| (failure.superstep as u32, failure.processor as u32));
        assert_eq!(failure, first);
        let done = marks.done.iter().map(|done| done.load(Ordering::Relaxed));
        assert_eq!(done.collect::<Vec<_>>(), expected);
    }
}

const CASES: u32 = if cfg!(miri) { 8 } else { 400 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]
    #[test]
    fn every_step_runs_once_after_those_for_which_it_waits(
        processors in 1_u32..7,
        steps in prop::collection::vec((0_u32..7, prop::collection::vec(0_usize..1000, 0..3)), 0..40),
        threads in 1_usize..5,
        wait in prop::sample::select(vec![WaitPolicy::Hybrid, WaitPolicy::Park]),
        traps in prop::collection::btree_set((0_u32..7, 0_u32..6), 0..3),
        fails in any::<bool>(),
        slow in 0_u32..4,
    ) {
        let steps: Vec<_> = steps.into_iter().map(|(p, before)| (p % processors, before)).collect();
        let ordered = order(processors, &steps);
        let is_there = |&(processor, count): &Trap| {
            fails && processor < processors && count < ordered.order().steps_of(processor).len() as u32
        };
        let traps = traps.into_iter().filter(is_there).collect();
        check(&ordered, threads.min(processors as usize), wait, &traps, slow);
    }
}

/// Many short runs, of which the workers of one are on their way out when the next begins.
#[test]
fn runs_follow_each_other_at_once() {
    for (processors, threads) in [(2, 2), (3, 2), (8, 3), (8, 8)] {
        let steps: Vec<_> = (0..6 * processors as usize)
            .map(|at| {
                (
                    at as u32 % processors,
                    vec![at.saturating_sub(1), at.saturating_sub(2)],
                )
            })
            .collect();
        let ordered = order(processors, &steps);
        let marks = Arc::new(Marks {
            ordered: Arc::clone(&ordered),
            done: (0..processors).map(|_| AtomicU32::new(0)).collect(),
            traps: BTreeSet::new(),
            slow: 0,
        });
        let mut runs = Runs::new(
            &ordered,
            Arc::clone(&marks) as _,
            threads,
            WaitPolicy::Hybrid,
        );
        for _ in 0..if cfg!(miri) { 5 } else { 2000 } {
            marks
                .done
                .iter()
                .for_each(|done| done.store(0, Ordering::Relaxed));
            let ran = runs.run(Need::Insists).expect("there are threads");
            assert!(ran.is_ok());
            assert!(
                marks
                    .done
                    .iter()
                    .all(|done| done.load(Ordering::Relaxed) == 6)
            );
        }
        assert!(
            runs.idle.len() <= threads.max(2),
            "at most one for each thread"
        );
    }
}

/// A thread that never comes costs nothing but its share.
#[test]
fn one_thread_runs_all_processors_where_the_others_do_not_come() {
    let steps: Vec<_> = (0..40_usize)
        .map(|at| (at as u32 % 4, vec![at * 7, at * 3]))
        .collect();
    let ordered = order(4, &steps);
    let marks = Arc::new(Marks {
        ordered: Arc::clone(&ordered),
        done: (0..4).map(|_| AtomicU32::new(0)).collect(),
        traps: BTreeSet::new(),
        slow: 0,
    });
    let payload: Arc<dyn Payload> = Arc::clone(&marks) as _;
    let run = Run::new(&ordered, &payload, 4, Patience::of(4));
    run.work(2);
    assert!(
        marks
            .done
            .iter()
            .all(|done| done.load(Ordering::Relaxed) == 10)
    );
    assert!(Failure::take_first(&run.failures).is_none());
    // Whoever comes late finds nothing to do.
    run.work(0);
}

#[test]
fn in_turn_steps_run_round_by_round() {
    let steps: Vec<_> = (0..12_usize)
        .map(|at| (at as u32 % 3, vec![at.saturating_sub(1)]))
        .collect();
    let ordered = order(3, &steps);
    let marks = |traps: &[Trap]| Marks {
        ordered: Arc::clone(&ordered),
        done: (0..3).map(|_| AtomicU32::new(0)).collect(),
        traps: traps.iter().copied().collect(),
        slow: 0,
    };
    let all = marks(&[]);
    assert!(in_turn(ordered.order(), &all).is_ok());
    assert!(
        all.done
            .iter()
            .all(|done| done.load(Ordering::Relaxed) == 4)
    );
    let some = marks(&[(1, 2)]);
    let failure = in_turn(ordered.order(), &some).expect_err("it is trapped");
    assert_eq!((failure.superstep, failure.processor), (2, 1));
    let done: Vec<u32> = some
        .done
        .iter()
        .map(|done| done.load(Ordering::Relaxed))
        .collect();
    assert_eq!(done, [3, 2, 2]);
}
