//! Bulk-synchronous schedules of task graphs, whoever made them.
//!
//! A [`Schedule`] is a list of supersteps, each with one list of tasks per processor. Inside a
//! superstep processors compute without talking to each other; at its end they exchange values. A
//! task may stand in several lists: computing a value twice is often cheaper than sending it.
//!
//! ```
//! use superstep_dag::Dag;
//! use superstep_machine::Machine;
//! use superstep_schedule::{CheckedSchedule, Costs, Schedule};
//!
//! let graph = Dag::from_edges(4, &[(0, 2), (1, 2), (2, 3)])?;
//! let schedule = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![2, 3], vec![]]]);
//! let schedule = CheckedSchedule::new(&graph, schedule)?; // proved valid, by code that no scheduler shares
//! let costs = Costs::of(&schedule, &Machine { latency: 10.0, ..Machine::new(2) });
//! assert_eq!((costs.supersteps, costs.processors_used), (2, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it answers |
//! |---|---|
//! | [`check`](mod@check) | is a schedule valid? Only a [`CheckedSchedule`] goes on to a program |
//! | [`communication`](mod@communication) | who sends whom which value after which superstep |
//! | [`cost`] | what that costs, by the thesis and by the BSP model |
//! | [`folded_size()`] | how far will it fold into loops |
//! | [`bounds`] | what no schedule beats |
//! | [`file`](mod@file) | how schedules are kept |
//! | [`PackedSchedule`] | how schedules that wait take little memory |
//! | [`Schedule::expand`], [`Schedule::contract`] | from groups of tasks to tasks, and back |
pub mod bounds;
pub mod check;
pub mod communication;
pub mod cost;
pub mod file;

mod expand;
mod folded_size;
mod packed;
mod schedule;

pub use check::{CheckError, CheckedSchedule, check};
pub use communication::{Communication, Sending, Transfer, communication};
pub use cost::Costs;
pub use file::{ScheduleFileError, ScheduleForm, ScheduleParseError};
pub use folded_size::folded_size;
pub use packed::PackedSchedule;
pub use schedule::Schedule;
