//! The groups of a layer: growth by a level, and merging.

use superstep_dag_builder::TaskGraph;

use super::{classes::Classes, placement::Deal};

/// Nothing: the end of a chain, or a group that is not there.
const NONE: u32 = u32::MAX;

/// Marks what is known of a task of a finished layer.
const FINISHED: u32 = 1 << 31;

/// For each task of the layer that is being collected its class; for each task of a finished layer what the finisher noted.
pub(super) struct TaskClasses(Vec<u32>);

impl TaskClasses {
    pub(super) fn new(tasks: usize) -> Self {
        Self(vec![0; tasks])
    }

    /// The class of a task of this layer, or what was noted of a finished one.
    pub(super) fn get(&self, task: u32) -> u32 {
        self.0[task as usize] & !FINISHED
    }

    /// Notes what the finisher wants to know of a task.
    pub(super) fn finish(&mut self, task: u32, note: u32) {
        self.0[task as usize] = FINISHED | note;
    }
}

/// The groups of a layer. A group is known by its seed: the place of its first task in the layer's first level.
pub(super) struct Groups {
    classes: Classes,
    /// Weight of each group, by id; of no meaning for a group that was merged into another.
    weights: Vec<u64>,
    /// The groups that are left.
    alive: Vec<u32>,
    scratch: Scratch,
}

/// What [`Groups::restore`] needs.
pub(super) struct Saved {
    classes: super::classes::Saved,
    weights: Vec<u64>,
    alive: Vec<u32>,
}

/// Memory of a merge pass, kept from one to the next.
#[derive(Default)]
struct Scratch {
    /// Work that the group at hand shares with each group, 0 between uses.
    common: Vec<u64>,
    touched: Vec<u32>,
    /// Place of each group in the ascending order.
    position: Vec<u32>,
    /// For each group the one that it was merged into in this pass, or itself.
    absorbed_by: Vec<u32>,
    chains: Chains,
}

/// For each group the classes that it shares with other groups, as linked lists. A class that came to be of one group alone is dropped when
/// it is met: nothing is left to find in it, and a group that swallows one neighbour after the other must not carry it along.
#[derive(Default)]
struct Chains {
    first: Vec<u32>,
    last: Vec<u32>,
    next: Vec<u32>,
    class: Vec<u32>,
}

impl Groups {
    /// One group for each task of a level.
    pub(super) fn new(graph: &TaskGraph, level: &[u32], tasks: &mut TaskClasses) -> Self {
        let weights: Vec<u64> = level
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .collect();
        for (&task, class) in level.iter().zip(0..) {
            tasks.0[task as usize] = class;
        }
        let scratch = Scratch {
            common: vec![0; level.len()],
            ..Scratch::default()
        };
        let alive = (0..level.len() as u32).collect();
        Self {
            classes: Classes::singletons(&weights),
            weights,
            alive,
            scratch,
        }
    }

    /// Takes a level in: each task joins every group that has a successor of it in this layer.
    pub(super) fn grow(&mut self, graph: &TaskGraph, level: &[u32], tasks: &mut TaskClasses) {
        self.classes.begin_level();
        for &task in level {
            self.classes.begin_union();
            for &successor in graph.successors(task) {
                let class = tasks.0[successor as usize];
                if class & FINISHED == 0 {
                    self.classes.unite(class);
                }
            }
            tasks.0[task as usize] = self.classes.add(u64::from(graph.weight(task)));
        }
        self.classes.end_level(&mut self.weights);
    }

    /// Merges groups that share work, lightest first, each at most once, while the union weighs less than `threshold`.
    ///
    /// A group goes into the partner with which it shares most (of these the lightest before the pass, then the lowest id).
    pub(super) fn merge(&mut self, threshold: u64) {
        let order = self.ascending();
        self.scratch.position.resize(self.weights.len(), 0);
        for (&group, position) in order.iter().zip(0..) {
            self.scratch.position[group as usize] = position;
        }
        self.scratch.absorbed_by.clear();
        self.scratch
            .absorbed_by
            .extend(0..self.weights.len() as u32);
        self.scratch.chains.build(self.weights.len(), &self.classes);
        let mut merged = false;
        for &group in &order[..order.len().saturating_sub(1)] {
            if self.scratch.position[group as usize] == NONE {
                continue;
            }
            if let Some((partner, common)) = self.partner(group, threshold) {
                self.absorb(group, partner, common);
                merged = true;
            }
        }
        if merged {
            let position = &self.scratch.position;
            self.alive.retain(|&group| position[group as usize] != NONE);
            self.classes.coalesce(&mut self.scratch.absorbed_by);
        }
    }

