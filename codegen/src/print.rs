//! From checked programs to files: the generated Rust of one kernel, and the tables that it includes.
mod functions;
mod rust;

pub use rust::{File, Instance, Options, print};
