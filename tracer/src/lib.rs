//! Records one run of a kernel's control: which assignment reads what which other assignment wrote.
mod statement;

pub use statement::{Array, Kernel, Role, Statement};
