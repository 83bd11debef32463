//! Classes of tasks with the same groups, so that a layer is counted by class and not by task.
//!
//! In a layer a task belongs to every group that reads its value, so it belongs to a *set* of
//! groups. Most tasks share their set with many others. Tasks of one set make a class, which has
//! the set and the weight of all its tasks. LU 128 has 700,000 tasks, and some hundred classes in a
//! layer.
//!
//! Three things happen to classes:
//!
//! * A task is added ([`Classes::unite`]). Its set is the union of the sets of its readers, which
//!   have classes already. Unions that were met before are found by the classes that they unite,
//!   others by their set.
//! * A level ends ([`Classes::end_level`]): the weight that classes gained by it is told.
//! * Groups are merged ([`Classes::rename`]). Sets that become equal make their classes one.
//!
//! Tasks would have to follow when classes become one. So a task holds an *id*, and a table gives
//! the class of each id: a merge changes the table, and no task.

use superstep_order::Rows;

use crate::index::{Index, hash};

/// Classes of a layer: each set of groups is there once (hash-consing), with its weight.
#[derive(Default)]
pub(super) struct Classes {
    classes: Vec<Class>,
    /// Sets of all classes, one after the other.
    groups: Vec<u32>,
    /// Class of each id.
    class_of: Vec<u32>,
    /// Classes by the key of their set: the exclusive or of a hash of each group.
    by_key: Index<u32>,
    /// Unions met, by a key of the classes that they unite; these classes, one union after the
    /// other.
    unions: Index<Union>,
    united: Vec<u32>,
    /// Classes of the union at hand, each once.
    union: Vec<u32>,
    /// Marks by which a class or a group is told to be in the set at hand: its stamp is `now`.
    class_stamps: Vec<u32>,
    group_stamps: Vec<u32>,
    now: u32,
}

/// Class: its set of groups, by place, and its weight.
#[derive(Clone, Copy)]
struct Class {
    start: u32,
    len: u32,
    /// One id of it, which new tasks take.
    id: u32,
    key: u64,
    weight: u64,
    /// Weight of the level at hand.
    added: u64,
}

/// Union of classes, by place, and the class of its set.
#[derive(Clone, Copy)]
struct Union {
    start: u32,
    len: u32,
    class: u32,
}

impl Classes {
    /// Removes all groups and classes.
    pub(super) fn reset(&mut self) {
        self.classes.clear();
        self.groups.clear();
        self.class_of.clear();
        self.by_key.clear();
        self.unions.clear();
        self.united.clear();
        self.class_stamps.clear();
        self.group_stamps.clear();
        self.now = 0;
    }

    /// Returns the number of classes.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns groups and weight of a class.
    pub(super) fn get(&self, class: u32) -> (&[u32], u64) {
        let class = &self.classes[class as usize];
        (groups_of(&self.groups, class), class.weight)
    }

    /// Returns the number of groups in all classes.
    pub(super) fn members(&self) -> usize {
        self.groups.len()
    }

