//! Bulk-synchronous schedules of task graphs.
mod schedule;
mod scheduler;

pub use schedule::Schedule;
pub use scheduler::{ScheduleError, Scheduler};
