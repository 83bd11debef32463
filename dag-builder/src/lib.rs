//! Task graphs: from traces, from edges, from files.
//!
//! A [`Dag`](superstep_dag::Dag) says which task reads the value of which other task, and no more.
//! It comes from a trace of a kernel ([`from_trace`]) or from a file ([`read`]), and goes to the
//! schedulers:
//!
//! ```
//! use superstep_dag::levels;
//! use superstep_dag_builder::{Statistics, generate};
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
//! | the graph of a trace | [`from_trace`], [`from_weighted_trace`] |
//! | the word that each task writes | [`homes()`] |
//! | merging the tasks of a grain, temporaries into their readers | [`contract`](mod@contract) |
//! | a graph in a few numbers | [`Statistics`] |
//! | `.hdag`, `.dot`, `.mtx` | [`formats`] |
//! | the graphs of Fujimoto's thesis | [`generate`] |
//!
//! Everything here is linear, or nearly so, in tasks and edges, and allocates per array, never per task.
pub mod contract;
pub mod formats;
mod from_trace;
pub mod generate;
mod homes;
mod statistics;

pub use contract::contract;
pub use formats::{FormatError, read, write};
pub use from_trace::{from_trace, from_weighted_trace};
pub use homes::homes;
pub use statistics::Statistics;
