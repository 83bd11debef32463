//! A warm call allocates nothing, in the caller or in any worker. Alone in its file, since it counts for the whole process.

// A counting allocator cannot be written without; it only hands on to the system's.
#![allow(unsafe_code)]

mod ring;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use ring::{Data, Shape, TRANSPORTS, run};
use superstep_runtime::call::Options;

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
            let cold = ALLOCATIONS.load(Ordering::Relaxed);
            let prepared = shape.prepared(Options::new().transport(transport));
            let mut data = Data::new(shape, 1);
            // One run founds the team; a worker that goes to sleep for the first time may set up its thread's parking.
            for _ in 0..3 {
                assert!(run(&prepared, &mut data).expect("no panic"));
            }
            let warm = ALLOCATIONS.load(Ordering::Relaxed);
            assert!(warm > cold, "the allocator counts");
            for _ in 0..50 {
                assert!(run(&prepared, &mut data).expect("no panic"));
            }
            assert_eq!(
                ALLOCATIONS.load(Ordering::Relaxed),
                warm,
                "{transport:?}, {processors} processors"
            );
        }
    }
}
