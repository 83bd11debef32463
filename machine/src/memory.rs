//! Memory: the arrays in which the processors of a program have their data.

/// The memory in which a program's processors compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// All processors use the caller's arrays where they are, wherever no word needs two values at
    /// a time.
    ///
    /// Arrays of which that is not so are kept as in [`Private`](Self::Private) memory.
    #[default]
    Shared,
    /// Each processor has memory of its own: inputs are copied into it, results out of it, and
    /// messages carry all values between.
    Private,
}
