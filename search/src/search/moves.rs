//! Moves of tasks and their copies.

use std::ops::RangeInclusive;

use superstep_random::SplitMix64;

use super::{
    NOWHERE,
    anneal::{Journal, Limit, State},
    assignment::{Assignment, Relocation},
    cost::Energy,
};
use crate::sets::bits;

/// Task instance: a task that runs on a processor.
type Instance = (u32, usize);

/// Groups that are looked at for one that may go in exchange.
const PICKS: usize = 4;

/// Tries a random move, most often of one task alone: such tries cost least. A move that surely
/// adds more than the limit is not made. Returns whether it changed anything; the assignment may
/// then be invalid.
pub(crate) fn random_move(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    journal: &mut Journal,
    limit: &Limit,
) -> bool {
    let Some((task, holder)) = choose(assignment, random) else {
        return false;
    };
    let mut mover = Mover {
        assignment,
        journal,
    };
    let has_copies = mover.assignment.holders(task).count_ones() > 1;
    match random.below(41) {
        30 => mover.relocate_with_copies(random, (task, holder)),
        31..35 => mover.copy_to_user(random, task),
        35.. if has_copies => mover.drop_copy((task, holder)),
        _ => mover.relocate(random, limit, (task, holder)),
    }
}

/// Tries to add or to drop a random copy; returns whether it changed anything. The assignment may
/// then be invalid.
pub(crate) fn random_copy(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    journal: &mut Journal,
    _: &Limit,
) -> bool {
    let Some((task, holder)) = choose(assignment, random) else {
        return false;
    };
    let mut mover = Mover {
        assignment,
        journal,
    };
    if random.below(4) > 0 {
        mover.copy_to_user(random, task)
    } else {
        mover.drop_copy((task, holder))
    }
}

/// Merges neighbouring supersteps where that lowers an energy.
pub(crate) fn merge_supersteps(assignment: &mut Assignment, energy: &Energy) {
    let journal = &mut Journal::default();
    let mut mover = Mover {
        assignment,
        journal,
    };
    for superstep in (1..mover.assignment.supersteps).rev() {
        let before = energy.of(mover.assignment.cost());
        mover.merge_into_previous(superstep);
        if mover.assignment.unserved > 0 || energy.of(mover.assignment.cost()) >= before {
            mover.journal.revert(mover.assignment);
        }
        mover.journal.clear();
    }
}

/// Returns the number of tasks that a move may copy: most often few.
fn most_copies(random: &mut SplitMix64) -> usize {
    2 << random.below(4)
}

/// Returns a random copy: half of the time of any task, else one that makes a superstep dear.
fn choose(assignment: &Assignment, random: &mut SplitMix64) -> Option<Instance> {
    if random.below(2) == 0 {
        let task = assignment.placed[random.below(assignment.placed.len())];
        return Some((task, pick(assignment.holders(task), random)));
    }
    let superstep = random.below(assignment.supersteps as usize) as u32;
    let (superstep, processor) = if random.below(2) == 0 {
        (superstep, assignment.cost.busiest(superstep))
    } else {
        match assignment.cost.most_traffic(superstep) {
            (receiver, true) => (superstep + 1, receiver),
            (sender, false) => (superstep, sender),
        }
    };
    if superstep == assignment.supersteps {
        return None;
    }
    let tasks = assignment.tasks(superstep, processor);
    (!tasks.is_empty()).then(|| (tasks[random.below(tasks.len())], processor))
}

/// Returns a random member of a set that is not empty.
fn pick(set: u64, random: &mut SplitMix64) -> usize {
    bits(set)
        .nth(random.below(set.count_ones() as usize))
        .expect("the set has that many")
}

/// Returns a processor for `task`: one where a neighbour runs, or any.
fn target(assignment: &Assignment, random: &mut SplitMix64, task: u32) -> usize {
    let (before, after) = (assignment.graph.predecessors(task), assignment.after(task));
    let count = before.len() + after.len();
    if count == 0 || random.below(4) == 0 {
        return random.below(assignment.processors);
    }
    let at = random.below(count);
    let neighbour = match before.get(at) {
        Some(&value) => assignment.group(value),
        None => after[at - before.len()],
    };
    pick(assignment.holders(neighbour), random)
}

