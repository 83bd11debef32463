//! Growth of a layer: its groups, level by level.

use std::ops::Range;

use super::{classes::Classes, levelled::Levelled, merging::Merging};

/// Growth of a range of levels and its groups.
///
/// Each task of the first level is a group at first. The tasks of a further level join every group
/// that reads their values, so no group needs another inside the layer. One growth is used for one
/// layer after the other.
#[derive(Default)]
pub(super) struct Growth {
    /// Level after the last.
    end_level: usize,
    first_rank: u32,
    /// Class of each task, by rank from `first_rank` on.
    ids: Vec<u32>,
    pub(super) classes: Classes,
    pub(super) groups: Groups,
    /// Work of the tasks, each counted once.
    work: u64,
    /// Number of groups into which the tasks of the first level are put; 0: each task is one.
    seeds: usize,
    merging: Merging,
}

/// Weights and position of each group.
#[derive(Default)]
pub(super) struct Groups {
    /// Weight of each group, tasks that are in other groups, too, included.
    pub(super) weights: Vec<u64>,
    /// Weight of the tasks that are in no other group.
    pub(super) own: Vec<u64>,
    /// Least position of its tasks of the first level.
    pub(super) positions: Vec<u32>,
}

impl Groups {
    /// Adds a group without weight.
    fn push(&mut self, position: u32) {
        self.weights.push(0);
        self.own.push(0);
        self.positions.push(position);
    }
}

impl Growth {
    /// Starts a layer before a level.
    pub(super) fn start(&mut self, graph: &Levelled<'_>, level: usize, seeds: usize) {
        self.end_level = level;
        self.first_rank = graph.start(level);
        self.ids.clear();
        self.classes.reset();
        self.groups.weights.clear();
        self.groups.own.clear();
        self.groups.positions.clear();
        self.work = 0;
        self.seeds = seeds;
    }

    /// Takes the next level in; returns the number of edges and tasks looked at.
    pub(super) fn take_level(&mut self, graph: &Levelled<'_>) -> u64 {
        let first = self.first_rank;
        let ranks = graph.start(self.end_level)..graph.start(self.end_level + 1);
        if self.ids.is_empty() && self.seeds > 0 {
            self.take_seeds(graph, ranks.clone());
        } else {
            for rank in ranks.clone() {
                let weight = graph.weight(rank);
                let successors = graph.successors(rank).iter();
                let inside = successors.take_while(|&&successor| successor >= first);
                let ids = &self.ids;
                let ids = inside.map(|successor| ids[(successor - first) as usize]);
                let id = self.classes.unite(ids, weight);
                self.work += weight;
                if self.classes.groups() > self.groups.positions.len() {
                    self.groups.push(graph.position(rank));
                }
                self.ids.push(id);
            }
        }
        self.end_level += 1;
        self.end_level();
        graph.edges(ranks.clone()) + ranks.len() as u64
    }

    /// Takes the first level in: groups of neighbours in memory.
    fn take_seeds(&mut self, graph: &Levelled<'_>, ranks: Range<u32>) {
        let count = ranks.len();
        let seeds = self.seeds.min(count);
        for (rank, at) in ranks.zip(0..) {
            let seed = at * seeds / count;
            if seed == self.groups.positions.len() {
                self.groups.push(graph.position(rank));
                self.classes.new_group();
            }
            let weight = graph.weight(rank);
            self.work += weight;
            let id = self.classes.unite([seed as u32].into_iter(), weight);
            self.ids.push(id);
        }
    }

    fn end_level(&mut self) {
        let groups = &mut self.groups;
        self.classes.end_level(|members, added| {
            for &group in members {
                groups.weights[group as usize] += added;
            }
            if let [group] = *members {
                groups.own[group as usize] += added;
            }
        });
    }

    /// Merges groups that share work while the union weighs at most `threshold`; returns, if any
    /// were merged, the new number of each class.
    pub(super) fn merge(&mut self, threshold: u64) -> Option<&[u32]> {
        let merging = &mut self.merging;
        if !merging.merge(&mut self.groups, &mut self.classes, threshold) {
            return None;
        }
        if self.classes.ids() > 4 * self.classes.len() + 1000 {
            for id in &mut self.ids {
                *id = self.classes.class_of(*id);
            }
            self.classes.renumber();
        }
        Some(&merging.remap)
    }

    /// Returns the steps of the last merging.
    pub(super) fn steps_of_merging(&self) -> u64 {
        self.merging.steps
    }

    /// Returns the level after the last.
    pub(super) fn end(&self) -> usize {
        self.end_level
    }

    /// Returns the ranks of the tasks.
    pub(super) fn ranks(&self) -> Range<u32> {
        self.first_rank..self.first_rank + self.ids.len() as u32
    }

    /// Returns the class of a task of the layer.
    pub(super) fn class_of(&self, rank: u32) -> u32 {
        let id = self.ids[(rank - self.first_rank) as usize];
        self.classes.class_of(id)
    }

    /// Returns the work of the tasks, each counted once.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Returns the number of groups.
    pub(super) fn groups(&self) -> usize {
        self.groups.weights.len()
    }
}
