//! Kernels that are planned when the program runs: no build script, any pattern, any size. The tests compare them with the functions as written.

pub mod calls;
pub mod common;
pub mod kernels;
pub mod lengths;
pub mod loops;
pub mod names;
pub mod tables;
