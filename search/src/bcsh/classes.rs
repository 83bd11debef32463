//! Membership classes: tasks that belong to the same groups, counted together.
//!
//! A task of the layer holds the *id* of its class, which never changes in a task. When merging
//! makes two classes equal, one is forwarded to the other. So a merge touches the classes of a
//! group, never its tasks. The tasks of one group alone have that group's label as class.

use crate::{
    group_sets::{GroupSet, GroupSets, groups_of},
    index::hash,
};

/// Classes: sets of groups with weights, of which none is left in a class that is forwarded.
pub(super) struct Classes {
    pub(super) sets: GroupSets,
    /// Length of the gaps between sets.
    gaps: usize,
    /// Id that each id is forwarded to, or itself.
    forward: Vec<u32>,
    /// Classes whose groups were renamed since [`coalesce`](Self::coalesce); some of them several
    /// times.
    renamed: Vec<u32>,
}

/// State that [`Classes::restore`] needs.
pub(super) struct Saved {
    sets: Vec<GroupSet>,
    groups: Vec<u32>,
    gaps: usize,
    forward: Vec<u32>,
}

impl Classes {
    /// Returns a class for each group, of that group alone, with the weights of their tasks; their
    /// ids are the groups'.
    pub(super) fn singletons(weights: &[u64]) -> Self {
        let mut sets = GroupSets::default();
        let ids = weights.iter().map(|&weight| sets.push_group(weight));
        let forward = ids.collect();
        Self {
            sets,
            gaps: 0,
            forward,
            renamed: Vec::new(),
        }
    }

    /// Returns the class that a task with that id is in by now.
    pub(super) fn find(&mut self, id: u32) -> u32 {
        find(&mut self.forward, id)
    }

    /// Adds the class with that id to the union at hand.
    pub(super) fn unite(&mut self, id: u32) {
        let class = self.find(id);
        self.sets.unite(class);
    }

    /// Adds a task of that weight to the class of the union; returns its id.
    pub(super) fn add(&mut self, weight: u64) -> u32 {
        let class = self.sets.union().expect("a task has readers in the layer");
        if class as usize == self.forward.len() {
            self.forward.push(class);
        }
        self.sets.add(class, weight);
        class
    }

    /// Calls `from` by the label `to` in the groups of a class of several that has `from`; returns
    /// false when it had `to` already.
    pub(super) fn rename(&mut self, id: u32, from: u32, to: u32) -> bool {
        let class = &mut self.sets.sets[id as usize];
        let members = &mut self.sets.groups[class.start as usize..][..class.len as usize];
        let at = members
            .iter()
            .position(|&group| group == from)
            .expect("a group is in its classes");
        class.key ^= hash(from);
        if !members.contains(&to) {
            members[at] = to;
            class.key ^= hash(to);
            self.renamed.push(id);
            return true;
        }
        members.swap(at, class.len as usize - 1);
        class.len -= 1;
        self.gaps += 1;
        if class.len == 1 {
            self.forward_to(id, to);
        } else {
            self.renamed.push(id);
        }
        false
    }

    /// Makes one of classes that renaming has made equal.
    pub(super) fn coalesce(&mut self) {
        let mut renamed = std::mem::take(&mut self.renamed);
        for id in renamed.drain(..) {
            let class = self.sets.sets[id as usize];
            if class.len == 0 {
                continue;
            }
            match self.sets.by_key.get(&class.key).copied() {
                Some(twin) if twin == id => {}
                Some(twin) if self.equal(id, twin) => self.forward_to(id, twin),
                _ => {
                    self.sets.by_key.insert(class.key, id);
                }
            }
        }
        self.renamed = renamed;
        if self.gaps > self.sets.groups.len() / 2 + self.sets.len() {
            self.close_gaps();
        }
        if self.sets.by_key.len() > 2 * self.sets.len() {
            self.index();
        }
    }

    fn equal(&mut self, a: u32, b: u32) -> bool {
        let GroupSets {
            sets,
            groups,
            in_set,
            ..
        } = &mut self.sets;
        let [a, b] = [a, b].map(|id| groups_of(groups, &sets[id as usize]));
        in_set.restart();
        for &group in a {
            in_set.insert(group);
        }
        a.len() == b.len() && b.iter().all(|&group| in_set.contains(group))
    }

    /// Adds the tasks of class `id` to those of `to`.
    pub(super) fn forward_to(&mut self, id: u32, to: u32) {
        let class = &mut self.sets.sets[id as usize];
        self.gaps += std::mem::take(&mut class.len) as usize;
        let weight = std::mem::take(&mut class.weight);
        self.sets.sets[to as usize].weight += weight;
        self.forward[id as usize] = to;
    }

    fn close_gaps(&mut self) {
        let mut end = 0;
        for class in &mut self.sets.sets {
            let start = class.start as usize;
            self.sets
                .groups
                .copy_within(start..start + class.len as usize, end);
            class.start = end as u32;
            end += class.len as usize;
        }
        self.sets.groups.truncate(end);
        self.gaps = 0;
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            sets: self.sets.sets.clone(),
            groups: self.sets.groups.clone(),
            gaps: self.gaps,
            forward: self.forward.clone(),
        }
    }

    /// Takes back all changes since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.sets
            .truncate(saved.sets.len(), self.sets.groups_made());
        self.sets.sets = saved.sets;
        self.sets.groups = saved.groups;
        self.gaps = saved.gaps;
        self.forward = saved.forward;
        self.index();
    }

    fn index(&mut self) {
        let GroupSets { sets, by_key, .. } = &mut self.sets;
        let shared = sets.iter().zip(0..).filter(|(set, _)| set.len > 1);
        by_key.clear();
        by_key.extend(shared.map(|(set, id)| (set.key, id)));
    }
}

/// Returns the end of a path of names; shortens the path.
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
