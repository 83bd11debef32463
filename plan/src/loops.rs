//! How generated loops go through a run: quantities that the runtime keeps to and predictions count with.

/// Most words that are brought together at a time: of numbers, what the operands of a loop have of them stays in a core's first cache.
pub const PIECE: usize = 64;

/// Fewer widest vectors than these are not worth aligning.
pub const FEW: usize = 8;
