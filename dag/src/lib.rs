//! Directed acyclic graphs in compressed rows: what a schedule is made from.
//!
//! A [`Dag`] says which task reads the value of which other task, and no more: two arrays of edges,
//! one each way, of `u32`. Its tasks may be assignments of a kernel, or groups of them (a
//! [`Contraction`]): schedulers see no difference. It knows neither kernels nor files; the crate
//! `superstep-dag-builder` makes graphs from these.
//!
//! ```
//! use superstep_dag::{Dag, earliest_finishes, levels};
//!
//! let diamond = Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])?;
//! assert_eq!(levels(&diamond), [3, 2, 2, 1]);
//! assert_eq!(earliest_finishes(&diamond), [1, 2, 2, 3]);
//! # Ok::<(), superstep_dag::GraphError>(())
//! ```
//!
//! | for | see |
//! |---|---|
//! | edges, work and words of tasks | [`Dag`] |
//! | levels, depths | [`levels`], [`depths`] |
//! | the heaviest paths | [`earliest_finishes`], [`latest_finishes`] |
//! | the word that each task writes | [`Homes`] |
//! | some tasks as a graph | [`Dag::part`] |
//! | groups of tasks as tasks | [`Contraction`] |
//! | groups of many tasks | [`intervals`], [`tiles`](tiles()) |
//! | petgraph's algorithms | they take `&Dag` |
//!
//! Everything here is linear, or nearly so, in tasks and edges, and allocates per array, never per
//! task.
mod contraction;
mod edges;
mod error;
mod graph;
mod homes;
mod intervals;
mod levels;
mod part;
pub mod petgraph;
mod renumbering;
mod tiles;
mod weights;

pub use contraction::Contraction;
pub use error::GraphError;
pub use graph::Dag;
pub use homes::Homes;
pub use intervals::intervals;
pub use levels::{depths, levels};
pub use superstep_lists::Topological;
pub use superstep_order::Rows;
pub use tiles::tiles;
pub use weights::{earliest_finishes, latest_finishes};
