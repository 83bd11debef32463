//! Algorithms that schedule task graphs.
//!
//! A [`Scheduler`] takes a [`Dag`](superstep_dag::Dag) and a [`Machine`](superstep_machine::Machine) and gives a
//! [`Schedule`](superstep_schedule::Schedule): supersteps of one list of tasks per processor.
//!
//! ```
//! use superstep_dag_builder::generate;
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
//! [`Algorithm`] is the list of all. Each is a module of its own, whose page tells how it works:
//!
//! | module | algorithms |
//! |---|---|
//! | the crate's root | [`Serial`], [`Levels`], [`Owners`], [`Pipeline`], [`GrowLocal`], [`BspGreedy`], [`Portfolio`] |
//! | [`bcsh`], [`cuts`] | layers of levels with copies |
//! | [`hierarchy`] | any of them, level by level, on machines with levels |
//! | [`tree`] | reductions: complete binary trees under a delay, and trees of any shape |
//! | `rivals` | classic algorithms that ours are measured against (feature `classics`) |
//!
//! Everything is deterministic: the same graph and machine give the same schedule, byte for byte.
pub mod bcsh;
pub mod cuts;
pub mod hierarchy;
#[cfg(feature = "classics")]
pub mod rivals;
pub mod tree;

mod algorithm;
mod bsp_greedy;
mod by_level;
mod grow_local;
mod index;
mod levels;
mod matrices;
mod order;
mod owners;
mod pipeline;
mod portfolio;
mod scheduler;
mod search;
mod serial;

pub use algorithm::{Algorithm, Needs, Setting, UnknownAlgorithm, Wins};
pub use bcsh::Bcsh;
pub use bsp_greedy::BspGreedy;
pub use cuts::Cuts;
pub use grow_local::GrowLocal;
pub use levels::Levels;
pub use order::Order;
pub use owners::Owners;
pub use pipeline::Pipeline;
pub use portfolio::{Effort, Portfolio, UnknownEffort};
pub use scheduler::{ScheduleError, Scheduler};
pub use serial::Serial;
pub use tree::TreeAlgorithm;
