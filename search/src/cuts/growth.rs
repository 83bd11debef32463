//! Growth of a layer: its groups, level by level.

use std::ops::Range;

use super::{classes::Classes, leveled::Leveled, merging::Merging};

/// Growth of a range of levels and its groups.
///
/// Each task of the first level is a group at first; the tasks of a further level join every group
/// that reads their values, so that no group needs another inside the layer. One growth is used for
/// one layer after the other.
#[derive(Default)]
pub(super) struct Growth {
    /// Level after the last.
    end_level: usize,
    first_place: u32,
    /// Class of each task, by place from `first_place` on.
    ids: Vec<u32>,
    pub(super) classes: Classes,
    pub(super) groups: Groups,
    /// Work of the tasks, each counted once.
    work: u64,
    /// Number of groups into which the tasks of the first level are put; 0: each task is one.
    blocks: usize,
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
    pub(super) fn start(&mut self, graph: &Leveled<'_>, level: usize, blocks: usize) {
        self.end_level = level;
        self.first_place = graph.start(level);
        self.ids.clear();
        self.classes.reset();
        self.groups.weights.clear();
        self.groups.own.clear();
        self.groups.positions.clear();
        self.work = 0;
        self.blocks = blocks;
    }

    /// Takes the next level in; returns the number of edges and tasks looked at.
    pub(super) fn take_level(&mut self, graph: &Leveled<'_>) -> u64 {
        let first = self.first_place;
        let places = graph.start(self.end_level)..graph.start(self.end_level + 1);
        if self.ids.is_empty() && self.blocks > 0 {
            self.take_blocks(graph, places.clone());
        } else {
            for place in places.clone() {
                let weight = graph.weight(place);
                let successors = graph.successors(place).iter();
                let inside = successors.take_while(|&&successor| successor >= first);
                let ids = &self.ids;
                let ids = inside.map(|successor| ids[(successor - first) as usize]);
                let id = self.classes.unite(ids, weight);
                self.work += weight;
                if self.classes.groups() > self.groups.positions.len() {
                    self.groups.push(graph.position(place));
                }
                self.ids.push(id);
            }
        }
        self.end_level += 1;
        self.end_level();
        graph.edges(places.clone()) + places.len() as u64
    }

    /// Takes the first level in: groups of neighbours in memory.
    fn take_blocks(&mut self, graph: &Leveled<'_>, places: Range<u32>) {
        let count = places.len();
        let blocks = self.blocks.min(count);
        for (place, at) in places.zip(0..) {
            let block = at * blocks / count;
            if block == self.groups.positions.len() {
                self.groups.push(graph.position(place));
                self.classes.new_group();
            }
            let weight = graph.weight(place);
            self.work += weight;
            let id = self.classes.unite([block as u32].into_iter(), weight);
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
    /// were merged, the new slot of each slot of the classes.
    pub(super) fn merge(&mut self, threshold: u64) -> Option<&[u32]> {
        let merging = &mut self.merging;
        if !merging.merge(&mut self.groups, &mut self.classes, threshold) {
            return None;
        }
        if self.classes.ids() > 4 * self.classes.len() + 1000 {
            for id in &mut self.ids {
                *id = self.classes.slot_of(*id);
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

    /// Returns the places of the tasks.
    pub(super) fn places(&self) -> Range<u32> {
        self.first_place..self.first_place + self.ids.len() as u32
    }

    /// Returns the slot of the class of a task of the layer.
    pub(super) fn slot_of(&self, place: u32) -> u32 {
        let id = self.ids[(place - self.first_place) as usize];
        self.classes.slot_of(id)
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
