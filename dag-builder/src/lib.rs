//! Task graphs of kernels: from a trace to what schedulers take.
//!
//! A [`Dag`](superstep_dag::Dag) says which task reads the value of which other task, and no more.
//!
//! ```
//! use superstep_dag_builder::from_trace;
//! use superstep_tracer::{Kernel, Recorder, Role, record};
//!
//! let mut kernel = Kernel::new("sums");
//! let x = kernel.add_array("x", Role::InOut, None);
//! let add = kernel.add_statement("x[i] += x[i - 1]", x, &[x, x]);
//! let trace = record(kernel, 100, |recorder: &mut Recorder| {
//!     (1..4).for_each(|i| recorder.push(add, i, &[i, i - 1]));
//! })?;
//! let graph = from_trace(&trace);
//! assert_eq!(graph.edge_list().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
//! # Ok::<(), superstep_tracer::TraceError>(())
//! ```
//!
//! | for | see |
//! |---|---|
//! | the graph of a trace | [`from_trace`], [`from_weighted_trace`] |
//! | the word that each task writes | [`homes()`] |
//! | merging the tasks of a grain, temporaries into their readers | [`contract`](mod@contract) |
//!
//! Everything here is linear, or nearly so, in tasks and edges, and allocates per array, never per
//! task.
pub mod contract;
mod from_trace;
mod homes;

pub use contract::contract;
pub use from_trace::{from_trace, from_weighted_trace};
pub use homes::homes;
