//! Change by one step: one copy comes, goes or moves, and the tables follow.

use super::{Assignment, NOWHERE, bits};

impl Assignment<'_> {
    /// Moves `task` on `processor` to `superstep`, from wherever it is there; [`NOWHERE`] on either
    /// side: adds or removes the copy.
    pub(crate) fn place(&mut self, task: u32, processor: usize, superstep: u32) {
        let at = self.at(task, processor);
        let before = self.on_processors[at].superstep();
        if before == superstep {
            return;
        }
        let weight = u64::from(self.graph.weight(task));
        self.send_all::<false>(task);
        if before != NOWHERE {
            self.work.subtract(before, processor, weight);
            self.unlist(at, before, processor);
            self.total_work -= weight;
        }
        if superstep != NOWHERE {
            self.work.add(superstep, processor, weight);
            let list = &mut self.lists[superstep as usize * self.processors + processor];
            self.positions[at] = list.len() as u32;
            list.push(task);
            self.total_work += weight;
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
        let Some((sender, level, superstep)) = self.sender(group, user, first) else {
            self.unserved = if COUNT {
                self.unserved + 1
            } else {
                self.unserved - 1
            };
            return;
        };
        let words = u64::from(self.graph.words(value));
        let weight = self.boundaries.weight(level) * words;
        if words > 0 {
            self.boundaries.send::<COUNT>(superstep, level);
        }
        let receiver = self.processors + user;
        if COUNT {
            self.traffic.add(superstep, sender, weight);
            self.traffic.add(superstep, receiver, weight);
            self.total_words += weight;
        } else {
            self.traffic.subtract(superstep, sender, weight);
            self.traffic.subtract(superstep, receiver, weight);
            self.total_words -= weight;
        }
    }

    /// Returns the sender of the value of `group` to a user that needs it in that superstep, the
    /// nearest one that can; the level of the message; and the superstep after which it goes.
    #[inline]
    fn sender(&self, group: u32, user: usize, first: u32) -> Option<(usize, usize, u32)> {
        let mut holders = bits(self.holders(group));
        if self.boundaries.is_flat() {
            let sender = holders.find(|&p| self.superstep(group, p) < first)?;
            return Some((sender, 0, first - 1));
        }
        let can = |&p: &usize| self.arrival(p, self.superstep(group, p), user) <= first;
        let sender = holders
            .filter(can)
            .min_by_key(|&p| self.boundaries.level(p, user))?;
        let level = self.boundaries.level(sender, user);
        Some((sender, level, self.boundaries.last_before(level, first)?))
    }
}
