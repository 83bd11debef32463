//! Results that a sample has brought before the run.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Set of the items whose results are known: a bit for each item, none if there are no such items.
pub(super) type Bits = Arc<[u64]>;

/// Returns whether an item is in a set.
pub(super) fn is_in(bits: &Bits, item: u32) -> bool {
    let word = bits.get(item as usize / 64);
    word.is_some_and(|word| word >> (item % 64) & 1 == 1)
}

/// Results of some items, by their numbers.
pub(super) struct Known<R>(BTreeMap<u32, R>);

impl<R> Default for Known<R> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<R> Known<R> {
    pub(super) fn insert(&mut self, item: usize, result: R) {
        self.0.insert(item as u32, result);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn items(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.keys().map(|&item| item as usize)
    }

    /// Returns the set of these items, of so many.
    pub(super) fn bits(&self, items: usize) -> Bits {
        if self.0.is_empty() {
            return Bits::default();
        }
        let mut bits = vec![0; items.div_ceil(64)];
        for item in self.items() {
            bits[item / 64] |= 1 << (item % 64);
        }
        bits.into()
    }

    /// Returns all results in the order of the items: these, and `others` between them.
    pub(super) fn merge(self, others: Vec<R>) -> Vec<R> {
        if self.0.is_empty() {
            return others;
        }
        let mut all = Vec::with_capacity(self.len() + others.len());
        let mut others = others.into_iter();
        for (item, result) in self.0 {
            let between = item as usize - all.len();
            all.extend(others.by_ref().take(between));
            all.push(result);
        }
        all.extend(others);
        all
    }
}
