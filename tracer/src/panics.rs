//! Panics of the kernel's own code, with their locations. `catch_unwind` gives the payload alone,
//! so a panic hook notes the location.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// Panic that was caught.
pub(crate) struct Caught {
    pub(crate) payload: Box<dyn Any + Send>,
    /// File and line; nothing if nothing panicked (see `Failure::raise`), or somebody replaced our
    /// hook.
    pub(crate) at: Option<(String, u32)>,
}

thread_local! {
    static LISTENING: Cell<bool> = const { Cell::new(false) };
    static AT: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
}

/// Runs `run` and catches its panic, which is not printed: the caller reports it.
pub(crate) fn catch(run: impl FnOnce()) -> Result<(), Caught> {
    listen();
    let outer = LISTENING.replace(true);
    AT.take();
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    LISTENING.set(outer);
    result.map_err(|payload| Caught {
        payload,
        at: AT.take(),
    })
}

/// Puts our hook before the one that is there, once; on threads that catch nothing it only passes
/// on.
fn listen() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if LISTENING.get() {
                AT.set(panic.location().map(|at| (at.file().to_owned(), at.line())));
            } else {
                other(panic);
            }
        }));
    });
}
