//! Moves of a local search.

use std::ops::RangeInclusive;

use superstep_random::SplitMix64;

use super::{
    NOWHERE,
    assignment::{Assignment, Relocation, bits},
    energy::Energy,
};

/// Returns the number of tasks that a move may copy: most often few.
fn most_copies(random: &mut SplitMix64) -> usize {
    2 << random.below(4)
}

/// Steps taken, to be taken back.
#[derive(Default)]
pub(crate) struct Undo(Vec<(u32, u32, u32)>);

impl Undo {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Calls [`Assignment::place`], and remembers it.
    pub(crate) fn place(
        &mut self,
        assignment: &mut Assignment,
        task: u32,
        processor: usize,
        superstep: u32,
    ) {
        self.0.push((
            task,
            processor as u32,
            assignment.superstep(task, processor),
        ));
        assignment.place(task, processor, superstep);
    }

    /// Takes all steps back, the last first.
    pub(crate) fn revert(&mut self, assignment: &mut Assignment) {
        while let Some((task, processor, superstep)) = self.0.pop() {
            assignment.place(task, processor as usize, superstep);
        }
    }
}

/// Groups that are looked at for one that may go in exchange.
const PICKS: usize = 4;

/// Limit on the rise of an energy by a move.
pub(crate) struct Limit<'a> {
    pub(crate) energy: &'a Energy,
    pub(crate) most: f64,
}

/// Tries a random move, most often of one task alone: such tries cost least. A move that surely
/// adds more than the limit is not made. Returns whether it changed anything; the assignment may
/// then be invalid.
pub(crate) fn random_move(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
) -> bool {
    let Some((task, holder)) = choose(assignment, random) else {
        return false;
    };
    match random.below(43) {
        0..30 => relocate(assignment, random, undo, limit, task, holder),
        30 => relocate_with_copies(assignment, random, undo, task, holder),
        31..35 => copy_to_user(assignment, random, undo, task),
        35..41 if assignment.holders(task).count_ones() > 1 => {
            drop_copy(assignment, undo, task, holder)
        }
        35..41 => relocate(assignment, random, undo, limit, task, holder),
        _ => relocate_with_family(assignment, random, undo, task, holder),
    }
}

/// Tries to add or to drop a random copy; returns whether it changed anything. The assignment may
/// then be invalid.
pub(crate) fn random_copy(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
) -> bool {
    let Some((task, holder)) = choose(assignment, random) else {
        return false;
    };
    if random.below(4) > 0 {
        copy_to_user(assignment, random, undo, task)
    } else {
        drop_copy(assignment, undo, task, holder)
    }
}