    /// The groups that are left, by weight, then id.
    fn ascending(&self) -> Vec<u32> {
        let mut order = self.alive.clone();
        order.sort_unstable_by_key(|&group| (self.weights[group as usize], group));
        order
    }

    /// The group into which `group` is to be merged, and the work that they share.
    fn partner(&mut self, group: u32, threshold: u64) -> Option<(u32, u64)> {
        let weight = self.weights[group as usize];
        if weight >= threshold {
            return None;
        }
        let Scratch {
            common,
            touched,
            position,
            chains,
            ..
        } = &mut self.scratch;
        chains.retain(group, |class| {
            let (members, shared) = self.classes.members(class);
            if shared > 0 && members.len() > 1 {
                for &other in members {
                    let common = &mut common[other as usize];
                    if *common == 0 {
                        touched.push(other);
                    }
                    *common += shared;
                }
            }
            members.len() > 1
        });
        let mut best: Option<((std::cmp::Reverse<u64>, u32), u32, u64)> = None;
        for other in touched.drain(..) {
            let common = std::mem::take(&mut common[other as usize]);
            let feasible =
                other != group && weight + self.weights[other as usize] - common < threshold;
            let rank = (std::cmp::Reverse(common), position[other as usize]);
            if feasible && best.is_none_or(|(best, ..)| rank < best) {
                best = Some((rank, other, common));
            }
        }
        best.map(|(_, other, common)| (other, common))
    }

    /// Puts the tasks of `group` into `partner`.
    fn absorb(&mut self, group: u32, partner: u32, common: u64) {
        self.weights[partner as usize] += self.weights[group as usize] - common;
        self.scratch.position[group as usize] = NONE;
        self.scratch.absorbed_by[group as usize] = partner;
        let classes = &mut self.classes;
        self.scratch.chains.append(group, partner, |class| {
            classes.rename(class, group, partner)
        });
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            classes: self.classes.save(),
            weights: self.weights.clone(),
            alive: self.alive.clone(),
        }
    }

    /// Takes back what was grown and merged since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.classes.restore(saved.classes);
        self.weights = saved.weights;
        self.alive = saved.alive;
    }

    /// The groups, ready to be dealt to processors.
    pub(super) fn deal(&self) -> Deal {
        Deal::new(
            self.alive
                .iter()
                .map(|&group| (self.weights[group as usize], group))
                .collect(),
        )
    }

    /// Number of ids of groups.
    pub(super) fn seeds(&self) -> usize {
        self.weights.len()
    }

    /// The groups of each class.
    pub(super) fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.classes.iter()
    }

    /// Place in [`classes`](Self::classes) of the class that a task was given.
    pub(super) fn class_of(&self, class: u32) -> usize {
        self.classes.slot(class)
    }
}

impl Chains {
    fn build(&mut self, groups: usize, classes: &Classes) {
        self.next.clear();
        self.class.clear();
        self.first.clear();
        self.first.resize(groups, NONE);
        self.last.clear();
        self.last.resize(groups, NONE);
        for (members, class) in classes.iter().zip(0..) {
            if members.len() == 1 {
                continue;
            }
            for &group in members {
                let link = self.next.len() as u32;
                self.next.push(NONE);
                self.class.push(class);
                self.attach(group, link);
            }
        }
    }

    fn attach(&mut self, group: u32, link: u32) {
        match self.last[group as usize] {
            NONE => self.first[group as usize] = link,
            last => self.next[last as usize] = link,
        }
        self.last[group as usize] = link;
    }

    /// Visits the classes of a group and drops those for which `keep` does not hold.
    fn retain(&mut self, group: u32, mut keep: impl FnMut(u32) -> bool) {
        let mut link = std::mem::replace(&mut self.first[group as usize], NONE);
        self.last[group as usize] = NONE;
        while link != NONE {
            let next = std::mem::replace(&mut self.next[link as usize], NONE);
            if keep(self.class[link as usize]) {
                self.attach(group, link);
            }
            link = next;
        }
    }

    /// Moves the classes of `from` for which `keep` holds to `to`.
    fn append(&mut self, from: u32, to: u32, mut keep: impl FnMut(u32) -> bool) {
        let mut link = self.first[from as usize];
        while link != NONE {
            let next = std::mem::replace(&mut self.next[link as usize], NONE);
            if keep(self.class[link as usize]) {
                self.attach(to, link);
            }
            link = next;
        }
    }
}
