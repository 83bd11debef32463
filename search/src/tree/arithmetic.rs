//! Height of the tallest tree whose root a processor starts before anything arrives from another.
//!
//! A result of another processor arrives a delay of tau after it was computed. A processor that has
//! nothing else to do may compute tau tasks itself meanwhile. So [`Py`](super::Py) cuts trees at
//! this height, and [`Alg1`](super::Alg1) leaves those up to it on one processor. The
//! [bound e](super::bounds::e) counts a delay for each cut.

/// Returns U, the levels of the tallest complete binary tree whose root has at most `tau`
/// descendants: floor(log2(tau + 2)).
pub(super) fn levels_within(tau: u64) -> u32 {
    (tau.saturating_add(2)).ilog2()
}
