//! Arithmetic of reductions: who combines how many results when, on how many processors.
//!
//! Everything here is numbers in, numbers out: no graph, no thread, no data, and no dependency. The
//! unit of time is one combination of two operands; `tau` is the time that a result needs from one
//! processor to another. The runtime and the scheduler make trees by it.
//!
//! | module | what it answers |
//! |---|---|
//! | [`postal`] | how many processors a result can come from within a time; the fastest tree |
//! | [`layered`] | the fastest layers of equal fan-ins |
//! | [`blocks`] | the fixed order: which operands are combined with which, from their number alone |
//! | [`tree`] | all of it for one reduction: ranges, parents, the modelled time |

pub mod blocks;
pub mod layered;
pub mod postal;
pub mod tree;

pub use tree::{Costs, Order, Shape, Tree};
