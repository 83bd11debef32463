//! Errors of comparisons.

use std::path::PathBuf;

use superstep_scheduler::ScheduleError;

use crate::failure::Failure;

/// Errors of comparisons.
#[derive(Debug, thiserror::Error)]
pub(super) enum CompareError {
    /// No algorithm made a schedule.
    #[error("no algorithm serves {}: {reason}", graph.display())]
    NoneServes {
        /// The graph's file.
        graph: PathBuf,
        /// Reason for which one of them does not.
        reason: ScheduleError,
    },
    /// The filters left nothing.
    #[error("no program fits; without filters, `cargo superstep compare` shows them all")]
    NoMatch,
    /// The filters left no program of a recorded run's kernel.
    #[error(
        "{}: no program of `{kernel}` fits -P and --control, or this crate has no such kernel",
        path.display()
    )]
    NoProgram {
        /// File of the run.
        path: PathBuf,
        /// Kernel of which it was recorded.
        kernel: String,
    },
    /// One recorded run or plan alone.
    #[error(
        "`{0}` is no kernel: give two recorded runs or two plans to compare them, or see one by \
         `cargo superstep report`, with --timeline or --plan"
    )]
    OneFile(String),
    /// Two files of different kinds.
    #[error(
        "{0} and {1} are of different kinds: give two plans, two recorded runs of plans or farms, \
         or two of programs"
    )]
    Kinds(&'static str, &'static str),
    /// The chart of a plan, or of a recorded run, would be out of proportion to its file.
    #[error(
        "{}: most processors have no chunk in most supersteps, and so they are not compared",
        _0.display()
    )]
    Proportion(PathBuf),
    /// A page of more or fewer than two programs was asked for.
    #[error(
        "a page shows two programs of one choice of control arguments; programs that fit: {0}; choose two by kernel, --control and -P"
    )]
    NotTwo(usize),
    /// An option that says nothing of what is compared.
    #[error("{0} is only for {1}")]
    Idle(&'static str, &'static str),
    /// The two are of different instances.
    #[error(
        "the two are of different instances, whose tasks are not the same: {0} and {1}; give two of one"
    )]
    Instances(String, String),
}

impl CompareError {
    /// Makes the failure of an option that says nothing of what is compared: it is only for
    /// something else.
    pub(super) fn idle(option: &'static str, of: &'static str) -> Failure {
        Failure::from(Self::Idle(option, of)).with_exit_code(2)
    }
}
