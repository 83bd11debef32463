//! A gallery of kernels: every part of the kernel language, in every combination that the generator
//! came upon.
//!
//! Nothing here is meant to be used. The crate is a test. Every kernel is compiled through
//! `#[kernel]` on both sides, and its generated programs are compared with the original, bit for
//! bit. `superstep-gallery-generator` writes the [`kernels`].

mod draw;
pub mod kernels;
pub mod structure;
pub mod verify;

pub use draw::{Draw, Word};
