//! The moves of a local search.

use std::ops::RangeInclusive;

use superstep_random::SplitMix64;

use super::{
    NOWHERE,
    energy::Energy,
    plan::{Plan, Relocation, bits},
};

/// How many tasks a move may copy: most often few.
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

    /// [`Plan::place`], remembered.
    pub(crate) fn place(&mut self, plan: &mut Plan, task: u32, processor: usize, superstep: u32) {
        self.0
            .push((task, processor as u32, plan.superstep(task, processor)));
        plan.place(task, processor, superstep);
    }

    /// Takes all steps back, the last first.
    pub(crate) fn revert(&mut self, plan: &mut Plan) {
        while let Some((task, processor, superstep)) = self.0.pop() {
            plan.place(task, processor as usize, superstep);
        }
    }
}

/// Groups that are looked at for one that may go in exchange.
const PICKS: usize = 4;

/// What a move may add to an energy.
pub(crate) struct Limit<'a> {
    pub(crate) energy: &'a Energy,
    pub(crate) most: f64,
}

/// Tries a random move, most often of one task alone: such tries cost least. Whether it changed anything; the plan may then be invalid.
/// What surely adds more than the limit is not made.
pub(crate) fn random_move(
    plan: &mut Plan,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
) -> bool {
    let Some((task, holder)) = choose(plan, random) else {
        return false;
    };
    match random.below(43) {
        0..30 => relocate(plan, random, undo, limit, task, holder),
        30 => relocate_with_copies(plan, random, undo, task, holder),
        31..35 => copy_to_user(plan, random, undo, task),
        35..41 if plan.holders(task).count_ones() > 1 => drop_copy(plan, undo, task, holder),
        35..41 => relocate(plan, random, undo, limit, task, holder),
        _ => relocate_with_family(plan, random, undo, task, holder),
    }
}

/// Tries to add or to drop a random copy; whether it changed anything. The plan may then be invalid.
pub(crate) fn random_copy(plan: &mut Plan, random: &mut SplitMix64, undo: &mut Undo) -> bool {
    let Some((task, holder)) = choose(plan, random) else {
        return false;
    };
    if random.below(4) > 0 {
        copy_to_user(plan, random, undo, task)
    } else {
        drop_copy(plan, undo, task, holder)
    }
}

/// A random copy: half of the time of any task, else one that makes a superstep dear.
fn choose(plan: &Plan, random: &mut SplitMix64) -> Option<(u32, usize)> {
    if random.below(2) == 0 {
        let task = plan.placed()[random.below(plan.placed().len())];
        return Some((task, pick(plan.holders(task), random)));
    }
    let superstep = random.below(plan.supersteps() as usize) as u32;
    let (superstep, processor) = if random.below(2) == 0 {
        (superstep, plan.busiest(superstep))
    } else {
        match plan.most_traffic(superstep) {
            (receiver, true) => (superstep + 1, receiver),
            (sender, false) => (superstep, sender),
        }
    };
    if superstep == plan.supersteps() {
        return None;
    }
    let tasks = plan.tasks(superstep, processor);
    (!tasks.is_empty()).then(|| (tasks[random.below(tasks.len())], processor))
}

/// A random member of a set that is not empty.
fn pick(set: u64, random: &mut SplitMix64) -> usize {
    bits(set)
        .nth(random.below(set.count_ones() as usize))
        .expect("the set has that many")
}

/// A processor for `task`: where a neighbour runs, or any.
fn target(plan: &Plan, random: &mut SplitMix64, task: u32) -> usize {
    let (before, after) = (plan.graph().predecessors(task), plan.after(task));
    let count = before.len() + after.len();
    if count == 0 || random.below(4) == 0 {
        return random.below(plan.processors());
    }
    let at = random.below(count);
    let neighbour = match before.get(at) {
        Some(&value) => plan.group(value),
        None => after[at - before.len()],
    };
    pick(plan.holders(neighbour), random)
}

/// The first superstep in which `task` can run on `processor`.
fn first_possible(plan: &Plan, task: u32, processor: usize) -> u32 {
    plan.before(task)
        .map(|value| plan.available(value, processor))
        .max()
        .unwrap_or(0)
}

/// Moves a copy to another processor, another superstep, or both.
fn relocate(
    plan: &mut Plan,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
    task: u32,
    holder: usize,
) -> bool {
    let before = plan.superstep(task, holder);
    let to = target(plan, random, task);
    if to != holder && plan.superstep(task, to) != NOWHERE {
        return false;
    }
    let Some(last) = plan.last_possible(task, holder, to) else {
        return false;
    };
    let possible = first_possible(plan, task, to)..=last;
    let Some(superstep) = superstep_near(random, before, possible, to == holder) else {
        return false;
    };
    let relocation = Relocation {
        group: task,
        holder,
        to,
        superstep,
    };
    let least = plan.least_rise(relocation, None, limit.energy);
    if least.is_some_and(|least| least > limit.most) {
        return exchange(plan, random, undo, limit, relocation);
    }
    go(plan, undo, relocation);
    true
}

