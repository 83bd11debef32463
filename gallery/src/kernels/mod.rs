// Written by superstep-gallery-generator; do not edit.
//! The kernels, family by family.

#[rustfmt::skip]
pub mod loops;
#[rustfmt::skip]
pub mod nests;
#[rustfmt::skip]
pub mod deep_nests;
#[rustfmt::skip]
pub mod branches;
#[rustfmt::skip]
pub mod ranges;
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
#[rustfmt::skip]
pub mod blocks;
#[rustfmt::skip]
pub mod library;
pub mod pair;
