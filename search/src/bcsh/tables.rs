//! Tables of the work that a group shares with each other group, kept up to date while both grow.
//!
//! In a merge sweep a group may go into a small neighbour later in the order. That one is soon met
//! again, goes into the next one, and so on. To find its partner from its classes each time would
//! make the sweep quadratic. Such a group has a *table* instead: the work that it shares with each
//! other group, and these in order, the best partner in front.
//!
//! The work that two groups share only grows, and a group only moves back in the order. So an entry
//! is at worst too good: it is put right when it comes to the front. A partner for which the union
//! is too heavy stays so, and is dropped for good.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::NONE;
use crate::index::{Index, hash};

/// Tables of the groups that have one, by label.
pub(super) struct Tables {
    tables: Vec<Option<Box<Table>>>,
    count: usize,
}

/// Table of the work that a group shares with others.
pub(super) struct Table {
    /// Work shared with each group, once some of it was added.
    common: Option<Index<u64>>,
    /// Entries of the groups known from the start, the best last; some are out of date.
    first: Vec<Entry>,
    /// Entries of work that was added, the best in front; some are out of date.
    added: BinaryHeap<Entry>,
}

/// Entry of a table: work shared, position and label of a group.
type Entry = (u64, Reverse<u32>, u32);

impl Tables {
    /// Returns no tables, for that many groups.
    pub(super) fn new(groups: usize) -> Self {
        let mut tables = Vec::new();
        tables.resize_with(groups, || None);
        Self { tables, count: 0 }
    }

    pub(super) fn get(&mut self, group: u32) -> Option<&mut Table> {
        self.tables[group as usize].as_deref_mut()
    }

    pub(super) fn insert(&mut self, group: u32, table: Table) {
        self.remove(group);
        self.tables[group as usize] = Some(Box::new(table));
        self.count += 1;
    }

    pub(super) fn remove(&mut self, group: u32) {
        if self.count > 0 && self.tables[group as usize].take().is_some() {
            self.count -= 1;
        }
    }

    /// Notes that `group` has come into a class of those members, itself among them, and of that
    /// weight.
    pub(super) fn join(&mut self, group: u32, members: &[u32], weight: u64, position: &[u32]) {
        if self.count == 0 || weight == 0 {
            return;
        }
        for &other in members.iter().filter(|&&other| other != group) {
            if let Some(table) = self.get(other) {
                table.add(group, weight, position);
            }
        }
        if let Some(table) = self.get(group) {
            for &other in members.iter().filter(|&&other| other != group) {
                table.add(other, weight, position);
            }
        }
    }
}

impl Table {
    /// Makes a table of (group, work shared). `position` has the place of each group in the order.
    pub(super) fn new(common: impl Iterator<Item = (u32, u64)>, position: &[u32]) -> Self {
        let entry = |(other, common)| (common, Reverse(position[other as usize]), other);
        let mut first: Vec<Entry> = common.map(entry).collect();
        first.sort_unstable();
        Self {
            common: None,
            first,
            added: BinaryHeap::new(),
        }
    }

    /// Adds to the work that is shared with `other`.
    fn add(&mut self, other: u32, weight: u64, position: &[u32]) {
        let common = self.common.get_or_insert_with(|| {
            let entries = self.first.iter().chain(&self.added);
            entries
                .map(|&(common, _, other)| (hash(other), common))
                .collect()
        });
        let common = common.entry(hash(other)).or_insert(0);
        *common += weight;
        self.added
            .push((*common, Reverse(position[other as usize]), other));
    }

    /// Takes out the first group for which `feasible` holds, and returns it with the work shared.
    /// Groups are in descending order of that work, then in the order of positions. Groups before
    /// it are dropped.
    pub(super) fn take_best(
        &mut self,
        position: &[u32],
        feasible: impl Fn(u32, u64) -> bool,
    ) -> Option<(u32, u64)> {
        loop {
            let (common, Reverse(place), other) = if self.added.peek() > self.first.last() {
                self.added.pop()?
            } else {
                self.first.pop()?
            };
            let now = position[other as usize];
            if now != NONE && now != place {
                self.added.push((common, Reverse(now), other));
            } else if now != NONE && feasible(other, common) {
                // Of the entries of a group the newest, which has the work that is shared now,
                // comes first.
                return Some((other, common));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table of groups 0, 1, ... that share so much work.
    fn table(common: &[u64], position: &[u32]) -> Table {
        Table::new((0..).zip(common.iter().copied()), position)
    }

    #[test]
    fn partners_come_by_work_shared_then_position() {
        let position = [2, 0, 1];
        let mut table = table(&[5, 3, 5], &position);
        let mut next = || table.take_best(&position, |_, _| true);
        assert_eq!(
            [next(), next(), next(), next()],
            [Some((2, 5)), Some((0, 5)), Some((1, 3)), None]
        );
    }

    #[test]
    fn a_group_that_moved_back_comes_later_and_one_that_is_gone_not_at_all() {
        let mut table = table(&[5, 5, 5], &[0, 1, 2]);
        let position = [3, NONE, 2];
        let mut next = || table.take_best(&position, |_, _| true);
        assert_eq!([next(), next(), next()], [Some((2, 5)), Some((0, 5)), None]);
    }

    #[test]
    fn joining_a_class_counts_for_both_sides() {
        let position = [0, 1, 2];
        let mut tables = Tables::new(3);
        tables.insert(0, table(&[], &position));
        tables.insert(2, table(&[0, 4], &position));
        tables.join(2, &[0, 1, 2], 3, &position);
        let mut best = |group| {
            tables
                .get(group)
                .and_then(|table| table.take_best(&position, |_, _| true))
        };
        assert_eq!(
            [best(0), best(2), best(1)],
            [Some((2, 3)), Some((1, 7)), None]
        );
    }
}
