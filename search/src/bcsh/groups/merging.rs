//! Merge sweep over groups that share work.

use std::cmp::Reverse;

use super::{
    super::{
        NONE,
        tables::{Table, Tables},
        watch::NEVER,
    },
    Groups,
};

/// Number of other groups sharing work from which a group gets a table when it is met again.
const MANY: usize = 8;

/// State of a merge sweep, and memory from one to the next.
pub(super) struct Sweep {
    /// Number of the sweep.
    number: u32,
    /// Groups that may find a partner, by rank. A merged group stands where the group stands that
    /// it was merged into.
    order: Vec<u32>,
    /// Index in the order of each group that may find a partner or be one, [`NONE`] for the others.
    position: Vec<u32>,
    /// Work that the group at hand shares with each group, 0 between uses.
    common: Vec<u64>,
    touched: Vec<u32>,
    /// Sweep in which the classes of a group were last visited.
    visited: Vec<u32>,
    tables: Tables,
}

impl Sweep {
    pub(super) fn new(groups: usize) -> Self {
        Self {
            number: 0,
            order: Vec::new(),
            position: vec![NONE; groups],
            common: vec![0; groups],
            touched: Vec::new(),
            visited: vec![0; groups],
            tables: Tables::new(groups),
        }
    }
}

impl Groups {
    /// Merges groups that share work, lightest first, each at most once, while the union weighs
    /// less than `threshold`.
    ///
    /// A group goes into the partner with which it shares most (of these the lightest before the
    /// sweep, then the lowest seed). The union is merged again when the partner's turn comes. It is
    /// still to come: a group that was not merged in its turn would have been too heavy with any.
    /// Unions only get heavier. So the last of all finds no partner, as the thesis has it.
    ///
    /// Cost: for the groups that may find a partner, (classes of groups) times (groups of a class)
    /// times a logarithm. That is once for each label that a group loses.
    pub(in super::super) fn merge(&mut self, threshold: u64) {
        self.start_sweep(threshold);
        for at in 0..self.sweep.order.len() {
            let group = self.sweep.order[at];
            if self.sweep.position[group as usize] != at as u32 {
                continue;
            }
            match self.partner(group, threshold) {
                Ok((partner, common)) => self.absorb(group, partner, common),
                Err(least_union) => {
                    self.sweep.tables.remove(group);
                    self.watch.rest(group, least_union);
                    self.sweep.position[group as usize] = NONE;
                }
            }
        }
        self.sweep.order.clear();
        self.roster.settle();
        self.classes.coalesce();
    }

    /// Puts the groups that may find a partner in order.
    fn start_sweep(&mut self, threshold: u64) {
        let Sweep {
            number,
            order,
            position,
            ..
        } = &mut self.sweep;
        *number += 1;
        self.watch.take(threshold, order);
        order.sort_unstable_by_key(|&group| self.roster.rank(group));
        for (&group, at) in order.iter().zip(0..) {
            position[group as usize] = at;
        }
    }

    /// Returns the group into which `group` is to be merged, and the work that they share. Or it
    /// returns a weight below which no union with another is.
    fn partner(&mut self, group: u32, threshold: u64) -> Result<(u32, u64), u64> {
        let weight = self.roster.weight(group);
        if weight >= threshold {
            return Err(weight.max(1));
        }
        if self.sweep.tables.get(group).is_none() {
            self.visit(group);
            let visited = &mut self.sweep.visited[group as usize];
            let met_again = std::mem::replace(visited, self.sweep.number) == self.sweep.number;
            if !met_again || self.sweep.touched.len() < MANY {
                return self.best_touched(group, threshold);
            }
            self.tabulate(group, threshold);
        }
        let Sweep {
            position, tables, ..
        } = &mut self.sweep;
        let light = |other, common| weight + self.roster.weight(other) - common < threshold;
        tables
            .get(group)
            .and_then(|table| table.take_best(position, light))
            .ok_or(threshold)
    }

    /// Finds the work that `group` shares with each group, itself included, from its classes.
    fn visit(&mut self, group: u32) {
        let Self {
            classes,
            links,
            sweep: Sweep {
                common, touched, ..
            },
            steps,
            ..
        } = self;
        links.retain(group, |class| {
            let (members, shared) = classes.sets.get(class);
            *steps += 1 + members.len() as u64;
            if shared > 0 {
                for &other in members {
                    let common = &mut common[other as usize];
                    if *common == 0 {
                        touched.push(other);
                    }
                    *common += shared;
                }
            }
            !members.is_empty()
        });
    }

    /// Returns the best of the groups just found, as [`partner`](Self::partner).
    fn best_touched(&mut self, group: u32, threshold: u64) -> Result<(u32, u64), u64> {
        let weight = self.roster.weight(group);
        let mut least_union = NEVER;
        let mut best: Option<((Reverse<u64>, u32), u32)> = None;
        for other in self.sweep.touched.drain(..) {
            let common = std::mem::take(&mut self.sweep.common[other as usize]);
            if other == group {
                continue;
            }
            let union = weight + self.roster.weight(other) - common;
            least_union = least_union.min(union);
            let key = (Reverse(common), self.sweep.position[other as usize]);
            if union < threshold && best.is_none_or(|(best, _)| key < best) {
                best = Some((key, other));
            }
        }
        best.map(|((Reverse(common), _), other)| (other, common))
            .ok_or(least_union)
    }

    /// Makes a table of those of the groups just found that can be partners.
    fn tabulate(&mut self, group: u32, threshold: u64) {
        let Sweep {
            position,
            common,
            touched,
            tables,
            ..
        } = &mut self.sweep;
        let weight = self.roster.weight(group);
        let found = touched.drain(..).filter_map(|other| {
            let common = std::mem::take(&mut common[other as usize]);
            let union = weight + self.roster.weight(other) - common;
            (other != group && union < threshold).then_some((other, common))
        });
        tables.insert(group, Table::new(found, position));
    }

    /// Puts the tasks of `group` into `partner`, under one of their labels.
    fn absorb(&mut self, group: u32, partner: u32, common: u64) {
        let (to, from) = if self.links.len(group) >= self.links.len(partner) {
            (group, partner)
        } else {
            (partner, group)
        };
        self.roster.unite(group, partner, common, to);
        let Sweep {
            order,
            position,
            tables,
            ..
        } = &mut self.sweep;
        let at = position[partner as usize];
        order[at as usize] = to;
        position[from as usize] = NONE;
        position[to as usize] = at;
        tables.remove(from);
        self.watch.rest(from, NEVER);
        self.classes.forward_to(from, to);
        let classes = &mut self.classes;
        self.links.append(from, to, |class| {
            let (members, _) = classes.sets.get(class);
            self.steps += members.len() as u64;
            let joins = !members.is_empty() && classes.rename(class, from, to);
            if joins {
                let (members, weight) = classes.sets.get(class);
                tables.join(to, members, weight, position);
            }
            joins
        });
    }
}
