//! The fixed order of a reduction: a tree over the operands that depends on their number alone.
//!
//! Neighbours form aligned chains of [`CHAIN`] operands (of fewer in short lists, where every processor counts), combined from left to right; the
//! chains are combined by a complete binary tree. Where the tree lacks its right side, the left passes through.
//!
//! So the order of the operands stays, only their association is chosen: associative operations are enough. Chains are short, so that a
//! processor goes through its operands from first to last, as caches like it, and still works on several chains at once.
//!
//! [Blocks](block_length) are what processors get: subtrees of that tree, of which each processor has whole ones.

/// The longest chain.
pub const CHAIN: usize = 16;

/// The longest block.
const LONGEST: usize = 1024;

/// Blocks that a reduction should at least have, so that there is something to distribute.
const FEWEST_BLOCKS: usize = 16;

/// Operands in each block of a reduction of that many: a power of two up to 1024, of which there are at least 16 if possible.
///
/// ```
/// use superstep_reduction::blocks::block_length;
///
/// assert_eq!([0, 10, 64, 1000, 4096, 1_000_000].map(block_length), [1, 1, 4, 32, 256, 1024]);
/// ```
pub fn block_length(operands: usize) -> usize {
    let longest = (operands / FEWEST_BLOCKS).clamp(1, LONGEST);
    1 << longest.ilog2()
}

/// Operands in each chain of a reduction of that many: a power of two, 16 from 256 operands on.
///
/// ```
/// use superstep_reduction::blocks::chain_length;
///
/// assert_eq!([0, 31, 32, 255, 256, 1_000_000].map(chain_length), [1, 1, 2, 8, 16, 16]);
/// ```
pub fn chain_length(operands: usize) -> usize {
    block_length(operands).min(CHAIN)
}
