//! x
pub mod kernels;
