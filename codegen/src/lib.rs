//! Prints checked programs: the generated Rust of one kernel, and the tables that it includes.
mod file;
mod functions;
mod nests;

pub use file::{File, Instance, Options, print};
