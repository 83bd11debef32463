//! How processors are brought to life and how their messages travel.
//!
//! Nothing but the threads transport assumes that processors share memory: a processor could be a process on another machine. What a transport
//! gets is a program's tables and the arguments of one call; how it scatters, synchronises, exchanges and gathers is its own affair.

mod alone;
mod in_turn;
mod threads;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub(crate) use alone::Alone;
pub(crate) use in_turn::InTurn;
pub(crate) use threads::Threads;

use crate::call::Options;
use crate::error::{Failure, RunError};
use crate::kernel::Kernel;
use crate::program::Tables;

/// How a call runs. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportKind {
    /// Each processor is a thread of a persistent team.
    #[default]
    Threads,
    /// The processors run one after another on the calling thread, superstep by superstep: no freedom at all, for tests.
    InTurn,
}

/// A way to run the programs of a kernel. The value holds what is kept from run to run of one program.
pub(crate) trait Transport<K: Kernel>: Default + Send + Sync {
    /// Runs a program once: scatters the inputs, runs the supersteps with the exchanges between them, gathers the results.
    /// Always with the same tables. Several runs may go on at once. A fault of the options is injected.
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

/// Runs a part of a superstep; a panic becomes a failure.
fn catching(superstep: usize, processor: usize, part: impl FnOnce()) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|payload| Failure {
        superstep,
        processor,
        payload,
    })
}
