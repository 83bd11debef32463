//! Loops as generated functions go through a run: quantities that the runtime keeps to and
//! predictions count with.

/// Most words that are packed at a time: of numbers, the part that a loop's operands have of them
/// stays in L1.
pub const PIECE: usize = 64;

/// Fewest widest vectors that are worth aligning.
pub const FEW: usize = 8;