/// Makes a relocation, which no longer needs copies where the group was.
fn go(
    plan: &mut Plan,
    undo: &mut Undo,
    Relocation {
        group,
        holder,
        to,
        superstep,
    }: Relocation,
) {
    undo.place(plan, group, to, superstep);
    if to != holder {
        undo.place(plan, group, holder, NOWHERE);
        prune_predecessors(plan, undo, group, holder);
    }
}

/// Makes a relocation that overloads a processor, and lets one of the groups that are there go back in exchange.
fn exchange(
    plan: &mut Plan,
    random: &mut SplitMix64,
    undo: &mut Undo,
    limit: &Limit,
    relocation: Relocation,
) -> bool {
    let others = plan.tasks(relocation.superstep, relocation.to);
    if others.is_empty() {
        return false;
    }
    // What weighs as much leaves loads as they are.
    let weight = plan.graph().weight(relocation.group);
    let difference = |other: &u32| plan.graph().weight(*other).abs_diff(weight);
    let picks = [(); PICKS].map(|()| others[random.below(others.len())]);
    let other = picks.into_iter().min_by_key(difference);
    let other = other.expect("there are some");
    let back = Relocation {
        group: other,
        holder: relocation.to,
        to: relocation.holder,
        superstep: plan.superstep(relocation.group, relocation.holder),
    };
    let is_there = back.to != back.holder && plan.superstep(other, back.to) != NOWHERE;
    let last = plan.last_possible(other, back.holder, back.to);
    if is_there
        || last.is_none_or(|last| back.superstep > last)
        || back.superstep < first_possible(plan, other, back.to)
    {
        return false;
    }
    let least = plan.least_rise(relocation, Some(back), limit.energy);
    if least.is_some_and(|least| least > limit.most) {
        return false;
    }
    go(plan, undo, relocation);
    go(plan, undo, back);
    true
}

/// A possible superstep near `before`; another one than that if it has to be.
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

/// Lets a processor that receives the value of `task` compute it, with what it needs for that.
fn copy_to_user(plan: &mut Plan, random: &mut SplitMix64, undo: &mut Undo, task: u32) -> bool {
    let receivers = plan.users(task) & !plan.holders(task);
    if receivers == 0 {
        return false;
    }
    let processor = pick(receivers, random);
    let needed = plan.first_use(task, processor);
    let mut copies = most_copies(random);
    if !copy_in_time(plan, undo, task, processor, needed, &mut copies) {
        return false;
    }
    for holder in bits(plan.holders(task)) {
        prune(plan, undo, task, holder);
    }
    true
}

/// Moves a copy to another processor, into the same or a neighbouring superstep, and copies there what it needs.
fn relocate_with_copies(
    plan: &mut Plan,
    random: &mut SplitMix64,
    undo: &mut Undo,
    task: u32,
    holder: usize,
) -> bool {
    let before = plan.superstep(task, holder);
    let to = target(plan, random, task);
    let superstep = (before + random.below(3) as u32)
        .saturating_sub(1)
        .min(plan.supersteps() - 1);
    if plan.superstep(task, to) <= superstep || !plan.may_go(task, holder, to, superstep) {
        return false;
    }
    let mut copies = most_copies(random);
    if !copy_in_time(plan, undo, task, to, superstep, &mut copies) {
        return false;
    }
    if to != holder {
        undo.place(plan, task, holder, NOWHERE);
        prune_predecessors(plan, undo, task, holder);
    }
    true
}

/// Removes a copy that its processor does not use and that nobody depends on, and then what only that copy used.
fn prune(plan: &mut Plan, undo: &mut Undo, task: u32, holder: usize) {
    if plan.holders(task).count_ones() < 2
        || plan.superstep(task, holder) == NOWHERE
        || plan.first_use(task, holder) != NOWHERE
    {
        return;
    }
    if !plan.may_go(task, holder, holder, NOWHERE) {
        return;
    }
    undo.place(plan, task, holder, NOWHERE);
    prune_predecessors(plan, undo, task, holder);
}

fn prune_predecessors(plan: &mut Plan, undo: &mut Undo, task: u32, holder: usize) {
    let graph = plan.graph();
    for &value in graph.predecessors(task) {
        prune(plan, undo, plan.group(value), holder);
    }
}

