//! States of runs that no run uses at the moment.

use crate::fork::PerProcess;
use crate::sync::{Mutex, lock};

/// Pool of idle states, of this process. A state that a failed run has left behind is not put back.
pub(crate) struct Pool<S>(PerProcess<Mutex<Vec<S>>>);

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Self(PerProcess::new())
    }
}

impl<S: Send> Pool<S> {
    pub(crate) fn take(&self) -> Option<S> {
        lock(self.0.get()).pop()
    }

    pub(crate) fn put(&self, state: S) {
        lock(self.0.get()).push(state);
    }
}
