// Written by superstep-gallery-generator; do not edit.
//! Every kernel of the gallery against its generated programs.

#[rustfmt::skip]
mod loops;
#[rustfmt::skip]
mod nests;
#[rustfmt::skip]
mod deep_nests;
#[rustfmt::skip]
mod branches;
#[rustfmt::skip]
mod ranges;
#[rustfmt::skip]
mod sparse;
#[rustfmt::skip]
mod locals;
#[rustfmt::skip]
mod types;
#[rustfmt::skip]
mod large;
#[rustfmt::skip]
mod overflow;
#[rustfmt::skip]
mod blocks;
#[rustfmt::skip]
mod library;
