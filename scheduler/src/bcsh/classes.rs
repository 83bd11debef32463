//! Membership classes: tasks that belong to the same groups, counted together.
//!
//! A task of the layer holds the *id* of its class; ids are given once and never change in a task. A class that is live has a *slot* with
//! its groups and the weight of its tasks. When merging makes two classes equal, one id is forwarded to the other. So a merge touches the
//! classes of a group, never its tasks.
//!
//! Sets of groups have no order; each has a key, the exclusive or of a hash of each of its groups, which follows a change in constant time.
//! Equal keys are only taken as a hint: sets are compared.

use super::index::{Index, hash};

/// Sets of groups, hash-consed, with weights.
pub(super) struct Classes {
    slots: Vec<Slot>,
    /// The groups of all slots.
    groups: Vec<u32>,
    /// For each id the id that it is forwarded to, or itself.
    forward: Vec<u32>,
    /// For each id that is live its slot.
    slot: Vec<u32>,
    level: Level,
}

#[derive(Clone, Copy)]
struct Slot {
    start: u32,
    len: u32,
    id: u32,
    weight: u64,
    key: u64,
}

/// What [`Classes::restore`] needs.
pub(super) struct Saved {
    slots: Vec<Slot>,
    groups: Vec<u32>,
    ids: usize,
}

/// What is kept while a level is added.
#[derive(Default)]
struct Level {
    /// The slots of the union at hand, each once.
    union: Vec<u32>,
    /// Stamps of slots and of groups: equal to `now` when they are in the set at hand.
    slot_stamps: Vec<u64>,
    group_stamps: Vec<u64>,
    now: u64,
    /// Weight that the level has added to each slot.
    added: Vec<u64>,
    /// Unions met in this level, by key; the slots of each are in `union_slots`.
    unions: Index<Union>,
    union_slots: Vec<u32>,
    /// Slots by key; only if `indexed`.
    by_key: Index<u32>,
    indexed: bool,
}

#[derive(Clone, Copy)]
struct Union {
    start: u32,
    len: u32,
    slot: u32,
}

impl Classes {
    /// A class for each group, of that group alone, with the weights of their tasks; their ids are the groups'.
    pub(super) fn singletons(weights: &[u64]) -> Self {
        let count = weights.len() as u32;
        let slots = (0..count).zip(weights);
        Self {
            slots: slots
                .map(|(id, &weight)| Slot {
                    start: id,
                    len: 1,
                    id,
                    weight,
                    key: hash(id),
                })
                .collect(),
            groups: (0..count).collect(),
            forward: (0..count).collect(),
            slot: (0..count).collect(),
            level: Level {
                group_stamps: vec![0; weights.len()],
                ..Level::default()
            },
        }
    }

