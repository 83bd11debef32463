//! Runs a kernel and the program generated from it on the same input, and compares every bit.
//!
//! [`Comparison`] is what the examples' `main` functions print, [`Check`] what their tests assert, and [`SameBits`] what
//! "identical" means in both.

mod bits;
mod check;
mod comparison;

pub use bits::SameBits;
pub use check::Check;
pub use comparison::{Comparison, shortest};
