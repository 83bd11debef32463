//! Task graphs from traces and from files.
mod graph;

pub use graph::TaskGraph;
