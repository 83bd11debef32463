//! Uses of a copy of a group, and where it may go.

use super::{Assignment, NOWHERE};
use crate::sets::bits;

impl Assignment<'_> {
    /// Returns whether all who use the value of `task` would have it in time if its copy on
    /// `holder` went to `to` in `superstep`; [`NOWHERE`]: if it were dropped.
    pub(crate) fn may_go(&self, task: u32, holder: usize, to: usize, superstep: u32) -> bool {
        (superstep != NOWHERE || self.holders(task) & !(1 << holder | 1 << to) != 0)
            && self
                .uses_of(task, holder, to)
                .all(|(user, first)| self.arrival(to, superstep, user) <= first)
    }

    /// Returns the last superstep in which the copy of `task` on `holder` may go to `to`. All who
    /// use its value have it in time then, and from every superstep before.
    pub(crate) fn last_possible(&self, task: u32, holder: usize, to: usize) -> Option<u32> {
        let mut uses = self.uses_of(task, holder, to);
        uses.try_fold(self.supersteps - 1, |last, (user, first)| {
            let latest = if user == to {
                first
            } else {
                self.last_sending(to, user, first)?
            };
            Some(last.min(latest))
        })
    }

    /// Returns the processors that only a copy of `task` on `holder` or `to` serves, each with the
    /// superstep of its first use.
    fn uses_of(&self, task: u32, holder: usize, to: usize) -> impl Iterator<Item = (usize, u32)> {
        let others = self.holders(task) & !(1 << holder | 1 << to);
        self.values(task).flat_map(move |value| {
            let users = bits(self.entries[value as usize].users);
            let uses =
                users.map(move |user| (user, self.on_processors[self.at(value, user)].first_use()));
            uses.filter(move |&(user, first)| {
                let mut others = bits(others);
                others.all(|p| self.arrival(p, self.superstep(task, p), user) > first)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use superstep_random::SplitMix64;

    use crate::search::{anneal::State, assignment::tests::graph};

    #[test]
    fn a_copy_may_go_if_and_only_if_all_are_served_then() {
        let mut random = SplitMix64::new(2);
        let (mut may, mut may_not) = (0, 0);
        for _ in 0..200 {
            let graph = graph(&mut random, 10);
            let mut assignment = Assignment::new(&graph, 3, 4);
            let tasks = assignment.placed.to_vec();
            for &task in &tasks {
                assignment.place(task, 0, task / 3);
                assignment.place(task, random.below(3), task / 3);
            }
            while assignment.unserved > 0 {
                let task = tasks[random.below(tasks.len())];
                assignment.place(task, random.below(3), task / 3);
            }
            for &task in &tasks {
                let holder = bits(assignment.holders(task)).next().expect("it is on one");
                // Neither is before what it needs.
                let superstep = [assignment.superstep(task, holder), 3, NOWHERE][random.below(3)];
                let to = if superstep == NOWHERE {
                    holder
                } else {
                    random.below(3)
                };
                let may_go = assignment.may_go(task, holder, to, superstep);
                let last = assignment.last_possible(task, holder, to);
                for superstep in 0..4 {
                    let is_possible = last.is_some_and(|last| superstep <= last);
                    assert_eq!(assignment.may_go(task, holder, to, superstep), is_possible);
                }
                let before = [holder, to].map(|p| (p, assignment.superstep(task, p)));
                assignment.place(task, holder, NOWHERE);
                assignment.place(task, to, superstep);
                let is_ready = superstep == NOWHERE
                    || assignment
                        .before(task)
                        .all(|value| assignment.available(value, to) <= superstep);
                if is_ready {
                    let is_served = assignment.holders(task) != 0 && assignment.unserved == 0;
                    assert_eq!(may_go, is_served);
                    *if may_go { &mut may } else { &mut may_not } += 1;
                }
                for (processor, superstep) in before.into_iter().rev() {
                    assignment.place(task, processor, superstep);
                }
            }
        }
        assert!(may > 100 && may_not > 100, "{may} may, {may_not} may not");
    }
}
