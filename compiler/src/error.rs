//! Why there is no program.

use superstep_schedule::CheckError;
use superstep_scheduler::ScheduleError;

use crate::place::placement::PlacementError;
use crate::replay::error::ReplayError;

/// Why a program could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The scheduler gave up.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A program over private memory is asked for, and no algorithm copies tasks.
    #[error(
        "a program for {processors} processors over private memory takes algorithms that copy tasks: in a build script \
         the feature `search` of superstep has them"
    )]
    PrivateMemory {
        /// Number of processors.
        processors: usize,
    },
    /// A scheduler gave an invalid schedule: a defect of superstep.
    #[error(
        "{processors} processors: the schedule is invalid, which is a defect of superstep; please report it: {source}"
    )]
    Check {
        /// Number of processors.
        processors: usize,
        /// The rule that it breaks.
        source: CheckError,
    },
    /// The schedule is not one of the trace.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The program does not compute what the trace says: a defect of superstep.
    #[error("the generated program failed its check, please report this: {0}")]
    Replay(#[from] ReplayError),
}

impl CompileError {
    /// Makes the error of a schedule for so many processors that breaks a rule.
    pub(crate) fn of_check(processors: usize) -> impl Fn(CheckError) -> Self {
        move |source| Self::Check { processors, source }
    }
}
