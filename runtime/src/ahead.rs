//! Work ahead of calls: a thread of its own does meanwhile what later calls need.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use crate::cores;

/// Does some work, and then some more at the lowest priority: on a core that nobody else wants, or
/// seldom. Both are done on a thread of their own, or here and now where the system gives none. A
/// panic ends that thread.
///
/// The system may start it on the core of this thread, which would wait meanwhile: it leaves that.
pub(crate) fn work(work: impl FnOnce() + Send + 'static, more: impl FnOnce() + Send + 'static) {
    let both = Arc::new(Mutex::new(Some((work, more))));
    let take = |both: &Mutex<Option<_>>| both.lock().unwrap_or_else(PoisonError::into_inner).take();
    let spawned = Builder::new().name("superstep ahead".into()).spawn({
        let both = Arc::clone(&both);
        let here = cores::current();
        move || {
            cores::leave(&here.into_iter().collect());
            if let Some((work, more)) = take(&both) {
                work();
                system::give_way();
                more();
            }
        }
    });
    if spawned.is_err()
        && let Some((work, more)) = take(&both)
    {
        work();
        more();
    }
}

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod system {
    use rustix::process::setpriority_process;

    /// Priority of a thread that runs where others do not want to, or for a seventieth of the time.
    const LOWEST: i32 = 19;

    /// Has this thread, alone of the process, give way to all others.
    pub(super) fn give_way() {
        // Where the system does not let it, it is a thread like others.
        let _ = setpriority_process(None, LOWEST);
    }
}

#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
mod system {
    pub(super) fn give_way() {}
}
