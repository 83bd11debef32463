//! Sets of small numbers that are emptied at once.

/// Set of small numbers, emptied in constant time: members have the stamp of the set at hand.
#[derive(Default)]
pub(crate) struct Stamps {
    stamps: Vec<u64>,
    now: u64,
}

impl Stamps {
    /// Returns the number of numbers that there is room for.
    pub(crate) fn len(&self) -> usize {
        self.stamps.len()
    }

    /// Makes room for the numbers below `len`, and for no others.
    pub(crate) fn resize(&mut self, len: usize) {
        self.stamps.resize(len, 0);
    }

    /// Empties the set. A new one is to be emptied before its first use.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.now += 1;
    }

    /// Adds a number; returns whether it was not in the set.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        std::mem::replace(&mut self.stamps[number as usize], self.now) != self.now
    }

    /// Returns whether a number is in the set.
    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.stamps[number as usize] == self.now
    }
}