    /// The groups of each slot.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.slots.iter().map(|slot| groups_of(&self.groups, slot))
    }

    /// Groups and weight of a slot.
    pub(super) fn members(&self, slot: u32) -> (&[u32], u64) {
        let slot = &self.slots[slot as usize];
        (groups_of(&self.groups, slot), slot.weight)
    }

    /// Slot of the class with that id.
    pub(super) fn slot(&self, mut id: u32) -> usize {
        while self.forward[id as usize] != id {
            id = self.forward[id as usize];
        }
        self.slot[id as usize] as usize
    }

    /// Starts to add a level.
    pub(super) fn begin_level(&mut self) {
        let level = &mut self.level;
        level.added.clear();
        level.added.resize(self.slots.len(), 0);
        level.slot_stamps.resize(self.slots.len(), 0);
        level.unions.clear();
        level.union_slots.clear();
    }

    /// Starts the union of the classes of a task's successors.
    pub(super) fn begin_union(&mut self) {
        self.level.now += 1;
        self.level.union.clear();
    }

    /// Adds the class with that id to the union.
    pub(super) fn unite(&mut self, id: u32) {
        let slot = self.slot[find(&mut self.forward, id) as usize];
        let level = &mut self.level;
        let stamp = &mut level.slot_stamps[slot as usize];
        if *stamp != level.now {
            *stamp = level.now;
            level.union.push(slot);
        }
    }

    /// Adds a task of that weight to the class of the union; its id.
    pub(super) fn add(&mut self, weight: u64) -> u32 {
        let slot = match *self.level.union {
            [slot] => slot,
            _ => self.union(),
        };
        self.level.added[slot as usize] += weight;
        self.slots[slot as usize].id
    }

    /// Gives the weights of the level to the classes and to `weights`, those of the groups.
    pub(super) fn end_level(&mut self, weights: &mut [u64]) {
        for (slot, &added) in self.slots.iter_mut().zip(&self.level.added) {
            if added > 0 {
                slot.weight += added;
                for &group in groups_of(&self.groups, slot) {
                    weights[group as usize] += added;
                }
            }
        }
    }

    /// The slot of the union at hand, made if need be.
    fn union(&mut self) -> u32 {
        let level = &mut self.level;
        let of_one = |&slot: &u32| self.slots[slot as usize].len == 1;
        if level.union.iter().all(of_one) {
            // As short as what would be looked up.
            return self.make_union();
        }
        let key = level.union.iter().fold(0, |key, &slot| key ^ hash(slot));
        if let Some(met) = level.unions.get(&key) {
            let slots = &level.union_slots[met.start as usize..][..met.len as usize];
            let same = slots.len() == level.union.len()
                && slots
                    .iter()
                    .all(|&slot| level.slot_stamps[slot as usize] == level.now);
            if same {
                return met.slot;
            }
        }
        let slot = self.make_union();
        let level = &mut self.level;
        let start = level.union_slots.len() as u32;
        level.union_slots.extend_from_slice(&level.union);
        level.unions.insert(
            key,
            Union {
                start,
                len: level.union.len() as u32,
                slot,
            },
        );
        slot
    }

    fn make_union(&mut self) -> u32 {
        self.index_slots();
        let Self {
            slots,
            groups,
            level,
            ..
        } = self;
        let start = groups.len();
        let mut key = 0;
        for &slot in &level.union {
            let Slot { start, len, .. } = slots[slot as usize];
            for at in start..start + len {
                let group = groups[at as usize];
                let stamp = &mut level.group_stamps[group as usize];
                if *stamp != level.now {
                    *stamp = level.now;
                    groups.push(group);
                    key ^= hash(group);
                }
            }
        }
        let len = (groups.len() - start) as u32;
        if let Some(&slot) = level.by_key.get(&key) {
            let other = &slots[slot as usize];
            let stamped = |&group: &u32| level.group_stamps[group as usize] == level.now;
            if other.len == len && groups_of(groups, other).iter().all(stamped) {
                groups.truncate(start);
                return slot;
            }
        }
        let (slot, id) = (slots.len() as u32, self.forward.len() as u32);
        slots.push(Slot {
            start: start as u32,
            len,
            id,
            weight: 0,
            key,
        });
        self.forward.push(id);
        self.slot.push(slot);
        level.slot_stamps.push(0);
        level.added.push(0);
        level.by_key.insert(key, slot);
        slot
    }

    fn index_slots(&mut self) {
        if !self.level.indexed {
            self.level.indexed = true;
            self.level.by_key.clear();
            // Room for as many again.
            self.level.by_key.reserve(2 * self.slots.len());
            self.level.by_key.extend(
                self.slots
                    .iter()
                    .zip(0..)
                    .map(|(class, slot)| (class.key, slot)),
            );
        }
    }

    /// Calls `from` by the label `to` in the groups of a slot that has `from`; false when it had `to` already.
    pub(super) fn rename(&mut self, slot: u32, from: u32, to: u32) -> bool {
        let class = &mut self.slots[slot as usize];
        let groups = &mut self.groups[class.start as usize..][..class.len as usize];
        let at = groups
            .iter()
            .position(|&group| group == from)
            .expect("a group is in its classes");
        class.key ^= hash(from);
        if groups.contains(&to) {
            groups.swap(at, class.len as usize - 1);
            class.len -= 1;
            false
        } else {
            groups[at] = to;
            class.key ^= hash(to);
            true
        }
    }

    /// Makes one of classes that merging has made equal, and closes the gaps.
    ///
    /// A class of one group may still call it by a label that it had before: `absorbed_by` leads from there to the group that has its
    /// tasks now.
    pub(super) fn coalesce(&mut self, absorbed_by: &mut [u32]) {
        let Self {
            slots,
            groups,
            forward,
            slot: slot_of,
            level,
        } = self;
        level.by_key.clear();
        let (mut kept, mut end) = (0, 0);
        for at in 0..slots.len() {
            let mut class = slots[at];
            if class.len == 1 {
                let group = &mut groups[class.start as usize];
                *group = find(absorbed_by, *group);
                class.key = hash(*group);
            }
            let twin = level.by_key.get(&class.key).copied().filter(|&twin| {
                let twin = &slots[twin as usize];
                level.now += 1;
                for &group in groups_of(groups, twin) {
                    level.group_stamps[group as usize] = level.now;
                }
                let stamped = |&group: &u32| level.group_stamps[group as usize] == level.now;
                twin.len == class.len && groups_of(groups, &class).iter().all(stamped)
            });
            if let Some(twin) = twin {
                let twin = &mut slots[twin as usize];
                twin.weight += class.weight;
                forward[class.id as usize] = twin.id;
                continue;
            }
            let start = class.start as usize;
            groups.copy_within(start..start + class.len as usize, end);
            slots[kept] = Slot {
                start: end as u32,
                ..class
            };
            slot_of[class.id as usize] = kept as u32;
            level.by_key.insert(class.key, kept as u32);
            kept += 1;
            end += class.len as usize;
        }
        slots.truncate(kept);
        groups.truncate(end);
        level.indexed = true;
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            slots: self.slots.clone(),
            groups: self.groups.clone(),
            ids: self.forward.len(),
        }
    }

    /// Takes back what was done since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.forward.truncate(saved.ids);
        self.slot.truncate(saved.ids);
        for (slot, at) in saved.slots.iter().zip(0..) {
            self.forward[slot.id as usize] = slot.id;
            self.slot[slot.id as usize] = at;
        }
        self.slots = saved.slots;
        self.groups = saved.groups;
        self.level.indexed = false;
    }
}

fn groups_of<'a>(groups: &'a [u32], slot: &Slot) -> &'a [u32] {
    &groups[slot.start as usize..][..slot.len as usize]
}

/// Where a chain of names ends; shortens it.
fn find(forward: &mut [u32], mut name: u32) -> u32 {
    loop {
        let next = forward[name as usize];
        if next == name {
            return name;
        }
        forward[name as usize] = forward[next as usize];
        name = next;
    }
}
