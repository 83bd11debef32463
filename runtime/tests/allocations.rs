//! A warm call allocates nothing, in the caller or in any worker. Alone in its file, since it
//! counts for the whole process.

// A counting allocator cannot be written without; it only hands on to the system's.
#![allow(unsafe_code)]

mod ring;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use ring::{Data, Ring, Shape, TRANSPORTS};
use superstep_runtime::call::{self, Outcome, Prepared};
use superstep_runtime::options::Options;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_call_allocates_nothing() {
    for transport in TRANSPORTS {
        for processors in [1, 2, 3, 8] {
            let shape = Shape {
                processors,
                supersteps: 6,
                reach: 2,
                every: 1,
            };
            let prepared = shape.prepared(Options::new().transport(transport));
            assert_warm_calls_do_not(&prepared, shape);
        }
    }
    falling_back();
}

/// Calls that may run a program for one processor instead.
fn falling_back() {
    let shape = |processors| Shape {
        processors,
        supersteps: 6,
        reach: 1,
        every: 1,
    };
    let program = |processors| ring::generated(&[], shape(processors).plan().encode());
    let programs = [1, 2].map(program);
    let prepared = call::prepare_or_plan(&programs, |_| {}, false, &Options::new().processors(2));
    assert_warm_calls_do_not(&prepared.expect("both were built"), shape(2));
}

fn assert_warm_calls_do_not(prepared: &Prepared<Ring>, shape: Shape) {
    let cold = ALLOCATIONS.load(Ordering::Relaxed);
    let mut data = Data::new(shape, 1);
    let mut call = || {
        let outcome = prepared.run((&mut data.x, &mut data.y, &data.settings));
        if let Outcome::Original(_, turn) = outcome.expect("no panic") {
            turn.run(|| ()).expect("no panic");
        }
    };
    // One run founds the team; a worker that goes to sleep for the first time may set up its
    // thread's parking. After three, calls may fall back: to the program for one processor by the
    // seventh.
    (0..8).for_each(|_| call());
    let warm = ALLOCATIONS.load(Ordering::Relaxed);
    assert!(warm > cold, "the allocator counts");
    // A thread that sleeps for the first time, later, allocates once.
    let allocates_nothing = |_| {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        (0..50).for_each(|_| call());
        ALLOCATIONS.load(Ordering::Relaxed) == before
    };
    assert!((0..4).any(allocates_nothing), "{prepared:?}, {shape:?}");
}
