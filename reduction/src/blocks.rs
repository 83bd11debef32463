//! The fixed order of a reduction: a tree over the operands that depends on their number alone.
//!
//! Operands form aligned blocks of [`block_length`] each, the last one maybe shorter. A block is cut into [`CHAINS`] equal parts (one operand
//! each, if it is that short); the operands of a part are combined from left to right, and the parts by a complete binary tree. The blocks are
//! combined by a complete binary tree too. Where a tree lacks its right side, the left side passes through.
//!
//! So the order of the operands stays, only their association is chosen: associative operations are enough. The chains are independent of each
//! other, which keeps a processor's arithmetic units busy.

/// Parts of a block.
pub const CHAINS: usize = 8;

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
