//! Classes of tasks with the same groups, so that a layer is counted by class and not by task.
//!
//! The tasks of one [set of groups](crate::group_sets) make a class. LU 128 has 700,000 tasks, and
//! some hundred classes in a layer. Three things happen to classes:
//!
//! * A task is added ([`Classes::unite`]): to the class of all groups of its readers, which have
//!   classes already.
//! * A level ends ([`GroupSets::end_level`]): the weight that classes gained by it is told.
//! * Groups are merged ([`Classes::rename`]). Sets that become equal make their classes one.
//!
//! Tasks would have to follow when classes become one. So a task holds an *id*, and a table gives
//! the class of each id: a merge changes the table, and no task.

use superstep_order::Rows;

use crate::{group_sets::GroupSets, index::hash};

/// Classes of a layer, each the number of its set of groups.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) sets: GroupSets,
    /// Class of each id.
    class_of: Vec<u32>,
    /// One id of each class, which new tasks take.
    ids: Vec<u32>,
}

impl Classes {
    /// Removes all groups and classes.
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.class_of.clear();
        self.ids.clear();
    }

    /// Returns the number of groups in all classes.
    pub(super) fn members(&self) -> usize {
        self.sets.groups.len()
    }

    /// Returns the classes of each of so many groups, of the classes that are wanted.
    pub(super) fn by_group(
        &self,
        groups: usize,
        wanted: impl Fn(&[u32], u64) -> bool,
    ) -> Rows<u32> {
        let wanted = |&((members, weight), _): &((&[u32], u64), u32)| wanted(members, weight);
        let classes = self.sets.iter().zip(0..).filter(wanted);
        let pairs = classes.flat_map(|((members, _), class)| {
            members.iter().map(move |&group| (group as usize, class))
        });
        Rows::sorted(groups, pairs)
    }

    /// Returns the class of an id, by number.
    pub(super) fn class_of(&self, id: u32) -> u32 {
        self.class_of[id as usize]
    }

    /// Makes ids the numbers of classes where there are many more ids, which are in these places.
    pub(super) fn renumber(&mut self, places: &mut [u32]) {
        if self.class_of.len() > 4 * self.ids.len() + 1000 {
            for id in places {
                *id = self.class_of[*id as usize];
            }
            self.ids = (0..self.ids.len() as u32).collect();
            self.class_of.clone_from(&self.ids);
        }
    }

    /// Makes a class of a group of its own, and returns its id.
    pub(super) fn push_group(&mut self) -> u32 {
        let class = self.sets.push_group(0);
        self.id(class)
    }

    /// Adds a task of that weight, whose successors have these ids, to the class of all their
    /// groups. Without successors that of a new group takes it. Returns the id of the class.
    pub(super) fn unite(&mut self, ids: impl Iterator<Item = u32>, weight: u64) -> u32 {
        self.sets.begin_union();
        let mut last = u32::MAX;
        for id in ids {
            let class = self.class_of[id as usize];
            if class != last {
                self.sets.unite(class);
                last = class;
            }
        }
        let class = match self.sets.union() {
            Some(class) => class,
            None => self.sets.push_group(0),
        };
        self.sets.add(class, weight);
        self.id(class)
    }

    /// Returns an id of a class, the last of which may be new.
    fn id(&mut self, class: u32) -> u32 {
        if class as usize == self.ids.len() {
            self.ids.push(self.class_of.len() as u32);
            self.class_of.push(class);
        }
        self.ids[class as usize]
    }

    /// Puts `rename` in the place of each group, of which there are `count` then; classes that are
    /// equal then become one. Calls `remap` with the new number of each old class.
    pub(super) fn rename(&mut self, rename: &[u32], count: usize, remap: &mut Vec<u32>) {
        let sets = &mut self.sets;
        sets.by_key.clear();
        remap.clear();
        let (mut kept, mut end) = (0, 0);
        for at in 0..sets.len() {
            let mut set = sets.sets[at];
            let start = end;
            set.key = 0;
            sets.in_set.restart();
            for old in set.start..set.start + set.len {
                let group = rename[sets.groups[old as usize] as usize];
                if sets.in_set.insert(group) {
                    sets.groups[end] = group;
                    end += 1;
                    set.key ^= hash(group);
                }
            }
            set.len = (end - start) as u32;
            set.start = start as u32;
            if let Some(twin) = sets.find(set.key, end - start) {
                sets.sets[twin as usize].weight += set.weight;
                remap.push(twin);
                end = start;
                continue;
            }
            sets.sets[kept] = set;
            sets.by_key.insert(set.key, kept as u32);
            self.ids[kept] = self.ids[at];
            remap.push(kept as u32);
            kept += 1;
        }
        sets.groups.truncate(end);
        sets.truncate(kept, count);
        sets.forget_unions();
        self.ids.truncate(kept);
        for class in &mut self.class_of {
            *class = remap[*class as usize];
        }
    }
}
