//! Why a plan cannot be used.

use thiserror::Error;

/// A plan cannot be used, for example because the file that holds it was cut off.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// The bytes do not encode a plan.
    #[error("the generated tables cannot be read: {0}")]
    Decode(#[from] DecodeError),
    /// The tables, or the control arguments that they are for, are not those with which the code
    /// was generated.
    #[error(
        "the generated tables are not those of the generated code: `cargo clean -p` the package, and build it anew"
    )]
    Changed,
    /// The tables contradict each other.
    #[error("the generated tables contradict each other: {0}")]
    Malformed(&'static str),
}

/// Why bytes are no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The first bytes are not those of a plan of this version.
    #[error("not a plan, or one of another version of superstep")]
    Magic,
    /// The bytes end early, or go on after the plan.
    #[error("the plan is cut off or followed by other bytes")]
    Length,
    /// A number is out of the range that its place allows.
    #[error("the plan is inconsistent: {0}")]
    Inconsistent(&'static str),
}
