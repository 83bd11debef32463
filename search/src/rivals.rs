//! Classic schedulers that ours are measured against.
//!
//! * [`Etf`] and [`Dsh`] know neither supersteps nor the cost of a word beside its delay. They
//!   place tasks in time, with a delay of `latency + gap x words` between processors
//!   (`timeline.rs`). The supersteps are found afterwards: as few as their order of tasks allows.
//! * [`HillClimb`] and [`CopyInsertion`] improve a greedy schedule on its true BSP cost
//!   (`improvement.rs`).

mod dsh;
mod etf;
mod improvement;
mod timeline;

pub use dsh::Dsh;
pub use etf::Etf;
pub use improvement::{CopyInsertion, HillClimb};
