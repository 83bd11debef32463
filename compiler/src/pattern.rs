//! Patterns of the runs of a body that are known before run time: steps of 0 or 1, and components
//! that share a slot.
//!
//! That decides which inner loop a run can have: slices, words kept in variables, operands updated
//! in place. Runs of one statement sequence with different *signatures* become different bodies of
//! the plan, with a run function each.

mod kinds;
pub(crate) mod loose;
mod ranking;
mod relations;
pub(crate) mod signature;
pub(crate) mod specialise;

pub use loose::tabulate;
pub use signature::{LINES, Signature, Step, Use, View, uses};
pub use specialise::specialise;
