//! Algorithms that schedule task graphs.
//!
//! A [`Scheduler`] takes a [`Dag`](superstep_dag::Dag) and a
//! [`Machine`](superstep_machine::Machine) and gives a [`Schedule`](superstep_schedule::Schedule):
//! supersteps of one list of tasks per processor.
//!
//! ```
//! use superstep_graphs::generate;
//! use superstep_machine::Machine;
//! use superstep_schedule::{CheckedSchedule, Costs};
//! use superstep_scheduler::{Algorithm, Setting};
//!
//! let graph = generate::lu(32)?;
//! let machine = Machine { tau: Some(120.0), ..Machine::new(2) };
//! let schedule = Algorithm::Levels.schedule(&graph, &machine, Setting::default())?;
//! let schedule = CheckedSchedule::new(&graph, schedule)?; // proved valid, by code that no algorithm shares
//! let costs = Costs::of(&schedule, &machine);
//! assert_eq!((costs.supersteps, costs.processors_used), (62, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ALL`] is the list, each a module of its own, whose page tells how it works:
//!
//! | module | algorithms |
//! |---|---|
//! | the crate's root | [`Serial`], [`Levels`], [`Owners`], [`Pipeline`], [`GrowLocal`], [`BspGreedy`] |
//! | [`hierarchy`] | any of them, level by level, on machines with levels |
//! | [`tree`] | reductions: complete binary trees under a delay, and trees of any shape |
//!
//! These are what programs over shared arrays gain from. The crate `superstep-search` has more, of
//! which some are made of parts of these: [`Ranks`], and those of pipelines in `superstep-lists`.
//!
//! [`priced`] tells what a schedule costs; [`in_parallel`] tries candidates side by side.
//!
//! Everything is deterministic: the same graph and machine give the same schedule, byte for byte.
pub mod hierarchy;
pub mod tree;

mod algorithm;
mod bsp_greedy;
mod effort;
mod grow_local;
mod levels;
mod matrices;
mod order;
mod owners;
mod parallel;
mod pipeline;
mod scheduler;
mod serial;

pub use algorithm::{ALL, Algorithm, Machines, Needs, Row, Setting, UnknownAlgorithm, Wins};
pub use bsp_greedy::BspGreedy;
pub use effort::{Effort, UnknownEffort};
pub use grow_local::GrowLocal;
pub use levels::Levels;
pub use order::{Order, Ranks};
pub use owners::Owners;
pub use parallel::in_parallel;
pub use pipeline::Pipeline;
pub use scheduler::{ScheduleError, Scheduler, priced, serves};
pub use serial::Serial;
