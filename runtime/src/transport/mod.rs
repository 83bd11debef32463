//! How processors are brought to life and how their messages travel.
//!
//! A transport gets a program's tables and the arguments of one call. It scatters the inputs, runs
//! the processors, and gathers the results; how, is its own affair. What each processor does in a
//! superstep is not: that is written once, in the crate's module `processor`, which waits,
//! receives, computes, sends and ends by an `Endpoint` of the transport. The compiler makes a copy
//! of it for each transport.
//!
//! | transport | processors | waits | packets |
//! |---|---|---|---|
//! | threads | threads of a [team](crate::team) | by counts of supersteps | in memory that two threads share |
//! | in turn | one after another, superstep by superstep | never | in memory of the run |
//! | alone | the only one, on the caller's arguments | never | none |
//!
//! # More of them
//! Nothing but the threads transport assumes that processors share memory.
//!
//! *Ranks of MPI*: each process makes memory for its own rank alone and runs one processor. The
//! root scatters and gathers as others do, on memory of its own that it then packs and sends, or
//! has received. Its `Endpoint` receives the packet of a link from the message's sender before it
//! hands it over, and sends a packet when it has been filled; it has nothing to wait for and nobody
//! to wake, and tells the others when it stops. It needs one thing more from kernels: a packet's
//! bytes. Plans that share arrays are not for it.
//!
//! *A recorder of times*: a `Layer` stands between all processors and their transport, and wraps
//! each `Endpoint`. As the processor calls each of its methods once in a superstep, and computes
//! between two of them, the wrapper knows all three times. Without a layer nothing is left of it in
//! the code. A test of this module has such a recorder.

mod alone;
mod in_turn;
#[cfg(all(test, not(loom)))]
mod tests;
mod threads;

use std::sync::Arc;

pub(crate) use alone::Alone;
pub(crate) use in_turn::InTurn;
pub(crate) use threads::Threads;

use crate::error::RunError;
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::options::Options;
pub use crate::options::TransportKind;
use crate::sync::{Mutex, lock};
use crate::tables::Tables;

/// A way to run the programs of a kernel. The value holds what is kept from run to run of one
/// program.
pub(crate) trait Transport<K: Kernel>: Send + Sync {
    /// Runs a program once: scatters the inputs, runs the supersteps with the exchanges between
    /// them, gathers the results. Always with the same tables. Several runs may go on at once.
    ///
    /// Returns how many processors ran a task.
    ///
    /// # Errors
    /// If a processor panicked or could not be brought to life.
    fn run(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &mut K::Arguments<'_>,
        options: &Options,
    ) -> Result<usize, RunError>;
}

/// States that no run uses at the moment. A state that a failed run has left behind is not put
/// back.
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
