//! Schedulers that search, and those that copy tasks in place of messages; classics to measure
//! against.
//!
//! Programs over private memory gain from them, and graphs of which no program is made. Programs
//! over shared arrays do not: build scripts compile this crate with the feature `search` of
//! superstep alone.
//!
//! ```
//! use superstep_graphs::generate;
//! use superstep_machine::Machine;
//! use superstep_schedule::{CheckedSchedule, Costs};
//! use superstep_scheduler::{Algorithm, Setting};
//! use superstep_search::ALL;
//!
//! let graph = generate::lu(32)?;
//! let machine = Machine { tau: Some(120.0), ..Machine::new(2) };
//! let schedule = Algorithm::named("bcsh", ALL)?.schedule(&graph, &machine, Setting::default())?;
//! let schedule = CheckedSchedule::new(&graph, schedule)?;
//! assert!(Costs::of(&schedule, &machine).supersteps < 62); // as many as there are levels
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ALL`] is the list, with the algorithms of `superstep-scheduler`:
//!
//! | module | algorithms |
//! |---|---|
//! | [`bcsh`], [`cuts`] | layers of levels with copies |
//! | the crate's root | [`Portfolio`]: the best of many, and annealing from there |
//! | [`tree`] | complete binary trees under a delay, by a thesis |
//! | [`rivals`] | classic algorithms that ours are measured against |
//!
//! Everything is deterministic: the same graph and machine give the same schedule, byte for byte.
pub mod bcsh;
pub mod cuts;
pub mod rivals;
pub mod tree;

mod group_sets;
mod index;
mod list;
mod lists;
mod merged;
mod portfolio;
mod search;
mod sets;
mod stamps;
mod tunables;

pub use bcsh::Bcsh;
pub use cuts::Cuts;
pub use list::ALL;
pub use portfolio::Portfolio;
pub use tree::TreeAlgorithm;
