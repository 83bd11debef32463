//! Membership classes: tasks that belong to the same groups, counted together.
//!
//! A task of the layer holds the *id* of its class, which never changes in a task. When merging
//! makes two classes equal, one is forwarded to the other. So a merge touches the classes of a
//! group, never its tasks. The tasks of one group alone have that group's label as class.
//!
//! Sets of groups have no order. Each has a key, the exclusive or of a hash of each of its groups,
//! which follows a change in constant time. Equal keys are only taken as a hint: sets are compared.

use crate::index::{Index, hash};

/// Classes: sets of groups, hash-consed, with weights.
pub(super) struct Classes {
    classes: Vec<Class>,
    /// Groups of all classes, in the order of ids; with gaps.
    members: Vec<u32>,
    /// Length of the gaps.
    gaps: usize,
    /// Id that each id is forwarded to, or itself.
    forward: Vec<u32>,
    /// Classes of several groups by key; with entries that are out of date.
    by_key: Index<u32>,
    /// Classes whose groups were renamed since [`coalesce`](Self::coalesce); some of them several
    /// times.
    renamed: Vec<u32>,
    level: Level,
}

/// Class, which has no members when it is forwarded.
#[derive(Clone, Copy)]
struct Class {
    start: u32,
    len: u32,
    weight: u64,
    key: u64,
}

/// State that [`Classes::restore`] needs.
pub(super) struct Saved {
    classes: Vec<Class>,
    members: Vec<u32>,
    gaps: usize,
    forward: Vec<u32>,
}

/// State while a level is added.
#[derive(Default)]
struct Level {
    /// Classes of the union at hand, each once.
    union: Vec<u32>,
    /// Stamps of classes and of groups: equal to `now` when they are in the set at hand.
    class_stamps: Vec<u64>,
    group_stamps: Vec<u64>,
    now: u64,
    /// Weight that the level has added to each class, and the classes where that is not 0.
    added: Vec<u64>,
    touched: Vec<u32>,
    /// Unions met in this level, by key; the classes of each are in `union_classes`.
    unions: Index<Union>,
    union_classes: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Union {
    start: u32,
    len: u32,
    class: u32,
}

impl Classes {
    /// Returns a class for each group, of that group alone, with the weights of their tasks; their
    /// ids are the groups'.
    pub(super) fn singletons(weights: &[u64]) -> Self {
        let count = weights.len() as u32;
        let classes = (0..count).zip(weights);
        Self {
            classes: classes
                .map(|(id, &weight)| Class {
                    start: id,
                    len: 1,
                    weight,
                    key: hash(id),
                })
                .collect(),
            members: (0..count).collect(),
            gaps: 0,
            forward: (0..count).collect(),
            by_key: Index::default(),
            renamed: Vec::new(),
            level: Level {
                class_stamps: vec![0; weights.len()],
                group_stamps: vec![0; weights.len()],
                added: vec![0; weights.len()],
                ..Level::default()
            },
        }
    }

    /// Returns the number of ids.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns the groups of each class, none for one that is forwarded.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.classes
            .iter()
            .map(|class| members_of(&self.members, class))
    }

    /// Returns groups and weight of a class; no groups if it is forwarded.
    pub(super) fn members(&self, class: u32) -> (&[u32], u64) {
        let class = &self.classes[class as usize];
        (members_of(&self.members, class), class.weight)
    }

    /// Returns the class that a task with that id is in by now.
    pub(super) fn find(&mut self, id: u32) -> u32 {
        find(&mut self.forward, id)
    }

    /// Starts to add a level.
    pub(super) fn begin_level(&mut self) {
        let level = &mut self.level;
        // Clearing takes time for the room that a map has.
        if level.unions.capacity() > 64 + 8 * level.unions.len() {
            level.unions = Index::default();
        }
        level.unions.clear();
        level.union_classes.clear();
    }

    /// Starts the union of the classes of a task's successors.
    pub(super) fn begin_union(&mut self) {
        self.level.now += 1;
        self.level.union.clear();
    }

    /// Adds the class with that id to the union.
    pub(super) fn unite(&mut self, id: u32) {
        let class = find(&mut self.forward, id);
        let level = &mut self.level;
        let stamp = &mut level.class_stamps[class as usize];
        if *stamp != level.now {
            *stamp = level.now;
            level.union.push(class);
        }
    }

    /// Adds a task of that weight to the class of the union; returns its id.
    pub(super) fn add(&mut self, weight: u64) -> u32 {
        let class = match *self.level.union {
            [class] => class,
            _ => self.union(),
        };
        let added = &mut self.level.added[class as usize];
        if *added == 0 && weight > 0 {
            self.level.touched.push(class);
        }
        *added += weight;
        class
    }

    /// Gives the weights of the level to the classes, and calls `grown` for each class that has
    /// grown. It gets the groups, the weight that was added, and whether the class had weight
    /// before.
    pub(super) fn end_level(&mut self, mut grown: impl FnMut(&[u32], u64, bool)) {
        for class in self.level.touched.drain(..) {
            let added = std::mem::take(&mut self.level.added[class as usize]);
            let class = &mut self.classes[class as usize];
            let had_weight = class.weight > 0;
            class.weight += added;
            grown(members_of(&self.members, class), added, had_weight);
        }
    }

