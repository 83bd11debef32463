//! Corners of the kernel language; the tests compare each kernel with its programs.
//!
//! The crate renames superstep, has another edition, and calls its build script as it likes: none of that may matter.

pub mod calls;
pub mod environment;
pub mod grains;
pub mod kernels;
pub mod near;
pub mod panics;
pub mod plans;
pub mod reductions;
