//! Sums that all tree algorithms share.

#[cfg(feature = "classics")]
/// U: levels of the tallest complete binary tree whose root has at most `tau` descendants, floor(log2(tau + 2)).
pub(super) fn levels_within(tau: u64) -> u32 {
    (tau.saturating_add(2)).ilog2()
}

/// Tasks of a complete binary tree of `height` levels, which is also its makespan on one processor.
pub(super) fn sequential(height: u32) -> u64 {
    (1 << height) - 1
}
