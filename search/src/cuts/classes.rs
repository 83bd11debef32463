//! Membership classes: tasks that belong to the same groups, counted together.
//!
//! A task holds the *id* of its class; an id never changes in a task. Each id has a *slot*, which
//! holds groups and weight. When merging makes two classes equal, their ids share a slot, so a
//! merge touches classes, never tasks.

use crate::index::{Index, hash};

/// Classes: sets of groups, hash-consed, with weights.
#[derive(Default)]
pub(super) struct Classes {
    slots: Vec<Slot>,
    groups: Vec<u32>,
    /// Slot of each id.
    slot_of: Vec<u32>,
    /// Slots by key.
    by_key: Index<u32>,
    /// Unions met, by key, and the slots of each.
    unions: Index<Union>,
    united: Vec<u32>,
    /// Slots of the union at hand, each once.
    union: Vec<u32>,
    slot_stamps: Vec<u32>,
    group_stamps: Vec<u32>,
    now: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    start: u32,
    len: u32,
    /// One id of the slot.
    id: u32,
    key: u64,
    weight: u64,
    /// Weight of the level at hand.
    added: u64,
}

#[derive(Clone, Copy)]
struct Union {
    start: u32,
    len: u32,
    slot: u32,
}

impl Classes {
    /// Removes all groups and classes.
    pub(super) fn reset(&mut self) {
        self.slots.clear();
        self.groups.clear();
        self.slot_of.clear();
        self.by_key.clear();
        self.unions.clear();
        self.united.clear();
        self.slot_stamps.clear();
        self.group_stamps.clear();
        self.now = 0;
    }

    /// Returns the number of slots.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns groups and weight of a slot.
    pub(super) fn slot(&self, slot: u32) -> (&[u32], u64) {
        let slot = &self.slots[slot as usize];
        (groups_of(&self.groups, slot), slot.weight)
    }

    /// Returns the number of groups in all slots.
    pub(super) fn members(&self) -> usize {
        self.groups.len()
    }