    /// Returns the class of the union at hand, made if need be.
    fn union(&mut self) -> u32 {
        let level = &mut self.level;
        let of_one = |&class: &u32| self.classes[class as usize].len == 1;
        if level.union.iter().all(of_one) {
            // As short as what would be looked up.
            return self.make_union();
        }
        let key = level.union.iter().fold(0, |key, &class| key ^ hash(class));
        if let Some(met) = level.unions.get(&key) {
            let classes = &level.union_classes[met.start as usize..][..met.len as usize];
            let same = classes.len() == level.union.len()
                && classes
                    .iter()
                    .all(|&class| level.class_stamps[class as usize] == level.now);
            if same {
                return met.class;
            }
        }
        let class = self.make_union();
        let level = &mut self.level;
        let start = level.union_classes.len() as u32;
        level.union_classes.extend_from_slice(&level.union);
        level.unions.insert(
            key,
            Union {
                start,
                len: level.union.len() as u32,
                class,
            },
        );
        class
    }

    fn make_union(&mut self) -> u32 {
        let Self {
            classes,
            members,
            level,
            ..
        } = self;
        let start = members.len();
        let mut key = 0;
        for &class in &level.union {
            let Class { start, len, .. } = classes[class as usize];
            for at in start..start + len {
                let group = members[at as usize];
                let stamp = &mut level.group_stamps[group as usize];
                if *stamp != level.now {
                    *stamp = level.now;
                    members.push(group);
                    key ^= hash(group);
                }
            }
        }
        let len = (members.len() - start) as u32;
        if let Some(&class) = self.by_key.get(&key) {
            let other = &classes[class as usize];
            let stamped = |&group: &u32| level.group_stamps[group as usize] == level.now;
            if other.len == len && members_of(members, other).iter().all(stamped) {
                members.truncate(start);
                return class;
            }
        }
        let id = classes.len() as u32;
        classes.push(Class {
            start: start as u32,
            len,
            weight: 0,
            key,
        });
        self.forward.push(id);
        level.class_stamps.push(0);
        level.added.push(0);
        self.by_key.insert(key, id);
        id
    }

    /// Moves the tasks that `from` has alone to `to`.
    pub(super) fn unite_own(&mut self, from: u32, to: u32) {
        self.forward_to(from, to);
    }

    /// Calls `from` by the label `to` in the groups of a class of several that has `from`; returns
    /// false when it had `to` already.
    pub(super) fn rename(&mut self, id: u32, from: u32, to: u32) -> bool {
        let class = &mut self.classes[id as usize];
        let members = &mut self.members[class.start as usize..][..class.len as usize];
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
            let class = self.classes[id as usize];
            if class.len == 0 {
                continue;
            }
            match self.by_key.get(&class.key).copied() {
                Some(twin) if twin == id => {}
                Some(twin) if self.equal(id, twin) => self.forward_to(id, twin),
                _ => {
                    self.by_key.insert(class.key, id);
                }
            }
        }
        self.renamed = renamed;
        if self.gaps > self.members.len() / 2 + self.classes.len() {
            self.close_gaps();
        }
        if self.by_key.len() > 2 * self.classes.len() {
            self.index();
        }
    }

    fn equal(&mut self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|id| members_of(&self.members, &self.classes[id as usize]));
        self.level.now += 1;
        let Level {
            group_stamps, now, ..
        } = &mut self.level;
        for &group in a {
            group_stamps[group as usize] = *now;
        }
        a.len() == b.len() && b.iter().all(|&group| group_stamps[group as usize] == *now)
    }

    /// Adds the tasks of class `id` to those of `to`.
    fn forward_to(&mut self, id: u32, to: u32) {
        let class = &mut self.classes[id as usize];
        self.gaps += std::mem::take(&mut class.len) as usize;
        let weight = std::mem::take(&mut class.weight);
        self.classes[to as usize].weight += weight;
        self.forward[id as usize] = to;
    }

    fn close_gaps(&mut self) {
        let mut end = 0;
        for class in &mut self.classes {
            let start = class.start as usize;
            self.members
                .copy_within(start..start + class.len as usize, end);
            class.start = end as u32;
            end += class.len as usize;
        }
        self.members.truncate(end);
        self.gaps = 0;
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            classes: self.classes.clone(),
            members: self.members.clone(),
            gaps: self.gaps,
            forward: self.forward.clone(),
        }
    }

    /// Takes back all changes since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.classes = saved.classes;
        self.members = saved.members;
        self.gaps = saved.gaps;
        self.forward = saved.forward;
        self.level.class_stamps.truncate(self.classes.len());
        self.level.added.truncate(self.classes.len());
        self.index();
    }

    fn index(&mut self) {
        self.by_key.clear();
        let shared = self
            .classes
            .iter()
            .zip(0..)
            .filter(|(class, _)| class.len > 1);
        self.by_key
            .extend(shared.map(|(class, id)| (class.key, id)));
    }
}

fn members_of<'a>(members: &'a [u32], class: &Class) -> &'a [u32] {
    &members[class.start as usize..][..class.len as usize]
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
