// Written by superstep-gallery-generator; do not edit.
//! Every kernel of the gallery against its generated programs.

#[rustfmt::skip]
mod nests;
#[rustfmt::skip]
mod control;
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
