//! Task graphs from traces and from files.
mod edges;
mod error;
pub mod formats;
mod from_trace;
pub mod generate;
mod graph;
mod levels;

pub use error::GraphError;
pub use graph::{TaskGraph, Topological};
pub use levels::{depths, levels};
