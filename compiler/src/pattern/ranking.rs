//! Things by number, in the order of first appearance, and how often each appears.

use std::collections::HashMap;
use std::hash::Hash;

/// Counts of things that are numbered in the order of first appearance.
pub(super) struct Ranking<T> {
    numbers: HashMap<T, usize>,
    counts: Vec<usize>,
}

impl<T> Default for Ranking<T> {
    fn default() -> Self {
        Self {
            numbers: HashMap::new(),
            counts: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Ranking<T> {
    /// Returns the number of a thing, the next one if it is new.
    pub(super) fn number(&mut self, thing: &T) -> usize {
        if let Some(&number) = self.numbers.get(thing) {
            return number;
        }
        let number = self.counts.len();
        self.numbers.insert(thing.clone(), number);
        self.counts.push(0);
        number
    }

    /// Adds so many appearances of the thing of that number.
    pub(super) fn count(&mut self, number: usize, appearances: usize) {
        self.counts[number] += appearances;
    }

    /// Returns how often each appears.
    pub(super) fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Returns the things by number.
    pub(super) fn things(&self) -> Vec<T> {
        let mut things: Vec<(&T, usize)> = self.numbers.iter().map(|(t, &n)| (t, n)).collect();
        things.sort_unstable_by_key(|&(_, number)| number);
        things.into_iter().map(|(thing, _)| thing.clone()).collect()
    }

    /// Returns whether each is one of the `most` that appear most often, or earlier.
    pub(super) fn frequent(&self, most: usize) -> Vec<bool> {
        let mut ranked: Vec<usize> = (0..self.counts.len()).collect();
        ranked.sort_by_key(|&number| std::cmp::Reverse(self.counts[number]));
        let mut frequent = vec![false; self.counts.len()];
        ranked
            .into_iter()
            .take(most)
            .for_each(|number| frequent[number] = true);
        frequent
    }
}
