//! The tree of hosts, switches and links of a cluster, found from round-trip times alone, and its
//! uses.
//!
//! A [`Tree`] is read from a file and gives distances. The feature `measure` has the rest:
//!
//! * inference from a probe of round-trip times, which are recorded or measured;
//! * levels of latency, and the placement of ranks;
//! * a schedule of bandwidth measurements, and what traffic of all hosts costs.
//!
//! Source: T. Shirai, "A fast topology inference: a building block for network-aware parallel
//! processing", master's thesis, University of Tokyo, 2007.
#![cfg_attr(
    feature = "measure",
    doc = r#"
```
use std::path::Path;
use superstep_network::topology::{Matrix, Recorded, Setting, infer};

let times = "a,b,c,d\n0,40,54,54\n40,0,54,54\n54,54,0,40\n54,54,40,0\n";
let mut probe = Recorded::new(Matrix::from_csv(times, Path::new("rtt.csv"))?, None)?;
let names = probe.names().to_vec();
let inference = infer(&names, &mut probe, &Setting::default(), |_| {})?;
assert_eq!(inference.tree.newick(), "(a:10,b:10,(c:10,d:10):7);");
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]

#[cfg(feature = "measure")]
pub mod bandwidth;
#[cfg(feature = "measure")]
pub mod broadcast;
#[cfg(feature = "measure")]
mod growing;
#[cfg(feature = "measure")]
mod hierarchy;
#[cfg(feature = "measure")]
mod infer;
#[cfg(feature = "measure")]
pub mod levels;
#[cfg(feature = "measure")]
mod matrix;
#[cfg(feature = "measure")]
mod pace;
#[cfg(feature = "measure")]
mod placement;
#[cfg(feature = "measure")]
mod probe;
#[cfg(feature = "measure")]
mod protocol;
#[cfg(feature = "measure")]
mod recorded;
#[cfg(feature = "simulation")]
pub mod simulated;
#[cfg(feature = "measure")]
pub mod tcp;
mod tree;

pub use tree::{Difference, Link, NewickError, Tree, TreeError, Vertex};
#[cfg(feature = "measure")]
pub use {
    bandwidth::Bandwidths,
    hierarchy::Hosts,
    infer::{
        Contradiction, InferError, Inference, Measurement, Misfit, Pruning, Setting, Tolerance,
        infer,
    },
    levels::{Partition, levels},
    matrix::Matrix,
    pace::Pace,
    placement::{Placement, TooManyRanks},
    probe::{Finished, Probe, RoundTrip},
    protocol::{Measured, Protocol},
    recorded::{RecordError, Recorded, Unrecorded},
};