/// Returns a random copy: half of the time of any task, else one that makes a superstep dear.
fn choose(assignment: &Assignment, random: &mut SplitMix64) -> Option<(u32, usize)> {
    if random.below(2) == 0 {
        let task = assignment.placed()[random.below(assignment.placed().len())];
        return Some((task, pick(assignment.holders(task), random)));
    }
    let superstep = random.below(assignment.supersteps() as usize) as u32;
    let (superstep, processor) = if random.below(2) == 0 {
        (superstep, assignment.busiest(superstep))
    } else {
        match assignment.most_traffic(superstep) {
            (receiver, true) => (superstep + 1, receiver),
            (sender, false) => (superstep, sender),
        }
    };
    if superstep == assignment.supersteps() {
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
    let (before, after) = (
        assignment.graph().predecessors(task),
        assignment.after(task),
    );
    let count = before.len() + after.len();
    if count == 0 || random.below(4) == 0 {
        return random.below(assignment.processors());
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

/// Moves a copy to another processor, another superstep, or both.
fn relocate(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
    task: u32,
    holder: usize,
) -> bool {
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
        return exchange(assignment, random, undo, limit, relocation);
    }
    go(assignment, undo, relocation);
    true
}

/// Makes a relocation, which no longer needs copies where the group was.
fn go(
    assignment: &mut Assignment,
    undo: &mut Undo,
    Relocation {
        group,
        holder,
        to,
        superstep,
    }: Relocation,
) {
    undo.place(assignment, group, to, superstep);
    if to != holder {
        undo.place(assignment, group, holder, NOWHERE);
        prune_predecessors(assignment, undo, group, holder);
    }
}

/// Makes a relocation that overloads a processor, and lets one of the groups that are there go back
/// in exchange.
fn exchange(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
    relocation: Relocation,
) -> bool {
    let others = assignment.tasks(relocation.superstep, relocation.to);
    if others.is_empty() {
        return false;
    }
    // A group that weighs as much leaves loads as they are.
    let weight = assignment.graph().weight(relocation.group);
    let difference = |other: &u32| assignment.graph().weight(*other).abs_diff(weight);
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
    go(assignment, undo, relocation);
    go(assignment, undo, back);
    true
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

/// Lets a processor that receives the value of `task` compute it, with the values that it needs for
/// that.
fn copy_to_user(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    task: u32,
) -> bool {
    let receivers = assignment.users(task) & !assignment.holders(task);
    if receivers == 0 {
        return false;
    }
    let processor = pick(receivers, random);
    let needed = assignment.first_use(task, processor);
    let mut copies = most_copies(random);
    if !copy_in_time(assignment, undo, task, processor, needed, &mut copies) {
        return false;
    }
    for holder in bits(assignment.holders(task)) {
        prune(assignment, undo, task, holder);
    }
    true
}

/// Moves a copy to another processor, into the same or a neighbouring superstep, and copies there
/// the values that it needs.
fn relocate_with_copies(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    task: u32,
    holder: usize,
) -> bool {
    let before = assignment.superstep(task, holder);
    let to = target(assignment, random, task);
    let superstep = (before + random.below(3) as u32)
        .saturating_sub(1)
        .min(assignment.supersteps() - 1);
    if assignment.superstep(task, to) <= superstep
        || !assignment.may_go(task, holder, to, superstep)
    {
        return false;
    }
    let mut copies = most_copies(random);
    if !copy_in_time(assignment, undo, task, to, superstep, &mut copies) {
        return false;
    }
    if to != holder {
        undo.place(assignment, task, holder, NOWHERE);
        prune_predecessors(assignment, undo, task, holder);
    }
    true
}

/// Removes a copy that its processor does not use and that nobody depends on, and then the copies
/// that only that one used.
fn prune(assignment: &mut Assignment, undo: &mut Undo, task: u32, holder: usize) {
    if assignment.holders(task).count_ones() < 2
        || assignment.superstep(task, holder) == NOWHERE
        || assignment.first_use(task, holder) != NOWHERE
    {
        return;
    }
    if !assignment.may_go(task, holder, holder, NOWHERE) {
        return;
    }
    undo.place(assignment, task, holder, NOWHERE);
    prune_predecessors(assignment, undo, task, holder);
}

fn prune_predecessors(assignment: &mut Assignment, undo: &mut Undo, task: u32, holder: usize) {
    let graph = assignment.graph();
    for &value in graph.predecessors(task) {
        prune(assignment, undo, assignment.group(value), holder);
    }
}

/// Copies `task` to `processor` by `superstep`, and whatever predecessors are not there by then.
fn copy_in_time(
    assignment: &mut Assignment,
    undo: &mut Undo,
    task: u32,
    processor: usize,
    superstep: u32,
    copies: &mut usize,
) -> bool {
    if *copies == 0 {
        return false;
    }
    *copies -= 1;
    let graph = assignment.graph();
    for &value in graph.predecessors(task) {
        let value = assignment.group(value);
        if assignment.available(value, processor) > superstep
            && !copy_in_time(assignment, undo, value, processor, superstep, copies)
        {
            return false;
        }
    }
    let first = first_possible(assignment, task, processor);
    undo.place(assignment, task, processor, superstep.max(first));
    true
}

/// Moves all of a superstep into the one before, with copies of values that then are not there in
/// time.
pub(crate) fn merge_into_previous(assignment: &mut Assignment, undo: &mut Undo, superstep: u32) {
    for processor in 0..assignment.processors() {
        let mut tasks = assignment.tasks(superstep, processor).to_vec();
        // Any order does: what a task needs is copied along with it.
        tasks.sort_unstable();
        for task in tasks {
            if assignment.superstep(task, processor) == superstep {
                let mut copies = usize::MAX;
                copy_in_time(
                    assignment,
                    undo,
                    task,
                    processor,
                    superstep - 1,
                    &mut copies,
                );
            }
        }
    }
}

/// Removes a copy that is not the only one.
fn drop_copy(assignment: &mut Assignment, undo: &mut Undo, task: u32, holder: usize) -> bool {
    if !assignment.may_go(task, holder, holder, NOWHERE) {
        return false;
    }
    undo.place(assignment, task, holder, NOWHERE);
    prune_predecessors(assignment, undo, task, holder);
    true
}

/// Moves a copy together with the predecessors that only it uses, and with the only reader of its
/// value.
fn relocate_with_family(
    assignment: &mut Assignment,
    random: &mut SplitMix64,
    undo: &mut Undo,
    task: u32,
    holder: usize,
) -> bool {
    let to = target(assignment, random, task);
    if to == holder {
        return false;
    }
    let graph = assignment.graph();
    let superstep = assignment.superstep(task, holder);
    let is_family = |assignment: &Assignment, value: u32| {
        assignment.group(value) == value && graph.successors(value).len() == 1
    };
    let is_late = |assignment: &Assignment, value: u32| {
        assignment.available(assignment.group(value), to) > superstep
    };
    let reader = match graph.successors(task) {
        &[reader] if assignment.group(reader) == reader => Some(reader),
        _ => None,
    };
    // Most families cannot go, for another value or another reader.
    let mut values = graph.predecessors(task).iter();
    if values.any(|&value| !is_family(assignment, value) && is_late(assignment, value)) {
        return false;
    }
    if reader.is_none() && !assignment.may_go(task, holder, to, superstep) {
        return false;
    }
    let mut moved = false;
    let move_one = |assignment: &mut Assignment, undo: &mut Undo, task: u32| {
        let superstep = assignment.superstep(task, holder);
        if superstep == NOWHERE {
            return;
        }
        if assignment.superstep(task, to) > superstep {
            undo.place(assignment, task, to, superstep);
        }
        undo.place(assignment, task, holder, NOWHERE);
    };
    for &value in graph.predecessors(task) {
        if is_family(assignment, value) {
            move_one(assignment, undo, value);
            moved = true;
        }
    }
    if let Some(reader) = reader {
        move_one(assignment, undo, reader);
        for &value in graph.predecessors(reader) {
            if value != task && is_family(assignment, value) {
                move_one(assignment, undo, value);
            }
        }
        moved = true;
    }
    if moved {
        move_one(assignment, undo, task);
    }
    moved
}

#[cfg(test)]
mod tests;
