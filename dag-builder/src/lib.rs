//! Task graphs: from traces, from edges, from files.
//!
//! A [`TaskGraph`] says which task reads the value of which other task, and no more: two arrays of edges, one each way, of `u32`. It comes from a trace
//! of a kernel ([`TaskGraph::from_trace`]), from a list of edges ([`TaskGraph::from_edges`]) or from a file ([`read`]), and goes to the
//! schedulers:
//!
//! ```
//! use superstep_dag_builder::{Statistics, generate, levels};
//!
//! let graph = generate::lu(32)?;
//! assert_eq!(graph.tasks(), 10_912);
//! assert_eq!(levels(&graph)[0], 62); // the first division begins a longest path
//! println!("{}", Statistics::of(&graph));
//! # Ok::<(), superstep_tracer::TraceError>(())
//! ```
//!
//! | for | see |
//! |---|---|
//! | levels, depths | [`levels`], [`depths`] |
//! | work per task, critical path | [`TaskGraph::with_weights`], [`critical_path`], [`earliest_finishes`], [`latest_finishes`] |
//! | merging the tasks of a grain, temporaries into their readers | [`contract`](mod@contract) |
//! | making groups of many tasks | [`intervals`], [`Contraction::of_intervals`], [`tiles`](tiles()) |
//! | a graph in a few numbers | [`Statistics`] |
//! | `.hdag`, `.dot`, `.mtx` | [`formats`] |
//! | the graphs of Fujimoto's thesis | [`generate`] |
//! | petgraph's algorithms | they take `&TaskGraph` |
//!
//! Everything here is linear, or nearly so, in tasks and edges, and allocates per array, never per task.
mod coarsen;
pub mod contract;
mod edges;
mod error;
pub mod formats;
mod from_trace;
pub mod generate;
mod graph;
mod homes;
mod levels;
pub mod petgraph;
mod quotient;
mod renumbering;
mod statistics;
mod tiles;
mod weights;

pub use coarsen::intervals;
pub use contract::Contraction;
pub use error::GraphError;
pub use formats::{FormatError, read, write};
pub use graph::{TaskGraph, Topological};
pub use homes::Homes;
pub use levels::{depths, levels};
pub use statistics::Statistics;
pub use tiles::tiles;
pub use weights::{critical_path, earliest_finishes, latest_finishes};
