//! Runs a kernel and the program generated from it on the same input, and compares every bit.
//!
//! [`Comparison`] is what the examples' `main` functions print, [`Check`] what their tests assert.
//! [`SameBits`] is what "identical" means in both, and [`generated`] what they keep of the
//! generated text to compare with. With the feature `plan`, `Race` has the times of a function and
//! of its plan that was made at run time.

mod bits;
mod check;
mod comparison;
mod generated;
#[cfg(feature = "plan")]
mod race;

pub use bits::SameBits;
pub use check::Check;
pub use comparison::Comparison;
pub use generated::generated;
#[cfg(feature = "plan")]
pub use race::Race;
#[cfg(feature = "plan")]
pub use superstep_timing::timed;
