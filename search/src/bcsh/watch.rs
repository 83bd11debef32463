//! Watch on the groups that may find a partner.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Mark of a group of which no union can be light enough.
pub(super) const NEVER: u64 = u64::MAX;

/// Weight for each group, by label, below which no union of it with a partner is.
///
/// A group that found no partner needs not be looked at again before the threshold exceeds that
/// weight. Unions only get heavier, as long as the group gets no new partner. A group that may have
/// got one is on the *alert*.
#[derive(Clone)]
pub(super) struct Watch {
    /// Least weight of a union; 0 for the groups on the alert.
    least_unions: Vec<u64>,
    /// Entries of `least_unions`, and the group; some are out of date.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    alert: Vec<u32>,
}

impl Watch {
    /// Returns the watch on so many groups without partners.
    pub(super) fn new(groups: usize) -> Self {
        Self {
            least_unions: vec![NEVER; groups],
            heap: BinaryHeap::new(),
            alert: Vec::new(),
        }
    }

    /// Returns the room taken: number of entries.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(super) fn alert(&mut self, group: u32) {
        let least_union = &mut self.least_unions[group as usize];
        if *least_union > 0 {
            *least_union = 0;
            self.alert.push(group);
        }
    }

    /// Adds to `order` the groups that may find a partner below `threshold`. Each is to
    /// [`rest`](Self::rest) after it was looked at.
    pub(super) fn take(&mut self, threshold: u64, order: &mut Vec<u32>) {
        while let Some(&Reverse((least_union, group))) = self.heap.peek()
            && least_union < threshold
        {
            self.heap.pop();
            if self.least_unions[group as usize] == least_union {
                self.alert(group);
            }
        }
        order.append(&mut self.alert);
    }

    /// Notes that no union of the group is lighter than `least_union`, which is not 0.
    pub(super) fn rest(&mut self, group: u32, least_union: u64) {
        self.least_unions[group as usize] = least_union;
        if least_union != NEVER {
            self.heap.push(Reverse((least_union, group)));
        }
    }
}
