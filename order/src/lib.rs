//! Orders of numbered steps that processors run: before a step they wait until others have ended so
//! many of theirs. That is all that programs of a build and plans of a run have wholly in common.
//!
//! * [`Rows`]: rows of items, one after the other in flat arrays.
//! * [`Order`]: the steps of each processor, and their [waits](Wait); [`Ordered`]: with who listens
//!   to their ends.
//! * [`Timeline`]: how long each step waits, copies and works; [`Recording`]: that of one run, as a
//!   file.
//! * [`Clocks`]: which ends each processor knows of, so that no wait is made that another implies.
//!
//! Everything is plain data, which nobody has proved: a plan's proof looks at it by itself.

mod clocks;
mod recording;
mod rows;
mod steps;
mod timeline;

pub use clocks::Clocks;
pub use recording::{CallForm, Recording, RecordingError, number, take};
pub use rows::Rows;
pub use steps::{Order, Ordered, Wait};
pub use timeline::{Chain, Timeline, Times};
