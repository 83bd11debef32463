//! Sets of groups, each there once (hash-consing): the membership classes of a layer.
//!
//! In a layer a task belongs to every group that reads its value, so it belongs to a *set* of
//! groups. Most tasks share their set with many others, and are counted together: a set has the
//! weight of all its tasks. The set of a task is the union of the sets of its readers. Unions that
//! were met before are found by the sets that they unite, others by their groups.
//!
//! Sets have no order. Each has a key, the exclusive or of a hash of each of its groups, which
//! follows a change in constant time. Equal keys are only taken as a hint: sets are compared.

use crate::{
    index::{Index, hash},
    stamps::Stamps,
};

/// Sets of groups, by number.
#[derive(Default)]
pub(crate) struct GroupSets {
    pub(crate) sets: Vec<GroupSet>,
    /// Groups of all sets, one set after the other; there may be gaps.
    pub(crate) groups: Vec<u32>,
    /// Sets of several groups by key; some entries are out of date.
    pub(crate) by_key: Index<u32>,
    /// Groups of the set at hand.
    pub(crate) in_set: Stamps,
    /// Sets of the union at hand, each once.
    union: Vec<u32>,
    in_union: Stamps,
    /// Unions met, by key; the sets of each are in `united`.
    unions: Index<Union>,
    united: Vec<u32>,
    /// Sets with added weight.
    touched: Vec<u32>,
}

/// Set of groups, by place, and its weight.
#[derive(Clone, Copy)]
pub(crate) struct GroupSet {
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) key: u64,
    pub(crate) weight: u64,
    /// Weight of the level at hand.
    added: u64,
}

/// Union of sets, by place, and the set that it is.
#[derive(Clone, Copy)]
struct Union {
    start: u32,
    len: u32,
    set: u32,
}

impl GroupSets {
    /// Removes all groups and sets.
    pub(crate) fn clear(&mut self) {
        self.truncate(0, 0);
        self.groups.clear();
        self.by_key.clear();
        self.forget_unions();
    }

    /// Removes the sets from `sets` on, and the groups from `groups` on.
    pub(crate) fn truncate(&mut self, sets: usize, groups: usize) {
        self.sets.truncate(sets);
        self.in_union.resize(sets);
        self.in_set.resize(groups);
    }

    /// Returns the number of groups that were made.
    pub(crate) fn groups_made(&self) -> usize {
        self.in_set.len()
    }

    /// Returns the number of sets.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns groups and weight of a set.
    pub(crate) fn get(&self, set: u32) -> (&[u32], u64) {
        let set = &self.sets[set as usize];
        (groups_of(&self.groups, set), set.weight)
    }

    /// Returns groups and weight of each set.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> + Clone {
        let sets = self.sets.iter();
        sets.map(|set| (groups_of(&self.groups, set), set.weight))
    }

    /// Makes a group, and the set of it alone, with that weight; returns the set. No union is of
    /// one group, so it need not be found by key.
    pub(crate) fn push_group(&mut self, weight: u64) -> u32 {
        let group = self.in_set.len();
        self.in_set.resize(group + 1);
        let start = self.groups.len();
        self.groups.push(group as u32);
        self.push(start, hash(group as u32), weight)
    }

    /// Makes the set of the groups from `start` on.
    fn push(&mut self, start: usize, key: u64, weight: u64) -> u32 {
        let set = self.sets.len();
        self.sets.push(GroupSet {
            start: start as u32,
            len: (self.groups.len() - start) as u32,
            key,
            weight,
            added: 0,
        });
        self.in_union.resize(set + 1);
        set as u32
    }

    /// Starts a union.
    pub(crate) fn begin_union(&mut self) {
        self.in_union.restart();
        self.union.clear();
    }

    /// Adds a set to the union at hand.
    pub(crate) fn unite(&mut self, set: u32) {
        if self.in_union.insert(set) {
            self.union.push(set);
        }
    }

    /// Returns the set that is the union at hand, made if need be; `None` for no union.
    pub(crate) fn union(&mut self) -> Option<u32> {
        if let [] | [_] = *self.union {
            return self.union.first().copied();
        }
        let of_one = |&set: &u32| self.sets[set as usize].len == 1;
        if self.union.iter().all(of_one) {
            // As short as what would be looked up.
            return Some(self.make_union());
        }
        let key = self.union.iter().fold(0, |key, &set| key ^ hash(set));
        if let Some(met) = self.unions.get(&key) {
            let sets = &self.united[met.start as usize..][..met.len as usize];
            let mut sets = sets.iter();
            if sets.len() == self.union.len() && sets.all(|&set| self.in_union.contains(set)) {
                return Some(met.set);
            }
        }
        let met = Union {
            start: self.united.len() as u32,
            len: self.union.len() as u32,
            set: self.make_union(),
        };
        self.united.extend_from_slice(&self.union);
        self.unions.insert(key, met);
        Some(met.set)
    }

    fn make_union(&mut self) -> u32 {
        let start = self.groups.len();
        let mut key = 0;
        self.in_set.restart();
        for &set in &self.union {
            let GroupSet { start, len, .. } = self.sets[set as usize];
            for at in start..start + len {
                let group = self.groups[at as usize];
                if self.in_set.insert(group) {
                    self.groups.push(group);
                    key ^= hash(group);
                }
            }
        }
        if let Some(set) = self.find(key, self.groups.len() - start) {
            self.groups.truncate(start);
            return set;
        }
        let set = self.push(start, key, 0);
        self.by_key.insert(key, set);
        set
    }

    /// Returns the set of that key that has the groups at hand, of which there are `len`.
    pub(crate) fn find(&self, key: u64, len: usize) -> Option<u32> {
        let set = *self.by_key.get(&key)?;
        let groups = groups_of(&self.groups, &self.sets[set as usize]);
        let mut members = groups.iter();
        let same = groups.len() == len && members.all(|&group| self.in_set.contains(group));
        same.then_some(set)
    }

    /// Forgets which unions were met, as when sets have changed.
    pub(crate) fn forget_unions(&mut self) {
        // Clearing takes time for the room that a map has.
        if self.unions.capacity() > 64 + 8 * self.unions.len() {
            self.unions = Index::default();
        }
        self.unions.clear();
        self.united.clear();
    }

    /// Adds a task of that weight to a set.
    pub(crate) fn add(&mut self, set: u32, weight: u64) {
        let added = &mut self.sets[set as usize].added;
        if *added == 0 && weight > 0 {
            self.touched.push(set);
        }
        *added += weight;
    }

    /// Gives the sets the weights that were added, and calls `grown` for each that has grown. It
    /// gets the groups, the weight that was added, and whether the set had weight before.
    pub(crate) fn end_level(&mut self, mut grown: impl FnMut(&[u32], u64, bool)) {
        for set in self.touched.drain(..) {
            let set = &mut self.sets[set as usize];
            let had_weight = set.weight > 0;
            let added = std::mem::take(&mut set.added);
            set.weight += added;
            grown(groups_of(&self.groups, set), added, had_weight);
        }
    }
}

pub(crate) fn groups_of<'a>(groups: &'a [u32], set: &GroupSet) -> &'a [u32] {
    &groups[set.start as usize..][..set.len as usize]
}
