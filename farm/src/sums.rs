//! Sums of what items count, by which chunks are cut.

use crate::{
    Invalid,
    error::{check_each, check_sum, check_times},
};

/// Sums of what items count: before each of them, and of all.
#[derive(Clone, Debug, PartialEq)]
pub enum Sums {
    /// Each of so many items counts one. It takes no memory.
    Each(usize),
    /// One sum more than there are items, in ascending order.
    Listed(Vec<f64>),
}

/// Relative error of a sum at which a chunk is still full: a sum of equal items is not to miss one
/// by rounding.
const SLACK: f64 = 1e-12;

impl Sums {
    /// Sums up what each item counts.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if a value is negative or not finite, or their sum is infinite.
    pub(crate) fn of(name: &'static str, values: &[f64]) -> Result<Self, Invalid> {
        check_times(name, values)?;
        check_sum(name, values)?;
        let mut sums = Vec::with_capacity(values.len() + 1);
        sums.push(0.0);
        for (at, value) in values.iter().enumerate() {
            sums.push(sums[at] + value);
        }
        Ok(Self::Listed(sums))
    }

    /// Returns the number of items.
    pub fn items(&self) -> usize {
        match self {
            Self::Each(items) => *items,
            Self::Listed(sums) => sums.len().saturating_sub(1),
        }
    }

    /// Returns what the items before one count; before the number of all, what all do.
    ///
    /// # Panics
    ///
    /// If there are fewer items.
    pub fn before(&self, item: usize) -> f64 {
        match self {
            Self::Each(_) => item as f64,
            Self::Listed(sums) => sums[item],
        }
    }

    /// Returns what all items count.
    pub fn all(&self) -> f64 {
        self.before(self.items())
    }

    /// Checks that listed sums are finite and ascend.
    pub(crate) fn validate(&self) -> Result<(), Invalid> {
        let Self::Listed(sums) = self else {
            return Ok(());
        };
        let mut before = f64::NEG_INFINITY;
        let range = "finite and not below the one before";
        check_each("sums", sums.iter().copied(), range, |sum| {
            let ascends = sum.is_finite() && sum >= before;
            before = sum;
            ascends
        })
    }

    /// Returns the first boundary whose sum is not below `target`, or one behind the last.
    fn reach(&self, target: f64) -> usize {
        match self {
            Self::Each(items) => (target.ceil().max(0.0) as usize).min(items + 1),
            Self::Listed(sums) => sums.partition_point(|&sum| sum < target),
        }
    }

    /// Returns the end of the shortest chunk from `first` that counts at least `part`, or of all
    /// that is left.
    pub(crate) fn cut(&self, first: usize, part: f64) -> usize {
        let target = self.before(first) + part;
        let target = target - SLACK * target.abs();
        self.reach(target).max(first + 1).min(self.items())
    }

    /// Returns the boundary at which the sum is nearest to a target.
    pub(crate) fn nearest(&self, target: f64) -> usize {
        let after = self.reach(target).min(self.items());
        let before = after.saturating_sub(1);
        if target - self.before(before) < self.before(after) - target {
            before
        } else {
            after
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_are_cut_as_if_they_were_listed() {
        for items in [1, 2, 7, 40] {
            let each = Sums::Each(items);
            let listed = Sums::of("costs", &vec![1.0; items]).unwrap();
            for at in 0..items {
                for part in [0.0, 0.3, 1.0, 2.0, 6.999_999_999_999_999, 7.5, 100.0] {
                    assert_eq!(each.cut(at, part), listed.cut(at, part), "{at} {part}");
                }
            }
            for target in [-1.0, 0.0, 0.5, 1.5, 6.2, 6.9, 40.0, 41.0] {
                assert_eq!(each.nearest(target), listed.nearest(target), "{target}");
            }
        }
    }
}
