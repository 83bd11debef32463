//! Processors run numbered steps, and before a step wait until others have ended so many of theirs:
//! that is all that programs of a build and plans of a run have wholly in common.
//!
//! * [`Rows`]: rows of items, one after the other in flat arrays.
//! * [`Order`]: the steps of each processor, and their [waits](Wait); [`Ordered`]: with who listens
//!   to their ends.
//! * [`Clocks`]: which ends each processor knows of, so that no wait is made that another implies.
//!
//! Everything is plain data, which nobody has proved: a plan's proof looks at it by itself.

mod clocks;
mod rows;
mod steps;

pub use clocks::Clocks;
pub use rows::Rows;
pub use steps::{Order, Ordered, Wait};
