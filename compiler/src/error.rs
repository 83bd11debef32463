//! Why there is no program.

use crate::place::messages::PlacementError;
use crate::verify::ReplayError;

/// Why a program could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The schedule is not one of the trace.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The program does not compute what the trace says: an error in superstep itself.
    #[error("the generated program failed its check, please report this: {0}")]
    Replay(#[from] ReplayError),
}
