//! Height of the tallest tree that is worth computing on one processor while another waits.
//!
//! A result of another processor arrives a delay of tau after it was computed. A processor that has
//! nothing else to do may compute tau tasks itself meanwhile. So all algorithms for trees cut them
//! where a subtree becomes too large for that.

/// Returns U, the levels of the tallest complete binary tree whose root has at most `tau`
/// descendants: floor(log2(tau + 2)).
pub(super) fn levels_within(tau: u64) -> u32 {
    (tau.saturating_add(2)).ilog2()
}
