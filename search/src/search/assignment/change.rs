//! Change by one step: one copy comes, goes or moves, and the tables follow.

use super::{Assignment, NOWHERE};
use crate::{
    search::{anneal::State, cost::BspCost},
    sets::bits,
};

impl State for Assignment<'_> {
    fn cost(&mut self) -> &mut BspCost {
        &mut self.cost
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn is_valid(&self) -> bool {
        self.unserved == 0
    }

    fn place_of(&self, task: u32, processor: usize) -> u32 {
        self.superstep(task, processor)
    }

    /// Moves `task` on `processor` to `superstep`, from wherever it is there; [`NOWHERE`] on either
    /// side: adds or removes the copy.
    fn place(&mut self, task: u32, processor: usize, superstep: u32) {
        let at = self.at(task, processor);
        let before = self.on_processors[at].superstep();
        if before == superstep {
            return;
        }
        let weight = u64::from(self.graph.weight(task));
        self.send_all::<false>(task);
        if before != NOWHERE {
            self.cost.work::<false>(before, processor, weight);
            self.unlist(at, before, processor);
        }
        if superstep != NOWHERE {
            self.cost.work::<true>(superstep, processor, weight);
            let list = &mut self.lists[superstep as usize * self.processors + processor];
            self.positions[at] = list.len() as u32;
            list.push(task);
        }
        self.on_processors[at].superstep = superstep as u16;
        self.recount_holders(task, processor, superstep);
        self.send_all::<true>(task);
        let graph = self.graph;
        let predecessors = graph.predecessors(task);
        self.steps += predecessors.len() as u64 + 4;
        for &value in predecessors {
            self.use_moved(value, processor, before, superstep);
        }
    }
}

impl Assignment<'_> {
    /// Counts, or no longer counts, the transfers of a group.
    fn send_all<const COUNT: bool>(&mut self, group: u32) {
        for value in self.values(group) {
            let users = self.entries[value as usize].users;
            self.steps += u64::from(COUNT) * u64::from(users.count_ones());
            for user in bits(users) {
                self.send::<COUNT>(value, user);
            }
        }
    }

    /// Takes the task whose entry stands `at` a place in the tables out of a list.
    fn unlist(&mut self, at: usize, superstep: u32, processor: usize) {
        let list = &mut self.lists[superstep as usize * self.processors + processor];
        let position = self.positions[at];
        list.swap_remove(position as usize);
        if let Some(&moved) = list.get(position as usize) {
            let at = self.at(moved, processor);
            self.positions[at] = position;
        }
    }

    fn recount_holders(&mut self, task: u32, processor: usize, superstep: u32) {
        let entry = &mut self.entries[task as usize];
        if superstep == NOWHERE {
            entry.holders &= !(1 << processor);
        } else {
            entry.holders |= 1 << processor;
        }
        let supersteps = bits(entry.holders).map(|p| self.superstep(task, p));
        self.entries[task as usize].earliest = supersteps.min().unwrap_or(NOWHERE);
    }

    /// Notes that one reader of `value` on `processor` has moved between supersteps.
    #[inline]
    fn use_moved(&mut self, value: u32, processor: usize, before: u32, after: u32) {
        let at = self.at(value, processor);
        let first = self.on_processors[at].first_use();
        let now = if after < first {
            after
        } else if before == first && first != NOWHERE {
            let graph = self.graph;
            let readers = graph.successors(value);
            self.steps += readers.len() as u64 / 4;
            readers
                .iter()
                .map(|&reader| self.superstep(reader, processor))
                .min()
                .unwrap_or(NOWHERE)
        } else {
            first
        };
        if now != first {
            if first != NOWHERE {
                self.send::<false>(value, processor);
            }
            self.on_processors[at].first_use = now as u16;
            let users = &mut self.entries[value as usize].users;
            if now == NOWHERE {
                *users &= !(1 << processor);
            } else {
                *users |= 1 << processor;
                self.send::<true>(value, processor);
            }
        }
    }

    /// Counts, or no longer counts, the transfer of `value` to `user`, if it needs one.
    #[inline]
    fn send<const COUNT: bool>(&mut self, value: u32, user: usize) {
        let first = self.on_processors[self.at(value, user)].first_use();
        let group = self.group(value);
        if self.superstep(group, user) <= first {
            return;
        }
        let Some((sender, superstep)) = self.sender(group, user, first) else {
            self.unserved = if COUNT {
                self.unserved + 1
            } else {
                self.unserved - 1
            };
            return;
        };
        let words = u64::from(self.graph.words(value));
        self.cost.send::<COUNT>(superstep, sender, user, words);
    }

    /// Returns the sender of the value of `group` to a user that needs it in superstep `first`, and
    /// the superstep after which it goes. The sender is the nearest one that can.
    #[inline]
    fn sender(&self, group: u32, user: usize, first: u32) -> Option<(usize, u32)> {
        let mut holders = bits(self.holders(group));
        if self.cost.is_flat() {
            let sender = holders.find(|&p| self.superstep(group, p) < first)?;
            return Some((sender, first - 1));
        }
        let can = |&p: &usize| self.arrival(p, self.superstep(group, p), user) <= first;
        let sender = holders
            .filter(can)
            .min_by_key(|&p| self.cost.level(p, user))?;
        Some((sender, self.last_sending(sender, user, first)?))
    }
}