/// Returns the first superstep in which `task` can run on `processor`.
fn first_possible(assignment: &Assignment, task: u32, processor: usize) -> u32 {
    assignment
        .before(task)
        .map(|value| assignment.available(value, processor))
        .max()
        .unwrap_or(0)
}

/// Returns a possible superstep near `before`; another one than that if it has to be.
fn superstep_near(
    random: &mut SplitMix64,
    before: u32,
    possible: RangeInclusive<u32>,
    is_other: bool,
) -> Option<u32> {
    let (first, last) = possible.into_inner();
    if first > last || is_other && first == last {
        return None;
    }
    let any = |random: &mut SplitMix64, count: u32| first + random.below(count as usize) as u32;
    let superstep = match random.below(8) {
        0..3 => before,
        3 => before.saturating_sub(1),
        4 => before + 1,
        5 => first,
        6 => any(random, last - first + 1),
        _ => before.saturating_sub(random.below(4) as u32) + random.below(4) as u32,
    };
    let superstep = superstep.clamp(first, last);
    if is_other && superstep == before {
        let other = any(random, last - first);
        return Some(other + u32::from(other >= before));
    }
    Some(superstep)
}

/// Mover, which changes an assignment and writes down what it changed.
///
/// Its moves return whether they changed anything. What they have changed before they gave up has
/// to be reverted.
struct Mover<'a, 'g> {
    assignment: &'a mut Assignment<'g>,
    journal: &'a mut Journal,
}

impl Mover<'_, '_> {
    fn place(&mut self, task: u32, processor: usize, superstep: u32) {
        self.journal
            .place(self.assignment, task, processor, superstep);
    }

    /// Moves a copy to another processor, another superstep, or both.
    fn relocate(
        &mut self,
        random: &mut SplitMix64,
        limit: &Limit,
        (task, holder): Instance,
    ) -> bool {
        let assignment = &mut *self.assignment;
        let before = assignment.superstep(task, holder);
        let to = target(assignment, random, task);
        if to != holder && assignment.superstep(task, to) != NOWHERE {
            return false;
        }
        let Some(last) = assignment.last_possible(task, holder, to) else {
            return false;
        };
        let possible = first_possible(assignment, task, to)..=last;
        let Some(superstep) = superstep_near(random, before, possible, to == holder) else {
            return false;
        };
        let relocation = Relocation {
            group: task,
            holder,
            to,
            superstep,
        };
        let least = assignment.least_rise(relocation, None, limit.energy);
        if least.is_some_and(|least| least > limit.most) {
            return self.exchange(random, limit, relocation);
        }
        self.go(relocation);
        true
    }

    /// Makes a relocation, which no longer needs copies where the group was.
    fn go(&mut self, relocation: Relocation) {
        let Relocation {
            group,
            holder,
            to,
            superstep,
        } = relocation;
        self.place(group, to, superstep);
        if to != holder {
            self.remove((group, holder));
        }
    }

    /// Makes a relocation that overloads a processor, and lets one of the groups that are there go
    /// back in exchange.
    fn exchange(&mut self, random: &mut SplitMix64, limit: &Limit, relocation: Relocation) -> bool {
        let assignment = &mut *self.assignment;
        let others = assignment.tasks(relocation.superstep, relocation.to);
        if others.is_empty() {
            return false;
        }
        // A group that weighs as much leaves loads as they are.
        let weight = assignment.graph.weight(relocation.group);
        let difference = |other: &u32| assignment.graph.weight(*other).abs_diff(weight);
        let picks = [(); PICKS].map(|()| others[random.below(others.len())]);
        let other = picks.into_iter().min_by_key(difference);
        let other = other.expect("there are some");
        let back = Relocation {
            group: other,
            holder: relocation.to,
            to: relocation.holder,
            superstep: assignment.superstep(relocation.group, relocation.holder),
        };
        let is_there = back.to != back.holder && assignment.superstep(other, back.to) != NOWHERE;
        let last = assignment.last_possible(other, back.holder, back.to);
        if is_there
            || last.is_none_or(|last| back.superstep > last)
            || back.superstep < first_possible(assignment, other, back.to)
        {
            return false;
        }
        let least = assignment.least_rise(relocation, Some(back), limit.energy);
        if least.is_some_and(|least| least > limit.most) {
            return false;
        }
        self.go(relocation);
        self.go(back);
        true
    }

