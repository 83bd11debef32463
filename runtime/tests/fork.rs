//! A child made by `fork` has none of its parent's threads: its calls found teams of their own.

#![cfg(all(unix, not(miri)))]
#![expect(
    unsafe_code,
    reason = "the test makes children, waits for them and ends them"
)]

mod ring;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ring::{Data, Ring, Shape, TRANSPORTS};
use superstep_runtime::call::{Prepared, Reason, last_reason};
use superstep_runtime::keyed_program::KeyedProgram;
use superstep_runtime::options::Options;
use superstep_runtime::reduce::{self, Tree};
use superstep_runtime::team::shut_down;

/// After this time a child is taken to hang, and is ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `child` in a child of this process, and has it succeed.
fn in_child(child: impl FnOnce()) {
    // SAFETY: the child runs what this test is about, and leaves without returning.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "a child can be made");
    if pid == 0 {
        let succeeds = catch_unwind(AssertUnwindSafe(child)).is_ok();
        // SAFETY: ends the child, without what this process would do at its end.
        unsafe { libc::_exit(if succeeds { 0 } else { 1 }) };
    }
    let begin = Instant::now();
    loop {
        let mut status = 0;
        // SAFETY: `pid` is of a child of ours, for which nobody else waits.
        let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
        if ended == pid {
            assert_eq!(status, 0, "how the child has ended");
            return;
        }
        if begin.elapsed() > PATIENCE {
            // SAFETY: as above.
            unsafe {
                libc::kill(pid, libc::SIGKILL);
                libc::waitpid(pid, &raw mut status, 0);
            }
            panic!("the child hangs");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn shape(processors: u32) -> Shape {
    Shape {
        processors,
        supersteps: 5,
        reach: 1,
        every: 1,
    }
}

/// Everything that calls share: programs, prepared ones too, and reductions.
struct Calls {
    prepared: Vec<(Shape, Prepared<Ring>)>,
    programs: Vec<KeyedProgram<Ring>>,
}

impl Calls {
    fn new() -> Self {
        let prepared = TRANSPORTS.into_iter().flat_map(|transport| {
            (2..5).map(move |processors| {
                let options = Options::new().exactly(processors as usize);
                (
                    shape(processors),
                    shape(processors).prepared(options.transport(transport)),
                )
            })
        });
        Self {
            prepared: prepared.collect(),
            programs: ring::programs(shape(2), &[1, 2]),
        }
    }

    /// Runs all of them and compares every bit.
    fn run(&self, seed: u64) {
        for (shape, prepared) in &self.prepared {
            let (mut found, mut wanted) = (Data::new(*shape, seed), Data::new(*shape, seed));
            assert!(ring::run(prepared, &mut found).expect("there are threads"));
            shape.sequential(&mut wanted);
            assert_eq!(found.bits(), wanted.bits());
        }
        for _ in 0..8 {
            let mut data = Data::new(shape(2), seed);
            let ran = ring::choose(&self.programs, &Options::new(), &mut data).expect("no panic");
            assert!(ran || last_reason() == Some(Reason::AsWritten));
        }
        let terms: Vec<f64> = (0..40_000)
            .map(|i| 1.0 / (i as f64 + seed as f64 + 0.3))
            .collect();
        let sum = |processors| {
            let (terms, tree) = (terms.clone(), Tree::fixed(terms.len(), processors));
            let sum = reduce::reduce(&tree, move |i| terms[i], |a, b| a + b);
            sum.expect("nothing panics").map(f64::to_bits)
        };
        assert_eq!(sum(3), sum(1));
        let places = reduce::run(3, |member| member.processor()).expect("there are threads");
        assert_eq!(places, [0, 1, 2]);
    }
}

/// One test, as the standard library has a lock that each of its threads takes when it starts and
/// when it ends. Threads of tests do, too: a child made at that moment can spawn no thread.
#[test]
fn children_call_with_teams_of_their_own() {
    let calls = Calls::new();
    calls.run(1);
    a_child_calls_shuts_down_and_has_children(&calls);
    a_child_calls_that_was_made_while_another_thread_calls(&calls);
}

fn a_child_calls_shuts_down_and_has_children(calls: &Calls) {
    in_child(|| {
        calls.run(2);
        in_child(|| {
            shut_down();
            calls.run(3);
        });
        calls.run(4);
        shut_down();
        calls.run(5);
        shut_down();
    });
    in_child(shut_down);
    calls.run(6);
    shut_down();
    calls.run(7);
}

/// Forks while another thread may hold any lock, or be in a call.
fn a_child_calls_that_was_made_while_another_thread_calls(calls: &Calls) {
    /// Lets the other end even if a child fails.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (started, done) = (Barrier::new(2), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            calls.run(8);
            started.wait();
            while !done.load(Ordering::Relaxed) {
                calls.run(9);
            }
        });
        started.wait();
        let _end = End(&done);
        for seed in 10..60 {
            in_child(|| {
                calls.run(seed);
                shut_down();
            });
        }
    });
}
