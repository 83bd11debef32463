// Written by superstep-gallery-generator; do not edit.
//! The kernels, family by family.

#[rustfmt::skip]
pub mod nests;
#[rustfmt::skip]
pub mod control;
#[rustfmt::skip]
pub mod sparse;
#[rustfmt::skip]
pub mod locals;
#[rustfmt::skip]
pub mod types;
#[rustfmt::skip]
pub mod large;
#[rustfmt::skip]
pub mod overflow;
pub mod pair;
