//! Costs of a parallel machine.
//!
//! A [`Machine`] is what schedulers and cost models need to know of a computer. It has the number
//! of processors, the cost of a word and that of a superstep boundary. It is a plain description,
//! read from and written to a small TOML file:
//!
//! ```
//! use std::path::Path;
//! use superstep_machine::Machine;
//!
//! let machine = Machine::from_toml("processors = 8\nlatency = 500", Path::new("machine.toml"))?;
//! assert_eq!((machine.gap, machine.tau()), (1.0, 500.0));
//!
//! let error = Machine::from_toml("processors = 8\nlatency = -1", Path::new("machine.toml")).unwrap_err();
//! assert_eq!(error.to_string(), "machine.toml:2: `latency` must be a finite number, at least 0, not -1");
//! # Ok::<(), superstep_machine::MachineFileError>(())
//! ```
//!
//! Costs in a [`Machine`] are in tasks, as schedulers count. [`Times`] are nanoseconds, as
//! measured, and give the machine for tasks of a kernel. A [`Core`] is what they were measured on:
//! its caches, registers and vectors. [`RankTimes`] are those of messages between ranks.
mod core;
pub mod file;
mod level;
mod machine;
mod memory;
mod ranks;
mod times;

pub use core::Core;
pub use file::MachineFileError;
pub use level::Level;
pub use machine::{InvalidValue, Machine};
pub use memory::Memory;
pub use ranks::RankTimes;
pub use times::Times;
