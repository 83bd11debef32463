//! From checked programs to files: the generated Rust of one kernel, and the tables that it includes.
mod functions;
pub(crate) mod nests;
mod rust;

pub use rust::{File, Instance, Options, print};
