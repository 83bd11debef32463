//! The groups of a layer: growth by a level, and merging.

use std::cmp::Reverse;

use superstep_dag_builder::TaskGraph;

use super::{
    NONE,
    chains::Chains,
    classes::Classes,
    placement::Deal,
    tables::{Table, Tables},
};

/// Groups that share work with so many others get a table when they are met again.
const MANY: usize = 8;

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

/// The groups of a layer.
///
/// A group starts as one task of the layer's first level, its *seed*. When a group is merged into another, the union has the seed of the
/// other, which says where it comes among groups of equal weight. What classes call a group is its *label*: of the two labels that of the
/// group with more classes remains, so that those of the smaller one are renamed.
pub(super) struct Groups {
    classes: Classes,
    /// Weight of each group, by label; of no meaning for a label that is gone.
    weights: Vec<u64>,
    /// Seed of each group, by label.
    seeds: Vec<u32>,
    /// The labels that are left.
    alive: Vec<u32>,
    scratch: Scratch,
}

/// What [`Groups::restore`] needs.
pub(super) struct Saved {
    classes: super::classes::Saved,
    weights: Vec<u64>,
    seeds: Vec<u32>,
    alive: Vec<u32>,
}

/// Memory of a merge pass, kept from one to the next.
#[derive(Default)]
struct Scratch {
    /// Work that the group at hand shares with each group, 0 between uses.
    common: Vec<u64>,
    touched: Vec<u32>,
    /// The groups by weight, then seed. What is merged stands where the group stands that it was merged into.
    order: Vec<u32>,
    /// Place of each group in the order.
    position: Vec<u32>,
    /// For each label the one that replaces it in this pass, or itself.
    absorbed_by: Vec<u32>,
    chains: Chains,
    /// Whether the classes of a group were visited in this pass.
    visited: Vec<bool>,
    tables: Tables,
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
        let labels = 0..level.len() as u32;
        Self {
            classes: Classes::singletons(&weights),
            weights,
            seeds: labels.clone().collect(),
            alive: labels.collect(),
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
    /// A group goes into the partner with which it shares most (of these the lightest before the pass, then the lowest seed). The union is
    /// merged again if the partner's turn is still to come.
    ///
    /// Cost: (classes of groups) times (groups of a class) times a logarithm; once for each label that a group loses.
    pub(super) fn merge(&mut self, threshold: u64) {
        self.start_pass();
        let mut merged = false;
        for at in 0..self.alive.len().saturating_sub(1) {
            let group = self.scratch.order[at];
            if self.scratch.position[group as usize] != at as u32 {
                continue;
            }
            if let Some((partner, common)) = self.partner(group, threshold) {
                self.absorb(group, partner, common);
                merged = true;
            } else {
                self.scratch.tables.remove(group);
            }
        }
        if merged {
            let position = &self.scratch.position;
            self.alive.retain(|&group| position[group as usize] != NONE);
            self.classes.coalesce(&mut self.scratch.absorbed_by);
        }
    }

    /// Puts the groups in order.
    fn start_pass(&mut self) {
        let labels = self.weights.len();
        let Scratch {
            order,
            position,
            absorbed_by,
            chains,
            visited,
            tables,
            ..
        } = &mut self.scratch;
        order.clone_from(&self.alive);
        order.sort_unstable_by_key(|&group| {
            (self.weights[group as usize], self.seeds[group as usize])
        });
        position.resize(labels, NONE);
        for (&group, place) in order.iter().zip(0..) {
            position[group as usize] = place;
        }
        absorbed_by.clear();
        absorbed_by.extend(0..labels as u32);
        chains.build(labels, &self.classes);
        visited.clear();
        visited.resize(labels, false);
        tables.clear(labels);
    }

    /// The group into which `group` is to be merged, and the work that they share.
    fn partner(&mut self, group: u32, threshold: u64) -> Option<(u32, u64)> {
        let weight = self.weights[group as usize];
        if weight >= threshold {
            return None;
        }
        if self.scratch.tables.get(group).is_none() {
            self.visit(group);
            let met_again = std::mem::replace(&mut self.scratch.visited[group as usize], true);
            if !met_again || self.scratch.touched.len() < MANY {
                return self.best_touched(group, threshold);
            }
            self.tabulate(group);
        }
        let Scratch {
            position, tables, ..
        } = &mut self.scratch;
        tables.get(group)?.take_best(position, |other, common| {
            weight + self.weights[other as usize] - common < threshold
        })
    }

    /// Finds the work that `group` shares with each group, itself included, from its classes.
    fn visit(&mut self, group: u32) {
        let Scratch {
            common,
            touched,
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
    }

    /// The best of the groups just found.
    fn best_touched(&mut self, group: u32, threshold: u64) -> Option<(u32, u64)> {
        let Scratch {
            common,
            touched,
            position,
            ..
        } = &mut self.scratch;
        let weight = self.weights[group as usize];
        let mut best: Option<((Reverse<u64>, u32), u32, u64)> = None;
        for other in touched.drain(..) {
            let common = std::mem::take(&mut common[other as usize]);
            let feasible =
                other != group && weight + self.weights[other as usize] - common < threshold;
            let rank = (Reverse(common), position[other as usize]);
            if feasible && best.is_none_or(|(best, ..)| rank < best) {
                best = Some((rank, other, common));
            }
        }
        best.map(|(_, other, common)| (other, common))
    }

    /// Makes a table of the groups just found.
    fn tabulate(&mut self, group: u32) {
        let Scratch {
            common,
            touched,
            position,
            tables,
            ..
        } = &mut self.scratch;
        let mut table = Table::default();
        for other in touched.drain(..) {
            let common = std::mem::take(&mut common[other as usize]);
            if other != group {
                table.add(other, common, position);
            }
        }
        tables.insert(group, table);
    }

    /// Puts the tasks of `group` into `partner`, under one of their labels.
    fn absorb(&mut self, group: u32, partner: u32, common: u64) {
        let Scratch {
            order,
            position,
            absorbed_by,
            chains,
            tables,
            ..
        } = &mut self.scratch;
        let weight = self.weights[group as usize] + self.weights[partner as usize] - common;
        let place = position[partner as usize];
        // A partner whose turn is over is not moved any more: each class is renamed for it once, whatever it has.
        let to_come = place > position[group as usize];
        let (to, from) = if to_come && chains.len(group) > chains.len(partner) {
            (group, partner)
        } else {
            (partner, group)
        };
        self.seeds[to as usize] = self.seeds[partner as usize];
        self.weights[to as usize] = weight;
        order[place as usize] = to;
        position[to as usize] = place;
        position[from as usize] = NONE;
        absorbed_by[from as usize] = to;
        tables.remove(from);
        let classes = &mut self.classes;
        chains.append(from, to, |class| {
            let joins = classes.rename(class, from, to);
            if joins {
                let (members, weight) = classes.members(class);
                tables.join(to, members, weight, position);
            }
            joins
        });
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            classes: self.classes.save(),
            weights: self.weights.clone(),
            seeds: self.seeds.clone(),
            alive: self.alive.clone(),
        }
    }

    /// Takes back what was grown and merged since `saved`.
    pub(super) fn restore(&mut self, saved: Saved) {
        self.classes.restore(saved.classes);
        self.weights = saved.weights;
        self.seeds = saved.seeds;
        self.alive = saved.alive;
    }

    /// The groups, known by their seeds, ready to be dealt to processors.
    pub(super) fn deal(&self) -> Deal {
        Deal::new(
            self.alive
                .iter()
                .map(|&group| (self.weights[group as usize], self.seeds[group as usize]))
                .collect(),
        )
    }

    /// The seed of each group, by label.
    pub(super) fn seeds(&self) -> &[u32] {
        &self.seeds
    }

    /// The labels of the groups of each class.
    pub(super) fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.classes.iter()
    }

    /// Place in [`classes`](Self::classes) of the class that a task was given.
    pub(super) fn class_of(&self, class: u32) -> usize {
        self.classes.slot(class)
    }
}
