//! Why there is no generated program.

use crate::messages::PlacementError;
use crate::replay::ReplayError;

/// Why a program could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The schedule is not one of the trace.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The program does not compute what the trace says: an error in superstep itself.
    #[error("the generated program failed its check, please report this: {0}")]
    Replay(#[from] ReplayError),
    /// A name is no Rust.
    #[error("the generated file does not parse: {0}")]
    Print(#[from] syn::Error),
}
