//! Growth of a layer: its groups, level by level.

use std::ops::Range;

use super::{classes::Classes, levelled::Levelled, merging::Merging};

/// Rule by which the groups of a layer come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Merged groups: one for each task of the first level at first. Those that share work are
    /// merged while they weigh no more than a processor's share of the layer, divided by this.
    Merged(u64),
    /// Seeds: so many groups for each processor, of tasks of the first level that are neighbours
    /// in memory.
    Seeds(u32),
}

/// Growth of a range of levels and its groups.
///
/// The tasks of the first level are put into groups by a [rule](Rule). The tasks of a further level
/// join every group that reads their values, so no group needs another inside the layer. One growth
/// is used for one layer after the other.
pub(super) struct Growth<'a> {
    graph: &'a Levelled<'a>,
    processors: u32,
    rule: Rule,
    /// Level after the last.
    pub(super) end: usize,
    first_rank: u32,
    /// Class of each task, by rank from `first_rank` on.
    ids: Vec<u32>,
    pub(super) classes: Classes,
    pub(super) groups: Groups,
    /// Work of the tasks, each counted once.
    pub(super) work: u64,
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
    /// Takes the weights of all groups away.
    pub(super) fn weigh_nothing(&mut self) {
        for weights in [&mut self.weights, &mut self.own] {
            weights.clear();
            weights.resize(self.positions.len(), 0);
        }
    }

    /// Adds the weight of tasks that are in these groups.
    pub(super) fn weigh(&mut self, members: &[u32], weight: u64) {
        for &group in members {
            self.weights[group as usize] += weight;
        }
        if let [group] = *members {
            self.own[group as usize] += weight;
        }
    }

    /// Adds a group without weight.
    fn push(&mut self, position: u32) {
        self.weights.push(0);
        self.own.push(0);
        self.positions.push(position);
    }
}

impl<'a> Growth<'a> {
    /// Returns the growth of no layer yet, for so many processors.
    pub(super) fn new(graph: &'a Levelled<'a>, processors: u32) -> Self {
        Self {
            graph,
            processors,
            rule: Rule::Merged(1),
            end: 0,
            first_rank: 0,
            ids: Vec::new(),
            classes: Classes::default(),
            groups: Groups::default(),
            work: 0,
            merging: Merging::default(),
        }
    }

    /// Starts a layer before a level.
    pub(super) fn start(&mut self, level: usize, rule: Rule) {
        self.rule = rule;
        self.end = level;
        self.first_rank = self.graph.start(level);
        self.ids.clear();
        self.classes.clear();
        self.groups.positions.clear();
        self.groups.weigh_nothing();
        self.work = 0;
    }

    /// Takes the next level in, and merges groups as the rule says. Calls `merged` with the new
    /// number of each class, if any were merged. Returns the number of steps that it took.
    pub(super) fn take_level(&mut self, merged: impl FnOnce(&[u32])) -> u64 {
        let ranks = self.graph.start(self.end)..self.graph.start(self.end + 1);
        let mut steps = self.graph.edges(ranks.clone()) + ranks.len() as u64;
        match self.rule {
            Rule::Seeds(parts) if self.ids.is_empty() => {
                self.take_seeds(ranks, (parts * self.processors) as usize);
            }
            _ => self.take_tasks(ranks),
        }
        self.end += 1;
        let groups = &mut self.groups;
        let sets = &mut self.classes.sets;
        sets.end_level(|members, added, _| groups.weigh(members, added));
        steps += sets.len() as u64;
        if let Rule::Merged(parts) = self.rule {
            let threshold = self.work / (parts * u64::from(self.processors));
            let merging = &mut self.merging;
            if merging.merge(&mut self.groups, &mut self.classes, threshold) {
                self.classes.renumber(&mut self.ids);
                merged(&merging.remap);
            }
            steps += self.merging.steps;
        }
        steps
    }

    /// Takes tasks in, each into all groups that read its value, or into one of its own.
    fn take_tasks(&mut self, ranks: Range<u32>) {
        let (graph, first) = (self.graph, self.first_rank);
        for rank in ranks {
            let weight = graph.weight(rank);
            let successors = graph.successors(rank).iter();
            let inside = successors.take_while(|&&successor| successor >= first);
            let ids = &self.ids;
            let ids = inside.map(|successor| ids[(successor - first) as usize]);
            let id = self.classes.unite(ids, weight);
            self.work += weight;
            if self.classes.sets.groups_made() > self.groups.positions.len() {
                self.groups.push(graph.position(rank));
            }
            self.ids.push(id);
        }
    }

    /// Takes the first level in: so many groups of neighbours in memory at most.
    fn take_seeds(&mut self, ranks: Range<u32>, most: usize) {
        let (graph, count) = (self.graph, ranks.len());
        let seeds = most.min(count);
        let mut seed = 0;
        for (rank, at) in ranks.zip(0..) {
            if at * seeds / count == self.groups.positions.len() {
                self.groups.push(graph.position(rank));
                seed = self.classes.push_group();
            }
            let weight = graph.weight(rank);
            self.work += weight;
            let id = self.classes.unite([seed].into_iter(), weight);
            self.ids.push(id);
        }
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
}
