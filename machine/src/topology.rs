//! The tree of hosts, switches and links of a cluster, found from round-trip times alone, and its uses.
//!
//! Source: T. Shirai, "A fast topology inference: a building block for network-aware parallel processing", master's thesis, University of
//! Tokyo, 2007.

#[cfg(feature = "measure")]
mod growing;
#[cfg(feature = "measure")]
mod infer;
#[cfg(feature = "measure")]
mod probe;
#[cfg(feature = "measure")]
mod protocol;
#[cfg(feature = "measure")]
mod random;
#[cfg(feature = "simulation")]
pub mod simulated;
mod tree;

#[cfg(feature = "measure")]
pub use infer::{InferError, Inference, Measurement, Pruning, Setting, Tolerance, infer};
#[cfg(feature = "measure")]
pub use probe::{Finished, OneByOne, Probe, RoundTrip};
#[cfg(feature = "measure")]
pub use protocol::{Measured, Protocol};
pub use tree::{Difference, Link, NewickError, Tree, TreeError, TreeFileError, Vertex};
