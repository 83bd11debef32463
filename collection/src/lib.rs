//! Kernels that people write, each as its user would: sequential Rust, in no shape that superstep
//! likes better than another.
//!
//! They show what superstep is worth where nobody has tuned anything. `tests/` compares their
//! programs with the functions bit for bit at tiny sizes, and some of the functions with answers
//! that are known otherwise. `superstep-bench collection` measures them at sizes of use, of which
//! [`IS_MEASURED`] says whether they were built.
//!
//! * [`kernels`] has the kernels, by field;
//! * [`CASES`] has each with its sizes and its data: a [`Trial`] calls it in any form.

mod case;
mod data;
pub mod kernels;
pub mod pattern;

pub use case::{By, CASES, Case, Size, Trial};

/// Whether programs were built for the sizes that are measured.
pub const IS_MEASURED: bool = cfg!(feature = "measured");

/// The folder of the build's reports, one for each kernel.
pub const REPORTS: &str = concat!(env!("OUT_DIR"), "/superstep");
