//! Panics of a traced run are reported once, by the error. A process has one panic hook, so this
//! test stands alone.

use std::panic::{catch_unwind, set_hook};
use std::sync::atomic::{AtomicU32, Ordering};

use superstep_tracer::{DEFAULT_LIMIT, Kernel, record};

static PRINTED: AtomicU32 = AtomicU32::new(0);

#[test]
fn only_panics_outside_of_a_trace_are_printed() {
    set_hook(Box::new(|_| {
        PRINTED.fetch_add(1, Ordering::Relaxed);
    }));
    let panicked = record(Kernel::new("demo"), DEFAULT_LIMIT, |_| {
        panic!("of the kernel")
    });
    assert!(panicked.is_err());
    assert_eq!(PRINTED.load(Ordering::Relaxed), 0);

    assert!(catch_unwind(|| panic!("of another")).is_err());
    assert_eq!(PRINTED.load(Ordering::Relaxed), 1);
}
