//! Runs a kernel and the program generated from it on the same input, and compares every bit.
//!
//! [`Comparison`] is what the examples' `main` functions print, [`Check`] what their tests assert, [`SameBits`] what
//! "identical" means in both, and [`generated`] what they keep of the generated text to compare with.
//! [`Race`] has the times of a function and of its plan, where that is made at run time.

mod bits;
mod check;
mod comparison;
mod generated;
mod race;

pub use bits::SameBits;
pub use check::Check;
pub use comparison::{Comparison, shortest};
pub use generated::generated;
pub use race::{Race, timed};
