//! Fixed order of a reduction: a tree over the operands that depends on their number alone.
//!
//! It is the complete binary tree: neighbours are combined, then neighbouring pairs, and so on.
//! Where the tree lacks its right side, the left passes through. So the order of the operands
//! stays, only their association is chosen: associative operations are enough. And the error of a
//! floating-point sum grows with the logarithm of the number of operands only.
//!
//! [Blocks](block_length) are what processors get: subtrees of that tree, of which each processor
//! has whole ones.

/// Operands of the longest block.
const LONGEST: usize = 1024;

/// Blocks that a reduction should at least have, so that there is something to distribute.
const FEWEST_BLOCKS: usize = 16;

/// Returns the operands in each block of a reduction of that many. It is a power of two up to 1024,
/// of which there are at least 16 if possible.
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