    /// Lets a processor that receives the value of `task` compute it, with the values that it needs
    /// for that.
    fn copy_to_user(&mut self, random: &mut SplitMix64, task: u32) -> bool {
        let receivers = self.assignment.users(task) & !self.assignment.holders(task);
        if receivers == 0 {
            return false;
        }
        let processor = pick(receivers, random);
        let needed = self.assignment.first_use(task, processor);
        let mut copies = most_copies(random);
        if !self.copy_in_time((task, processor), needed, &mut copies) {
            return false;
        }
        for holder in bits(self.assignment.holders(task)) {
            self.prune((task, holder));
        }
        true
    }

    /// Moves a copy to another processor, into the same or a neighbouring superstep, and copies
    /// there the values that it needs.
    fn relocate_with_copies(&mut self, random: &mut SplitMix64, (task, holder): Instance) -> bool {
        let assignment = &*self.assignment;
        let before = assignment.superstep(task, holder);
        let to = target(assignment, random, task);
        let superstep = (before + random.below(3) as u32)
            .saturating_sub(1)
            .min(assignment.supersteps - 1);
        if assignment.superstep(task, to) <= superstep
            || !assignment.may_go(task, holder, to, superstep)
        {
            return false;
        }
        let mut copies = most_copies(random);
        if !self.copy_in_time((task, to), superstep, &mut copies) {
            return false;
        }
        if to != holder {
            self.remove((task, holder));
        }
        true
    }

    /// Removes a copy, and then the copies that only that one used.
    fn remove(&mut self, (task, holder): Instance) {
        self.place(task, holder, NOWHERE);
        let graph = self.assignment.graph;
        for &value in graph.predecessors(task) {
            self.prune((self.assignment.group(value), holder));
        }
    }

    /// Removes a copy that its processor does not use and that nobody depends on.
    fn prune(&mut self, (task, holder): Instance) {
        let assignment = &*self.assignment;
        if assignment.holders(task).count_ones() > 1
            && assignment.superstep(task, holder) != NOWHERE
            && assignment.first_use(task, holder) == NOWHERE
        {
            self.drop_copy((task, holder));
        }
    }

    /// Removes a copy that is not the only one, if nobody depends on it.
    fn drop_copy(&mut self, (task, holder): Instance) -> bool {
        let may_go = self.assignment.may_go(task, holder, holder, NOWHERE);
        if may_go {
            self.remove((task, holder));
        }
        may_go
    }

    /// Copies `task` to `processor` by `superstep`, and whatever predecessors are not there by
    /// then.
    fn copy_in_time(
        &mut self,
        (task, processor): Instance,
        superstep: u32,
        copies: &mut usize,
    ) -> bool {
        if *copies == 0 {
            return false;
        }
        *copies -= 1;
        let graph = self.assignment.graph;
        for &value in graph.predecessors(task) {
            let value = self.assignment.group(value);
            if self.assignment.available(value, processor) > superstep
                && !self.copy_in_time((value, processor), superstep, copies)
            {
                return false;
            }
        }
        let first = first_possible(self.assignment, task, processor);
        self.place(task, processor, superstep.max(first));
        true
    }

    /// Moves all of a superstep into the one before, with copies of values that then are not there
    /// in time.
    fn merge_into_previous(&mut self, superstep: u32) {
        for processor in 0..self.assignment.processors {
            let mut tasks = self.assignment.tasks(superstep, processor).to_vec();
            // Any order does: what a task needs is copied along with it.
            tasks.sort_unstable();
            for task in tasks {
                if self.assignment.superstep(task, processor) == superstep {
                    let mut copies = usize::MAX;
                    self.copy_in_time((task, processor), superstep - 1, &mut copies);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
