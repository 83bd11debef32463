//! Plans of a farm: which worker gets which independent items when, and how long all will take.
//!
//! Everything here is numbers in, numbers out: no thread, no data, no clock. Times are in seconds, unless a caller uses another unit for all of
//! them; work is in units of which a worker does `speed` a second. The runtime plans with it, and so does the command line.

mod error;
mod grid;
mod master_slave;
mod prediction;
mod samples;
mod sampling;
mod shape;
mod stop;

pub use error::Invalid;
pub use grid::{Axis, Grid};
pub use master_slave::{Assignment, Dealt, LogGp, MasterSlave, Start};
pub use prediction::{Interval, Prediction};
pub use samples::{Samples, SamplesError};
pub use sampling::Sampling;
pub use stop::{Sampled, Target};
