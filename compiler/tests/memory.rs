//! Memory that a build takes for each task. Alone in its file, since it counts for the whole
//! process.

// A counting allocator cannot be written without; it only hands on to the system's.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_compiler::{Options, Request, compile};
use superstep_graphs::generate;
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Recorder, Role, Trace, record};

/// Bytes a task that a build takes, its trace included.
const MOST: usize = 80;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST_AT_ONCE: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize) {
    let now = NOW.fetch_add(more, Ordering::Relaxed) + more;
    MOST_AT_ONCE.fetch_max(now, Ordering::Relaxed);
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    /// Reallocates as systems do that remap large blocks, so that both are not there at once.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        count(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the bytes a task at the peak of making a trace and its programs, one thread, algorithms
/// by prediction.
fn bytes_per_task(trace: impl FnOnce() -> Trace) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST_AT_ONCE.store(before, Ordering::Relaxed);
    let trace = trace();
    let requests = [1, 2, 8].map(Request::exactly);
    let compilation = compile(&trace, &requests, &Options::default()).expect("it serves all");
    assert_eq!(compilation.programs.len(), requests.len());
    (MOST_AT_ONCE.load(Ordering::Relaxed) - before) / trace.tasks()
}

/// Traces `for i in 1..n { for j in 1..n { t[i][j] = max(t[i - 1][j], t[i][j - 1]); } }`.
fn table(n: usize) -> Trace {
    let mut kernel = Kernel::new("table");
    let t = kernel.add_array("t", Role::InOut, None);
    let best = kernel.add_statement("t[i][j] = max(t[i - 1][j], t[i][j - 1])", t, &[t, t]);
    let run = |recorder: &mut Recorder| {
        for i in 1..n {
            for j in 1..n {
                let operands = [(t, (i - 1) * n + j), (t, i * n + j - 1)];
                recorder.task(best, t, i * n + j, operands);
            }
        }
    };
    record(kernel, DEFAULT_LIMIT, run).expect("it is in range")
}

#[test]
fn a_build_takes_at_most_80_bytes_a_task() {
    let lu = bytes_per_task(|| generate::lu_trace(144).expect("it is in range"));
    let table = bytes_per_task(|| table(1000));
    assert!(lu <= MOST && table <= MOST, "LU {lu}, a table {table}");
}
