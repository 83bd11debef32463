//! Errors of plan files.

use crate::ProofError;

/// Reasons for which bytes are no plan for a kernel and its control arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The first bytes are not those of a plan file.
    #[error("not a plan file")]
    NotAPlan,
    /// A plan file of another version of superstep.
    #[error("a plan file of version {found}, where {known} is known: build the plan anew")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version that can be read.
        known: u32,
    },
    /// The file ends early.
    #[error("the plan file is cut off: {found} bytes{}", of(length))]
    Truncated {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have, if its head says so.
        length: Option<u64>,
    },
    /// The bytes contradict each other.
    #[error("the plan file is damaged: {what}")]
    Damaged {
        /// The part that is wrong.
        what: &'static str,
    },
    /// The plan could not be that of any kernel.
    #[error("the plan file is damaged: {0}")]
    Plan(#[source] ProofError),
    /// A plan of another kernel.
    #[error("the plan is of the kernel `{found}`, not of `{kernel}`")]
    Kernel {
        /// Kernel of the file.
        found: String,
        /// Kernel that is to run.
        kernel: String,
    },
    /// The kernel's text has been changed.
    #[error("the kernel `{kernel}` has been changed since the plan was saved")]
    Text {
        /// The kernel.
        kernel: String,
    },
    /// A control argument that is a number or a flag has another value.
    #[error("`{argument}` was {found} when the plan was saved, and is {given}")]
    Scalar {
        /// Name of the argument.
        argument: String,
        /// Value in the file.
        found: String,
        /// Value that is given.
        given: String,
    },
    /// A structure argument has another length.
    #[error("`{argument}` had {found} elements when the plan was saved, and has {given}")]
    Length {
        /// Name of the argument.
        argument: String,
        /// Elements in the file.
        found: u64,
        /// Elements that are given.
        given: u64,
    },
    /// A structure argument has other elements: another pattern.
    #[error("`{argument}` has other elements than when the plan was saved")]
    Pattern {
        /// Name of the argument.
        argument: String,
    },
}

fn of(length: &Option<u64>) -> String {
    length.map_or_else(String::new, |length| format!(" of {length}"))
}
