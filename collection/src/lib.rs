//! Kernels that people write, each as its user would: sequential Rust, in no shape that superstep
//! likes better than another.
//!
//! They show what superstep is worth where nobody has tuned anything. `tests/` compares their
//! programs with the functions bit for bit at tiny sizes, and some of the functions with answers
//! that are known otherwise. With the feature `measured` there are programs for a small and a real
//! size, too. The module `measure` says what calls take beside the functions:
//! `superstep-bench collection`.
//!
//! * [`kernels`] has the kernels, by field;
//! * [`CASES`] has each with its sizes and its data: a [`Trial`] calls it in any form.

mod case;
mod data;
pub mod kernels;
#[cfg(feature = "measured")]
pub mod measure;
pub mod pattern;

pub use case::{By, CASES, Case, Size, Trial};

/// The folder of the build's reports, one for each kernel.
pub const REPORTS: &str = concat!(env!("OUT_DIR"), "/superstep");
