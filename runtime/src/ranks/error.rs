//! Errors of runs over ranks, and reasons for which a rank refuses a program.

use std::time::Duration;

use thiserror::Error;

use crate::error::RunError;

/// Error of a run or a sum over ranks. The contents of `&mut` arguments are then unspecified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RankError {
    /// A call of the engine failed.
    #[error("{call} failed: {message} (code {code})")]
    Engine {
        /// Name of the call.
        call: &'static str,
        /// Code that it returned.
        code: i32,
        /// Text of the engine for the code.
        message: String,
    },
    /// A message did not come, or was not taken, before the deadline.
    #[error("rank {rank} has been silent for {} s", .waited.as_secs_f64())]
    Silent {
        /// Rank that was waited for.
        rank: usize,
        /// Time that was waited.
        waited: Duration,
    },
    /// Another rank has ended, and sends no more.
    #[error("rank {rank} has ended, and a message of it is missing")]
    Ended {
        /// Rank that was waited for.
        rank: usize,
    },
    /// Another rank has failed, and says why itself.
    #[error("rank {rank} has failed: {message}")]
    Aborted {
        /// Rank that failed.
        rank: usize,
        /// Its error.
        message: String,
    },
    /// A message has another form than the receiver expects.
    #[error("a message of rank {from} has another form than its receiver expects")]
    Malformed {
        /// Sender.
        from: usize,
    },
    /// A rank cannot run the program, so none does. All ranks have this error.
    #[error("nothing has run, as of rank {rank}: {message}")]
    Refused {
        /// First rank that refused.
        rank: usize,
        /// Its reason.
        message: String,
    },
    /// The run failed in the midst of a program.
    #[error("{kernel}: rank {rank}, superstep {superstep}: {source}")]
    Within {
        /// Name of the kernel.
        kernel: &'static str,
        /// Rank that says so.
        rank: usize,
        /// Superstep that it was in.
        superstep: usize,
        /// Reason.
        source: Box<RankError>,
    },
    /// The tasks of this rank panicked.
    #[error(transparent)]
    Panicked(#[from] RunError),
    /// Lengths of ranges and of own words contradict each other.
    #[error("rank {rank} owns {owned} words, and gives {given}")]
    Length {
        /// Rank that says so.
        rank: usize,
        /// Words of its range.
        owned: usize,
        /// Words that it gave.
        given: usize,
    },
}

/// Reason for which a rank cannot run a program.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    #[error("{kernel}: no program was built; a plan made at run time is not for ranks")]
    NotBuilt { kernel: &'static str },
    #[error("{kernel}: the program is for {processors} processors, and there are {ranks} ranks")]
    TooFew {
        kernel: &'static str,
        processors: usize,
        ranks: usize,
    },
    #[error("{kernel}: the program shares arrays; ask for one over private memory")]
    Shared { kernel: &'static str },
    #[error("{kernel}: {element} cannot be sent: it is not known as bytes (`bytemuck`)")]
    Element {
        kernel: &'static str,
        element: &'static str,
    },
    #[error("{kernel}: an argument is shorter than the program needs")]
    Short { kernel: &'static str },
    #[error("{kernel}: of each argument whose words are no numbers a rank must give one")]
    Empty { kernel: &'static str },
    #[error("{kernel}: zero bytes are no word of one of its types, and memory begins with them")]
    Blank { kernel: &'static str },
    #[error("{kernel}: {name} is not what it was in the build script")]
    Differs {
        kernel: &'static str,
        name: &'static str,
    },
    #[error("{kernel}: the program is another one than that of rank 0")]
    Another { kernel: &'static str },
    #[cfg(feature = "plan")]
    #[error("{message}")]
    Unplanned { message: String },
    #[cfg(feature = "plan")]
    #[error("{kernel}: a plan for {processors} processors is not for {ranks} ranks")]
    Processors {
        kernel: &'static str,
        processors: usize,
        ranks: usize,
    },
    #[cfg(feature = "plan")]
    #[error("{kernel}: the kernel or its control arguments are others than on rank 0")]
    OtherControl { kernel: &'static str },
    #[cfg(feature = "plan")]
    #[error("{kernel}: the plan is another one than that of rank 0")]
    AnotherPlan { kernel: &'static str },
    #[cfg(feature = "plan")]
    #[error("{kernel}: the part of the plan is that of another rank")]
    Elsewhere { kernel: &'static str },
}
