//! Calls do without threads where the system has none, but for those that insist.
//!
//! The program runs itself with a stack for threads that no address space has room for.

mod ring;

use std::env;
use std::process::Command;

use ring::{Data, Shape};
use superstep_runtime::call::{Reason, last_reason, last_run};
use superstep_runtime::error::RunError;
use superstep_runtime::options::{Options, TransportKind};
use superstep_runtime::reduce::{self, Tree};

/// From which the standard library takes the size of stacks.
const STACK: &str = "RUST_MIN_STACK";

fn main() {
    if cfg!(any(miri, not(target_pointer_width = "64"))) {
        println!("skipped: no stack is too large here");
        return;
    }
    let size = (1u64 << 62).to_string();
    if env::var(STACK).is_ok_and(|value| value == size) {
        assert!(
            std::thread::Builder::new().spawn(|| ()).is_err(),
            "there are no threads"
        );
        calls_run_the_program_for_one_processor_or_give_the_arguments_back();
        calls_that_insist_fail_and_touch_nothing();
        reductions_run_on_the_calling_thread();
        return;
    }
    let this = env::current_exe().expect("a program knows where it is");
    let status = Command::new(this).env(STACK, size).status();
    assert!(status.expect("it can be run").success());
}

/// Calls after which threads are asked for on any machine, however busy: of 2 ms each.
const MOST: usize = 5_000;

const SHAPE: Shape = Shape {
    processors: 4,
    supersteps: 5,
    reach: 1,
    every: 1,
};

fn calls_run_the_program_for_one_processor_or_give_the_arguments_back() {
    // However many cores there are, up to four processors is a wish that only this program fulfils.
    let several = ring::programs(SHAPE, &[4]);
    let prepared = ring::prepare(&several, &Options::new());
    let mut reasons = Vec::new();
    // Where others keep the cores, threads are asked for later.
    for _ in 0..MOST {
        if reasons.len() >= 40 && reasons.contains(&Some(Reason::NoThreads)) {
            break;
        }
        let mut data = Data::new(SHAPE, 3);
        assert!(!ring::choose(&several, &Options::new(), &mut data).expect("it can do without"));
        assert_eq!(last_run(), None);
        reasons.push(last_reason());
        assert!(!ring::run(&prepared, &mut data).expect("it can do without"));
        assert_eq!(last_run(), None);
        reasons.push(last_reason());
        assert_eq!(data, Data::new(SHAPE, 3), "nothing was touched");
        let in_turn = Options::new().transport(TransportKind::InTurn);
        assert!(ring::choose(&several, &in_turn, &mut data).expect("it needs no threads"));
        assert_eq!(last_reason(), None);
    }
    is_told(&reasons);
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("skipped: on one core no call chooses two processors beside one");
        return;
    }
    let both = ring::programs(SHAPE, &[1, 2]);
    let mut programs = 0;
    reasons.clear();
    for _ in 0..MOST {
        if programs > 0 && reasons.contains(&Some(Reason::NoThreads)) {
            break;
        }
        let mut data = Data::new(SHAPE, 3);
        let ran = ring::choose(&both, &Options::new(), &mut data).expect("it can do without");
        reasons.push(last_reason());
        if !ran {
            assert_eq!(data, Data::new(SHAPE, 3), "nothing was touched");
            continue;
        }
        programs += 1;
        let ran = last_run().map(|ran| (ran.processors, ran.instead_of));
        assert_eq!(ran, Some((1, Some(2))));
        let mut wanted = Data::new(SHAPE, 3);
        Shape {
            processors: 1,
            ..SHAPE
        }
        .sequential(&mut wanted);
        assert_eq!(data.bits(), wanted.bits());
    }
    assert!(programs > 0, "both forms on one core are measured");
    is_told(&reasons);
}

/// The function begins; once threads were asked for in vain, that is the reason.
fn is_told(reasons: &[Option<Reason>]) {
    let first = |reason| reasons.iter().position(|&found| found == Some(reason));
    let asked = first(Reason::NoThreads).expect("threads are asked for");
    assert!(
        reasons[..asked]
            .iter()
            .all(|reason| matches!(reason, Some(Reason::AsWritten | Reason::Slower)))
    );
}

fn calls_that_insist_fail_and_touch_nothing() {
    let programs = ring::programs(SHAPE, &[1, 4]);
    let exactly = Options::new().exactly(4);
    for _ in 0..3 {
        let mut data = Data::new(SHAPE, 3);
        let error = ring::choose(&programs, &exactly, &mut data).expect_err("it insists");
        assert!(
            matches!(error, RunError::Threads { processors: 4, .. }),
            "{error}"
        );
        assert_eq!((last_run(), last_reason()), (None, None));
        assert_eq!(data, Data::new(SHAPE, 3), "nothing was touched");
    }
    let error = reduce::run(3, |member| member.processor()).expect_err("they talk to each other");
    assert!(
        matches!(error, RunError::Threads { processors: 3, .. }),
        "{error}"
    );
}

fn reductions_run_on_the_calling_thread() {
    let caller = std::thread::current().id();
    let sum = |processors| {
        let tree = Tree::fixed(100_000, processors);
        let term = move |i: usize| {
            assert_eq!(std::thread::current().id(), caller);
            1.0 / (i + 1) as f64
        };
        let sum = reduce::reduce(&tree, term, |a, b| a + b);
        sum.expect("nothing panics").map(f64::to_bits)
    };
    for processors in 2..6 {
        assert_eq!(sum(processors), sum(1));
    }
}
