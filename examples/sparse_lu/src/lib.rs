//! Newton's method on the pattern of a circuit or of a power grid, again and again: values change
//! with the iterate, the pattern never does.
//!
//! Whoever simulates a circuit orders its nodes and finds the pattern of the factors once, and then
//! evaluates, factors and solves thousands of times: so KLU is used. [`System`] has that pattern;
//! [`kernels`] are the three functions of a step, planned once as well ([`Plans`]); [`follow`] runs
//! Newton's method while the sources change.

pub mod kernels;
mod newton;
mod system;

pub use newton::{NoRoot, Path, Plans, follow};
pub use system::{Arrays, System};
