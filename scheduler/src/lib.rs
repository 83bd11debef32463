//! Bulk-synchronous schedules of task graphs.
//!
//! A [`Scheduler`] takes a [`Dag`](superstep_dag::Dag) and a [`Machine`](superstep_machine::Machine) and gives a
//! [`Schedule`]: supersteps of one list of tasks per processor. Inside a superstep processors compute without talking to each other; at
//! its end they exchange values. A task may stand in several lists: computing a value twice is often cheaper than sending it.
//!
//! ```
//! use superstep_dag_builder::generate;
//! use superstep_machine::Machine;
//! use superstep_schedule::{CheckedSchedule, Costs};
//! use superstep_scheduler::{Levels, Scheduler};
//!
//! let graph = generate::lu(32)?;
//! let machine = Machine { tau: Some(120.0), ..Machine::new(2) };
//! let schedule = Levels.schedule(&graph, &machine)?;       // any algorithm
//! let schedule = CheckedSchedule::new(&graph, schedule)?;  // proved valid, by code that no algorithm shares
//! let costs = Costs::of(&schedule, &machine);
//! assert_eq!((costs.supersteps, costs.processors_used), (62, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it answers |
//! |---|---|
//! | [`Serial`], [`Levels`], [`Bcsh`], [`Cuts`], [`Owners`], [`Pipeline`], [`GrowLocal`], [`BspGreedy`] | which processor runs what, in which superstep |
//! | [`tree`] | the same for reductions: complete binary trees under a delay |
//! | [`rivals`] | the same by classic algorithms that ours are measured against |
//! | [`Portfolio`] | the best of them, improved by local search on the BSP cost |
//!
//! Everything is deterministic: the same graph and machine give the same schedule, byte for byte.
pub mod bcsh;
pub mod cuts;
pub mod rivals;
pub mod tree;

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

pub use bcsh::Bcsh;
pub use bsp_greedy::BspGreedy;
pub use cuts::Cuts;
pub use grow_local::GrowLocal;
pub use levels::Levels;
pub use order::Order;
pub use owners::Owners;
pub use pipeline::Pipeline;
pub use portfolio::{Effort, Portfolio};
pub use scheduler::{ScheduleError, Scheduler};
pub use serial::Serial;
pub use tree::TreeAlgorithm;
