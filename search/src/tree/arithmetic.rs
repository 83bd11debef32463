//! Height of the tree that one processor computes alone.

/// Returns U, the levels of the tallest complete binary tree whose root has at most `tau`
/// descendants: floor(log2(tau + 2)).
pub(super) fn levels_within(tau: u64) -> u32 {
    (tau.saturating_add(2)).ilog2()
}
