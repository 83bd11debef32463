//! Kernels by field of application: the crate and its build script both compile these files.

pub mod banded;
pub mod coding;
pub mod dense;
pub mod dynamic;
pub mod estimation;
pub mod geometry;
pub mod graphs;
pub mod grids;
pub mod hashing;
pub mod image;
pub mod learning;
pub mod signal;
pub mod simulation;
pub mod sparse;
pub mod transforms;