    /// Returns groups and weight of each slot.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.slots
            .iter()
            .map(|slot| (groups_of(&self.groups, slot), slot.weight))
    }

    /// Returns the slot of an id.
    pub(super) fn slot_of(&self, id: u32) -> u32 {
        self.slot_of[id as usize]
    }

    /// Returns the number of ids.
    pub(super) fn ids(&self) -> usize {
        self.slot_of.len()
    }

    /// Makes ids the slots': the caller has to put `slot_of` in the place of every id.
    pub(super) fn renumber(&mut self) {
        self.slot_of.clear();
        self.slot_of.extend(0..self.slots.len() as u32);
        for (slot, id) in self.slots.iter_mut().zip(0..) {
            slot.id = id;
        }
    }

    /// Adds a task of that weight, whose successors have these ids, to the class of all their
    /// groups. Returns the id of the class.
    pub(super) fn unite(&mut self, ids: impl Iterator<Item = u32>, weight: u64) -> u32 {
        let mut first = u32::MAX;
        self.union.clear();
        for id in ids {
            let slot = self.slot_of[id as usize];
            if slot == first {
                continue;
            }
            if self.union.is_empty() {
                first = slot;
                self.union.push(slot);
                continue;
            }
            if self.union.len() == 1 {
                self.now += 1;
                self.slot_stamps[first as usize] = self.now;
            }
            let stamp = &mut self.slot_stamps[slot as usize];
            if *stamp != self.now {
                *stamp = self.now;
                self.union.push(slot);
            }
        }
        let slot = match self.union.len() {
            0 => self.new_group(),
            1 => first,
            _ => self.union(),
        };
        let slot = &mut self.slots[slot as usize];
        slot.added += weight;
        slot.id
    }

    /// Returns the number of groups that there ever were.
    pub(super) fn groups(&self) -> usize {
        self.group_stamps.len()
    }

    /// Makes a class of a group of its own, and returns its slot. No union is of one group, so that
    /// it need not be found by key.
    pub(super) fn new_group(&mut self) -> u32 {
        let group = self.group_stamps.len() as u32;
        let start = self.groups.len();
        self.group_stamps.push(0);
        self.groups.push(group);
        self.push(start as u32, 1, hash(group))
    }

    fn push(&mut self, start: u32, len: u32, key: u64) -> u32 {
        let (slot, id) = (self.slots.len() as u32, self.slot_of.len() as u32);
        self.slots.push(Slot {
            start,
            len,
            id,
            key,
            weight: 0,
            added: 0,
        });
        self.slot_of.push(slot);
        self.slot_stamps.push(0);
        slot
    }

    /// Gives the classes the weight of the tasks of this level, and calls `gain` with the groups of
    /// each and what it gained.
    pub(super) fn end_level(&mut self, mut gain: impl FnMut(&[u32], u64)) {
        for slot in &mut self.slots {
            if slot.added > 0 {
                slot.weight += slot.added;
                gain(groups_of(&self.groups, slot), slot.added);
                slot.added = 0;
            }
        }
    }

    /// Returns the slot of the union at hand, of two slots at least, made if need be.
    fn union(&mut self) -> u32 {
        let key = self.union.iter().fold(0, |key, &slot| key ^ hash(slot));
        let stamped = |slot: &u32| self.slot_stamps[*slot as usize] == self.now;
        if let Some(met) = self.unions.get(&key) {
            let slots = &self.united[met.start as usize..][..met.len as usize];
            if slots.len() == self.union.len() && slots.iter().all(stamped) {
                return met.slot;
            }
        }
        let slot = self.make_union();
        let met = Union {
            start: self.united.len() as u32,
            len: self.union.len() as u32,
            slot,
        };
        self.united.extend_from_slice(&self.union);
        self.unions.insert(key, met);
        slot
    }

    fn make_union(&mut self) -> u32 {
        let start = self.groups.len();
        let mut key = 0;
        self.now += 1;
        for &slot in &self.union {
            let Slot { start, len, .. } = self.slots[slot as usize];
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
        if let Some(slot) = self.twin(key, len) {
            self.groups.truncate(start);
            return slot;
        }
        let slot = self.push(start as u32, len, key);
        self.by_key.insert(key, slot);
        slot
    }

    /// Returns the slot of that key whose groups are the stamped ones, of which there are `len`.
    fn twin(&self, key: u64, len: u32) -> Option<u32> {
        let slot = *self.by_key.get(&key)?;
        let other = &self.slots[slot as usize];
        let stamped = |group: &u32| self.group_stamps[*group as usize] == self.now;
        let same = other.len == len && groups_of(&self.groups, other).iter().all(stamped);
        same.then_some(slot)
    }

    /// Puts `rename` in the place of each group, of which there are `count` then; classes that are
    /// equal then become one. Calls `remap` with the slot of each old slot.
    pub(super) fn rename(&mut self, rename: &[u32], count: usize, remap: &mut Vec<u32>) {
        self.by_key.clear();
        remap.clear();
        let (mut kept, mut end) = (0, 0);
        self.now += 1;
        for at in 0..self.slots.len() {
            let mut slot = self.slots[at];
            let start = end;
            slot.key = 0;
            self.now += 1;
            for old in slot.start..slot.start + slot.len {
                let group = rename[self.groups[old as usize] as usize];
                let stamp = &mut self.group_stamps[group as usize];
                if *stamp != self.now {
                    *stamp = self.now;
                    self.groups[end] = group;
                    end += 1;
                    slot.key ^= hash(group);
                }
            }
            slot.len = (end - start) as u32;
            slot.start = start as u32;
            if let Some(twin) = self.twin(slot.key, slot.len) {
                self.slots[twin as usize].weight += slot.weight;
                remap.push(twin);
                end = start;
                continue;
            }
            self.slots[kept] = slot;
            self.by_key.insert(slot.key, kept as u32);
            remap.push(kept as u32);
            kept += 1;
        }
        self.slots.truncate(kept);
        self.slot_stamps.truncate(kept);
        self.groups.truncate(end);
        self.group_stamps.truncate(count);
        for slot in &mut self.slot_of {
            *slot = remap[*slot as usize];
        }
        self.unions.clear();
        self.united.clear();
    }
}

fn groups_of<'a>(groups: &'a [u32], slot: &Slot) -> &'a [u32] {
    &groups[slot.start as usize..][..slot.len as usize]
}
