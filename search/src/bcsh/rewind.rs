//! Rewind: the way back from a level that a layer does not take in.

use super::groups::{Groups, Saved};

/// Steps between two copies, in terms of the size of a copy.
const SPACING: u64 = 4;

/// Copy of the groups from time to time, and the thresholds of the merge sweeps since.
///
/// A copy is made when growing and merging took longer than a copy takes. So copies cost little
/// beside that; and so does what must be done again from the last copy on.
pub(super) struct Rewind {
    saved: Saved,
    /// Last level in the copy.
    level: usize,
    /// Thresholds of the merge sweeps of the levels since.
    thresholds: Vec<u64>,
    /// Steps that led to the copy.
    steps: u64,
}

impl Rewind {
    /// Returns the rewind for groups of level `first` alone.
    pub(super) fn new(groups: &Groups, first: usize) -> Self {
        Self {
            saved: groups.save(),
            level: first,
            thresholds: Vec::new(),
            steps: groups.steps,
        }
    }

    /// Notes that `groups` have taken in one level more, merging with that threshold, and are to
    /// keep it.
    pub(super) fn keep(&mut self, groups: &Groups, threshold: u64) {
        self.thresholds.push(threshold);
        if groups.steps - self.steps > SPACING * groups.size() {
            self.saved = groups.save();
            self.level += self.thresholds.len();
            self.thresholds.clear();
            self.steps = groups.steps;
        }
    }

    /// Brings `groups` back to when they were last kept; `take_in` lets groups take in a level,
    /// merging with a threshold.
    pub(super) fn back(
        self,
        groups: &mut Groups,
        mut take_in: impl FnMut(&mut Groups, usize, u64),
    ) {
        groups.restore(self.saved);
        for (level, threshold) in (self.level + 1..).zip(self.thresholds) {
            take_in(groups, level, threshold);
        }
    }
}
