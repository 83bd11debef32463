//! Predicted costs of items, summed up.

use std::ops::Range;

/// Costs of the items of a farm, in any unit: the sums of those before each item.
pub(super) enum Costs {
    /// Equal costs of so many items.
    Equal(usize),
    /// Sums before each item, and of all: one more than items.
    Sums(Box<[f64]>),
}

impl Costs {
    pub(super) fn items(&self) -> usize {
        match self {
            Self::Equal(items) => *items,
            Self::Sums(sums) => sums.len() - 1,
        }
    }

    pub(super) fn of(&self, range: &Range<u32>) -> f64 {
        match self {
            Self::Equal(_) => range.len() as f64,
            Self::Sums(sums) => sums[range.end as usize] - sums[range.start as usize],
        }
    }

    pub(super) fn total(&self) -> f64 {
        self.of(&(0..self.items() as u32))
    }
}
