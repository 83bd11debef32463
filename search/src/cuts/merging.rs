//! Merging of groups that share work.

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_order::Rows;

use super::{classes::Classes, growth::Groups};

/// Mark of a group that is in no cluster yet.
const FRESH: u32 = u32::MAX;

/// Memory of a merge sweep, kept from one to the next.
#[derive(Default)]
pub(super) struct Merging {
    order: Vec<u32>,
    /// Cluster of each group.
    cluster: Vec<u32>,
    /// Shared classes of each group.
    classes: Rows<u32>,
    /// Last cluster that has met each class.
    met: Vec<u32>,
    /// Work that each fresh group shares with the cluster at hand; the groups for which it is not
    /// 0.
    common: Vec<u64>,
    touched: Vec<u32>,
    /// Heap of (work shared, groups to prefer, group); some entries are out of date.
    best: BinaryHeap<(u64, Reverse<u32>, u32)>,
    /// New number of each class before the last merge.
    pub(super) remap: Vec<u32>,
    /// Steps of the last sweep.
    pub(super) steps: u64,
}

impl Merging {
    /// Grows clusters, lightest group first, each by the group that shares most work with it, while
    /// the union weighs at most `threshold`. Returns whether anything was merged.
    pub(super) fn merge(
        &mut self,
        groups: &mut Groups,
        classes: &mut Classes,
        threshold: u64,
    ) -> bool {
        self.steps = groups.weights.len() as u64;
        if !self.order(groups, threshold) {
            return false;
        }
        self.steps += 4 * classes.members() as u64;
        let is_shared = |members: &[u32], weight| members.len() > 1 && weight > 0;
        self.classes = classes.by_group(groups.weights.len(), is_shared);
        self.cluster.clear();
        self.cluster.resize(groups.weights.len(), FRESH);
        self.common.resize(groups.weights.len(), 0);
        self.met.clear();
        self.met.resize(classes.sets.len(), FRESH);
        let mut merged = false;
        for at in 0..self.order.len() {
            let seed = self.order[at];
            if self.cluster[seed as usize] == FRESH {
                merged |= self.grow(seed, groups, classes, threshold);
            }
        }
        if merged {
            self.rename(groups, classes);
        }
        merged
    }

    /// Puts the groups that may find a partner in order: by weight, then position. Returns false if
    /// there are none.
    fn order(&mut self, groups: &Groups, threshold: u64) -> bool {
        // Least weight of a union: that of the one, and of the other's own tasks.
        let (mut least, mut second) = ((u64::MAX, 0), u64::MAX);
        for (&own, group) in groups.own.iter().zip(0u32..) {
            if own < least.0 {
                second = least.0;
                least = (own, group);
            } else {
                second = second.min(own);
            }
        }
        let may = |&group: &u32| {
            let other = if least.1 == group { second } else { least.0 };
            groups.weights[group as usize].saturating_add(other) <= threshold
        };
        self.order.clear();
        self.order
            .extend((0..groups.weights.len() as u32).filter(may));
        self.order.sort_unstable_by_key(|&group| {
            (
                groups.weights[group as usize],
                groups.positions[group as usize],
                group,
            )
        });
        !self.order.is_empty()
    }

    /// Grows the cluster of `seed`, by whose number it is known; returns whether it found any
    /// partner.
    fn grow(&mut self, seed: u32, groups: &Groups, classes: &Classes, threshold: u64) -> bool {
        let mut weight = groups.weights[seed as usize];
        self.join(seed, seed, groups, classes);
        let mut merged = false;
        while let Some((common, _, group)) = self.best.pop() {
            if self.cluster[group as usize] != FRESH || self.common[group as usize] != common {
                continue;
            }
            let union = weight + groups.weights[group as usize] - common;
            // A union that is too heavy stays so.
            if union <= threshold {
                weight = union;
                self.join(group, seed, groups, classes);
                merged = true;
            }
        }
        for group in self.touched.drain(..) {
            self.common[group as usize] = 0;
        }
        merged
    }

    /// Puts a group into a cluster.
    fn join(&mut self, group: u32, cluster: u32, groups: &Groups, classes: &Classes) {
        self.cluster[group as usize] = cluster;
        for &class in self.classes.row(group as usize) {
            if std::mem::replace(&mut self.met[class as usize], cluster) == cluster {
                continue;
            }
            let (members, weight) = classes.sets.get(class);
            self.steps += 4 * members.len() as u64;
            for &other in members {
                if self.cluster[other as usize] != FRESH {
                    continue;
                }
                let common = &mut self.common[other as usize];
                if *common == 0 {
                    self.touched.push(other);
                }
                *common += weight;
                self.best
                    .push((*common, Reverse(groups.positions[other as usize]), other));
            }
        }
    }

    /// Makes each cluster a group.
    fn rename(&mut self, groups: &mut Groups, classes: &mut Classes) {
        let count = self.cluster.len();
        // The new number of each cluster, at its seed.
        let numbers = &mut self.met;
        numbers.resize(count, 0);
        let mut kept = 0;
        for (cluster, group) in self.cluster.iter_mut().zip(0..) {
            if *cluster == FRESH {
                *cluster = group;
            }
            if *cluster == group {
                numbers[group as usize] = kept;
                kept += 1;
            }
        }
        for cluster in &mut self.cluster {
            *cluster = numbers[*cluster as usize];
        }
        let positions = std::mem::take(&mut groups.positions);
        groups.positions.resize(kept as usize, u32::MAX);
        for (&position, &cluster) in positions.iter().zip(&self.cluster) {
            let least = &mut groups.positions[cluster as usize];
            *least = position.min(*least);
        }
        classes.rename(&self.cluster, kept as usize, &mut self.remap);
        groups.weigh_nothing();
        for (members, weight) in classes.sets.iter() {
            groups.weigh(members, weight);
        }
    }
}
