//! Kernels with one trouble each, as build scripts see them: what is told of them is tested here,
//! and measured by the bench.

pub mod kernels;