    /// Returns groups and weight of each class.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> + Clone {
        self.classes
            .iter()
            .map(|class| (groups_of(&self.groups, class), class.weight))
    }

    /// Returns the classes of each of so many groups, of the classes that are wanted.
    pub(super) fn by_group(
        &self,
        groups: usize,
        wanted: impl Fn(&[u32], u64) -> bool,
    ) -> Rows<u32> {
        let wanted = |&((members, weight), _): &((&[u32], u64), u32)| wanted(members, weight);
        let classes = self.iter().zip(0..).filter(wanted);
        let pairs = classes.flat_map(|((members, _), class)| {
            members.iter().map(move |&group| (group as usize, class))
        });
        Rows::sorted(groups, pairs)
    }

    /// Returns the class of an id, by number.
    pub(super) fn class_of(&self, id: u32) -> u32 {
        self.class_of[id as usize]
    }

    /// Returns the number of ids.
    pub(super) fn ids(&self) -> usize {
        self.class_of.len()
    }

    /// Makes ids the numbers of classes: the caller has to put `class_of` in the place of every id.
    pub(super) fn renumber(&mut self) {
        self.class_of.clear();
        self.class_of.extend(0..self.classes.len() as u32);
        for (class, id) in self.classes.iter_mut().zip(0..) {
            class.id = id;
        }
    }

    /// Adds a task of that weight, whose successors have these ids, to the class of all their
    /// groups. Returns the id of the class.
    pub(super) fn unite(&mut self, ids: impl Iterator<Item = u32>, weight: u64) -> u32 {
        let mut first = u32::MAX;
        self.union.clear();
        for id in ids {
            let class = self.class_of[id as usize];
            if class == first {
                continue;
            }
            if self.union.is_empty() {
                first = class;
                self.union.push(class);
                continue;
            }
            if self.union.len() == 1 {
                self.now += 1;
                self.class_stamps[first as usize] = self.now;
            }
            let stamp = &mut self.class_stamps[class as usize];
            if *stamp != self.now {
                *stamp = self.now;
                self.union.push(class);
            }
        }
        let class = match self.union.len() {
            0 => self.new_group(),
            1 => first,
            _ => self.union(),
        };
        let class = &mut self.classes[class as usize];
        class.added += weight;
        class.id
    }

    /// Returns the number of groups that there ever were.
    pub(super) fn groups(&self) -> usize {
        self.group_stamps.len()
    }

    /// Makes a class of a group of its own, and returns it. No union is of one group, so that
    /// it need not be found by key.
    pub(super) fn new_group(&mut self) -> u32 {
        let group = self.group_stamps.len() as u32;
        let start = self.groups.len();
        self.group_stamps.push(0);
        self.groups.push(group);
        self.push(start as u32, 1, hash(group))
    }

    fn push(&mut self, start: u32, len: u32, key: u64) -> u32 {
        let (class, id) = (self.classes.len() as u32, self.class_of.len() as u32);
        self.classes.push(Class {
            start,
            len,
            id,
            key,
            weight: 0,
            added: 0,
        });
        self.class_of.push(class);
        self.class_stamps.push(0);
        class
    }

    /// Gives the classes the weight of the tasks of this level, and calls `gain` with the groups of
    /// each and what it gained.
    pub(super) fn end_level(&mut self, mut gain: impl FnMut(&[u32], u64)) {
        for class in &mut self.classes {
            if class.added > 0 {
                class.weight += class.added;
                gain(groups_of(&self.groups, class), class.added);
                class.added = 0;
            }
        }
    }

    /// Returns the class of the union at hand, of two classes at least, made if need be.
    fn union(&mut self) -> u32 {
        let key = self.union.iter().fold(0, |key, &class| key ^ hash(class));
        let stamped = |class: &u32| self.class_stamps[*class as usize] == self.now;
        if let Some(met) = self.unions.get(&key) {
            let classes = &self.united[met.start as usize..][..met.len as usize];
            if classes.len() == self.union.len() && classes.iter().all(stamped) {
                return met.class;
            }
        }
        let class = self.make_union();
        let met = Union {
            start: self.united.len() as u32,
            len: self.union.len() as u32,
            class,
        };
        self.united.extend_from_slice(&self.union);
        self.unions.insert(key, met);
        class
    }

    fn make_union(&mut self) -> u32 {
        let start = self.groups.len();
        let mut key = 0;
        self.now += 1;
        for &class in &self.union {
            let Class { start, len, .. } = self.classes[class as usize];
            for at in start..start + len {
                let group = self.groups[at as usize];
                let stamp = &mut self.group_stamps[group as usize];
                if *stamp != self.now {
                    *stamp = self.now;
                    self.groups.push(group);
                    key ^= hash(group);
                }
            }
        }
        let len = (self.groups.len() - start) as u32;
        if let Some(class) = self.twin(key, len) {
            self.groups.truncate(start);
            return class;
        }
        let class = self.push(start as u32, len, key);
        self.by_key.insert(key, class);
        class
    }

    /// Returns the class of that key whose groups are the stamped ones, of which there are `len`.
    fn twin(&self, key: u64, len: u32) -> Option<u32> {
        let class = *self.by_key.get(&key)?;
        let other = &self.classes[class as usize];
        let stamped = |group: &u32| self.group_stamps[*group as usize] == self.now;
        let same = other.len == len && groups_of(&self.groups, other).iter().all(stamped);
        same.then_some(class)
    }

    /// Puts `rename` in the place of each group, of which there are `count` then; classes that are
    /// equal then become one. Calls `remap` with the new number of each old class.
    pub(super) fn rename(&mut self, rename: &[u32], count: usize, remap: &mut Vec<u32>) {
        self.by_key.clear();
        remap.clear();
        let (mut kept, mut end) = (0, 0);
        for at in 0..self.classes.len() {
            let mut class = self.classes[at];
            let start = end;
            class.key = 0;
            self.now += 1;
            for old in class.start..class.start + class.len {
                let group = rename[self.groups[old as usize] as usize];
                let stamp = &mut self.group_stamps[group as usize];
                if *stamp != self.now {
                    *stamp = self.now;
                    self.groups[end] = group;
                    end += 1;
                    class.key ^= hash(group);
                }
            }
            class.len = (end - start) as u32;
            class.start = start as u32;
            if let Some(twin) = self.twin(class.key, class.len) {
                self.classes[twin as usize].weight += class.weight;
                remap.push(twin);
                end = start;
                continue;
            }
            self.classes[kept] = class;
            self.by_key.insert(class.key, kept as u32);
            remap.push(kept as u32);
            kept += 1;
        }
        self.classes.truncate(kept);
        self.class_stamps.truncate(kept);
        self.groups.truncate(end);
        self.group_stamps.truncate(count);
        for class in &mut self.class_of {
            *class = remap[*class as usize];
        }
        self.unions.clear();
        self.united.clear();
    }
}

fn groups_of<'a>(groups: &'a [u32], class: &Class) -> &'a [u32] {
    &groups[class.start as usize..][..class.len as usize]
}