/// Copies `task` to `processor` by `superstep`, and whatever predecessors are not there by then.
fn copy_in_time(
    plan: &mut Plan,
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
    let graph = plan.graph();
    for &value in graph.predecessors(task) {
        let value = plan.group(value);
        if plan.available(value, processor) > superstep
            && !copy_in_time(plan, undo, value, processor, superstep, copies)
        {
            return false;
        }
    }
    let first = first_possible(plan, task, processor);
    undo.place(plan, task, processor, superstep.max(first));
    true
}

/// Moves all of a superstep into the one before, with copies of what then is not there in time.
pub(crate) fn merge_into_previous(plan: &mut Plan, undo: &mut Undo, superstep: u32) {
    for processor in 0..plan.processors() {
        let mut tasks = plan.tasks(superstep, processor).to_vec();
        // Any order does: what a task needs is copied along with it.
        tasks.sort_unstable();
        for task in tasks {
            if plan.superstep(task, processor) == superstep {
                let mut copies = usize::MAX;
                copy_in_time(plan, undo, task, processor, superstep - 1, &mut copies);
            }
        }
    }
}

/// Removes a copy that is not the only one.
fn drop_copy(plan: &mut Plan, undo: &mut Undo, task: u32, holder: usize) -> bool {
    if !plan.may_go(task, holder, holder, NOWHERE) {
        return false;
    }
    undo.place(plan, task, holder, NOWHERE);
    prune_predecessors(plan, undo, task, holder);
    true
}

/// Moves a copy together with the predecessors that only it uses, and with the only reader of its value.
fn relocate_with_family(
    plan: &mut Plan,
    random: &mut SplitMix64,
    undo: &mut Undo,
    task: u32,
    holder: usize,
) -> bool {
    let to = target(plan, random, task);
    if to == holder {
        return false;
    }
    let graph = plan.graph();
    let superstep = plan.superstep(task, holder);
    let is_family =
        |plan: &Plan, value: u32| plan.group(value) == value && graph.successors(value).len() == 1;
    let is_late = |plan: &Plan, value: u32| plan.available(plan.group(value), to) > superstep;
    let reader = match graph.successors(task) {
        &[reader] if plan.group(reader) == reader => Some(reader),
        _ => None,
    };
    // Most families cannot go, for another value or another reader.
    let mut values = graph.predecessors(task).iter();
    if values.any(|&value| !is_family(plan, value) && is_late(plan, value)) {
        return false;
    }
    if reader.is_none() && !plan.may_go(task, holder, to, superstep) {
        return false;
    }
    let mut moved = false;
    let move_one = |plan: &mut Plan, undo: &mut Undo, task: u32| {
        let superstep = plan.superstep(task, holder);
        if superstep == NOWHERE {
            return;
        }
        if plan.superstep(task, to) > superstep {
            undo.place(plan, task, to, superstep);
        }
        undo.place(plan, task, holder, NOWHERE);
    };
    for &value in graph.predecessors(task) {
        if is_family(plan, value) {
            move_one(plan, undo, value);
            moved = true;
        }
    }
    if let Some(reader) = reader {
        move_one(plan, undo, reader);
        for &value in graph.predecessors(reader) {
            if value != task && is_family(plan, value) {
                move_one(plan, undo, value);
            }
        }
        moved = true;
    }
    if moved {
        move_one(plan, undo, task);
    }
    moved
}

#[cfg(test)]
mod tests {
    use superstep_dag::Dag;
    use superstep_machine::Machine;

    use super::*;

    /// Chains of two tasks, each of which goes on where it did not begin: two on either processor.
    #[test]
    fn groups_change_places_where_neither_may_go_alone() {
        let edges = [(0, 4), (1, 5), (2, 6), (3, 7)];
        let graph = Dag::from_edges(8, &edges).expect("chains have no cycle");
        let graph = graph.with_weights(vec![9; 8]).expect("each has one");
        let mut plan = Plan::new(&graph, 2, 2);
        for (task, processor) in (0..8).zip([0, 0, 1, 1, 1, 1, 0, 0]) {
            plan.place(task, processor, task / 4);
        }
        let energy = Energy::of_cost(&Machine::new(2));
        let limit = Limit {
            energy: &energy,
            most: 0.0,
        };
        let before = energy.of(&mut plan);
        let (mut random, mut undo) = (SplitMix64::new(0), Undo::default());
        for _ in 0..100 {
            relocate(&mut plan, &mut random, &mut undo, &limit, 4, 1);
            let is_valid = plan.unserved() == 0;
            if is_valid && energy.of(&mut plan) < before {
                break;
            }
            undo.revert(&mut plan);
        }
        assert_eq!(plan.holders(4), 1 << 0);
        assert_eq!([0, 1].map(|p| plan.tasks(1, p).len()), [2, 2]);
    }
}
