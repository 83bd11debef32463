//! Plans of a farm: which worker gets which independent items when, and how long all will take.
//!
//! Everything here is numbers in, numbers out: no thread, no data, no clock. Times are in seconds,
//! unless a caller uses another unit for all of them. Work is in units of which a worker does
//! `speed` a second. The runtime plans with it, and so does the command line.

mod choice;
mod deal;
mod dispatch;
mod error;
mod grid;
mod items;
mod last_round;
mod master_slave;
mod platform;
mod policy;
mod prediction;
mod rounds;
#[cfg(feature = "samples")]
mod samples;
mod sampling;
mod search;
mod shape;
mod simulator;
mod stop;
mod sums;

pub use choice::{Candidate, Choice, candidates, choose};
pub use deal::{Chunk, Deal, Dealer, Pulled, Weighted};
pub use dispatch::Clock;
pub use error::Invalid;
pub use grid::{Axis, Grid};
pub use items::Items;
pub use last_round::{corrected, equalised};
pub use master_slave::{Assignment, Dealt, LogGp, MasterSlave, Start};
pub use platform::Platform;
pub use policy::{Key, Policy, Technique};
pub use prediction::{Interval, Prediction};
pub use rounds::{Group, Groups};
#[cfg(feature = "samples")]
pub use samples::{Samples, SamplesError};
pub use sampling::Sampling;
pub use search::{Algorithm, Rounds, best_count, rounds, search, search_all_workers};
pub use simulator::{Outcome, simulate};
pub use stop::{Sampled, Target};
pub use sums::Sums;
