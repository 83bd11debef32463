//! The tree of hosts, switches and links of a cluster, found from round-trip times alone, and its uses.
//!
//! Source: T. Shirai, "A fast topology inference: a building block for network-aware parallel processing", master's thesis, University of
//! Tokyo, 2007.

#[cfg(feature = "measure")]
mod probe;
#[cfg(feature = "measure")]
mod protocol;
mod tree;

#[cfg(feature = "measure")]
pub use probe::{Finished, OneByOne, Probe, RoundTrip};
#[cfg(feature = "measure")]
pub use protocol::{Measured, Protocol};
pub use tree::{Difference, Link, NewickError, Tree, TreeError, TreeFileError, Vertex};
