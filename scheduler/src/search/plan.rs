//! An assignment of tasks to places, with its BSP cost kept up to date.

mod outlook;

use std::ops::Range;

use superstep_dag_builder::TaskGraph;
use superstep_machine::Machine;

pub(crate) use self::outlook::Relocation;
use super::NOWHERE;
use crate::{Schedule, search::cells::Cells};

/// Which tasks run where, at most one copy of each on a processor, and what that costs with lazy messages.
///
/// Parcels, as contractions make them, run wherever their groups do: only groups are placed, and a group has the values of its parcels. In a graph
/// without parcels each task is a group with a value of its own.
///
/// Any assignment can be held, valid or not; [`unserved`](Self::unserved) counts what is missing, so that moves of several steps may pass
/// through assignments that are not valid. Memory: 8 bytes per task and processor, 48 per superstep and processor; what one try looks at lies
/// together, as caches are what a search waits for.
///
/// One step, [`place`](Self::place), costs the predecessors of the task, the receivers of its value, and for each predecessor whose first use
/// on the processor it was a look at that one's successors.
pub(crate) struct Plan<'g> {
    graph: &'g TaskGraph,
    processors: usize,
    supersteps: u32,
    entries: Vec<Entry>,
    /// The tasks that are groups.
    placed: Vec<u32>,
    /// Task-major.
    slots: Vec<Slot>,
    /// The tasks of each superstep and processor, superstep-major, in no particular order.
    lists: Vec<Vec<u32>>,
    /// Where each task stands in its list, task-major.
    positions: Vec<u32>,
    work: Cells,
    traffic: Cells,
    /// Uses of values that no processor computes in time.
    unserved: u32,
    total_work: u64,
    total_words: u64,
    /// Predecessors and receivers met so far: a measure of time that is the same on every machine.
    steps: u64,
}

/// A task on all processors.
#[derive(Clone, Copy)]
struct Entry {
    /// Processors that run it, as bits.
    holders: u64,
    /// Processors that use its value, as bits.
    users: u64,
    /// Its first superstep.
    earliest: u32,
    /// Its group: itself, but for parcels.
    group: u32,
    /// How many parcels follow it.
    parcels: u32,
}

/// A task on one processor.
#[derive(Clone, Copy)]
struct Slot {
    /// Its superstep; [`NOWHERE`]: not there.
    place: u16,
    /// The superstep of the first use of its value; [`NOWHERE`]: none.
    first_use: u16,
}

impl Slot {
    const EMPTY: Self = Self {
        place: NOWHERE as u16,
        first_use: NOWHERE as u16,
    };

    #[inline]
    fn place(self) -> u32 {
        self.place.into()
    }

    #[inline]
    fn first_use(self) -> u32 {
        self.first_use.into()
    }
}

/// The processors in a set, ascending.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// The group of each task. The parcels of a group follow it, have no work, and alone read its value.
fn groups(graph: &TaskGraph) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..graph.tasks() as u32).collect();
    for group in 0..graph.tasks() as u32 {
        let readers = graph.successors(group);
        let is_parcel = |(&reader, at)| {
            reader == at && graph.weight(reader) == 0 && graph.predecessors(reader) == [group]
        };
        if groups[group as usize] == group && readers.iter().zip(group + 1..).all(is_parcel) {
            readers
                .iter()
                .for_each(|&parcel| groups[parcel as usize] = group);
        }
    }
    groups
}

impl<'g> Plan<'g> {
    /// The most processors of a plan: sets of processors are bits of a word.
    pub(crate) const MOST_PROCESSORS: u32 = 64;
    /// The most supersteps.
    const MOST_SUPERSTEPS: u32 = NOWHERE;

    /// No task anywhere, in room for that many supersteps.
    pub(crate) fn new(graph: &'g TaskGraph, processors: u32, supersteps: u32) -> Self {
        assert!((1..=Self::MOST_PROCESSORS).contains(&processors));
        assert!(supersteps <= Self::MOST_SUPERSTEPS);
        let width = processors as usize;
        let groups = groups(graph);
        let entry = |&group| Entry {
            holders: 0,
            users: 0,
            earliest: NOWHERE,
            group,
            parcels: 0,
        };
        let mut entries: Vec<Entry> = groups.iter().map(entry).collect();
        let mut placed = Vec::with_capacity(graph.tasks());
        for (task, &group) in (0..).zip(&groups) {
            if group == task {
                placed.push(task);
            } else {
                entries[group as usize].parcels += 1;
            }
        }
        Self {
            graph,
            processors: width,
            supersteps,
            entries,
            placed,
            slots: vec![Slot::EMPTY; graph.tasks() * width],
            lists: vec![Vec::new(); supersteps as usize * width],
            positions: vec![0; graph.tasks() * width],
            work: Cells::new(supersteps as usize, width),
            // Sent words, then received words.
            traffic: Cells::new(supersteps as usize, 2 * width),
            unserved: 0,
            total_work: 0,
            total_words: 0,
            steps: 0,
        }
    }

    /// Whether a plan can hold what `schedule` does.
    pub(crate) fn has_room_for(schedule: &Schedule) -> bool {
        schedule.supersteps() <= Self::MOST_SUPERSTEPS as usize
    }

    /// What `schedule` does, in room for at least `supersteps` supersteps; of several copies on one processor the first.
    pub(crate) fn of(graph: &'g TaskGraph, schedule: &Schedule, supersteps: u32) -> Self {
        let room = supersteps.max(schedule.supersteps() as u32);
        let mut plan = Self::new(graph, schedule.processors() as u32, room);
        for superstep in 0..schedule.supersteps() {
            for processor in 0..schedule.processors() {
                for &task in schedule.tasks(superstep, processor) {
                    let is_group = plan.group(task) == task;
                    if is_group && plan.superstep(task, processor) == NOWHERE {
                        plan.place(task, processor, superstep as u32);
                    }
                }
            }
        }
        plan
    }

    /// The schedule: empty supersteps left out, tasks of a list in topological order.
    pub(crate) fn schedule(&self, processors: u32) -> Schedule {
        let width = self.processors;
        let mut ends = vec![0; self.supersteps as usize * width + 1];
        let instances = |task: u32| {
            let group = self.group(task);
            bits(self.holders(group)).map(move |p| self.superstep(group, p) as usize * width + p)
        };
        for task in self.graph.topological() {
            instances(task).for_each(|list| ends[list + 1] += 1);
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut tasks = vec![0; ends[ends.len() - 1]];
        let mut fill = ends.clone();
        for task in self.graph.topological() {
            for list in instances(task) {
                tasks[fill[list]] = task;
                fill[list] += 1;
            }
        }
        let mut schedule = Schedule::new(processors);
        for superstep in 0..self.supersteps as usize {
            let lists = superstep * width..(superstep + 1) * width;
            if ends[lists.start] < ends[lists.end] {
                for list in lists {
                    schedule.push(tasks[ends[list]..ends[list + 1]].iter().copied());
                }
                (width..processors as usize).for_each(|_| schedule.push([]));
            }
        }
        schedule
    }

    pub(crate) fn graph(&self) -> &'g TaskGraph {
        self.graph
    }

    /// The groups, ascending: all that is placed.
    pub(crate) fn placed(&self) -> &[u32] {
        &self.placed
    }

    /// The tasks whose values others read from `group`.
    #[inline]
    fn values(&self, group: u32) -> Range<u32> {
        match self.entries[group as usize].parcels {
            0 => group..group + 1,
            parcels => group + 1..group + 1 + parcels,
        }
    }

    /// The group of a task: itself, unless it is a parcel.
    #[inline]
    pub(crate) fn group(&self, task: u32) -> u32 {
        self.entries[task as usize].group
    }

    /// The groups that `group` reads from, one for each value.
    pub(crate) fn before(&self, group: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let values = self.graph.predecessors(group).iter();
        values.map(|&value| self.group(value))
    }

    /// The groups that read from `group`, one for each value.
    #[inline]
    pub(crate) fn after(&self, group: u32) -> &'g [u32] {
        self.graph.successors_of_all(self.values(group))
    }

    pub(crate) fn processors(&self) -> usize {
        self.processors
    }

    pub(crate) fn supersteps(&self) -> u32 {
        self.supersteps
    }

    /// Uses of values that no processor computes in time; the plan is valid when there is none, and every task is somewhere.
    pub(crate) fn unserved(&self) -> u32 {
        self.unserved
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the slot of `task` on `processor` is.
    #[inline]
    fn at(&self, task: u32, processor: usize) -> usize {
        task as usize * self.processors + processor
    }

    /// The superstep of `task` on `processor`, or [`NOWHERE`].
    #[inline]
    pub(crate) fn superstep(&self, task: u32, processor: usize) -> u32 {
        self.slots[self.at(task, processor)].place()
    }

    /// The superstep in which `processor` first uses the value of `task`, or [`NOWHERE`].
    #[inline]
    pub(crate) fn first_use(&self, task: u32, processor: usize) -> u32 {
        let uses = self
            .values(task)
            .map(|value| self.slots[self.at(value, processor)].first_use());
        uses.min().unwrap_or(NOWHERE)
    }

    /// The processors that run `task`.
    #[inline]
    pub(crate) fn holders(&self, task: u32) -> u64 {
        self.entries[task as usize].holders
    }

    /// The processors that use the value of `task`.
    #[inline]
    pub(crate) fn users(&self, task: u32) -> u64 {
        self.values(task)
            .fold(0, |users, value| users | self.entries[value as usize].users)
    }

    /// The first superstep of `task` on any processor.
    #[inline]
    pub(crate) fn earliest(&self, task: u32) -> u32 {
        self.entries[task as usize].earliest
    }

    /// The first superstep in which the value of `task` can be used on `processor`.
    #[inline]
    pub(crate) fn available(&self, task: u32, processor: usize) -> u32 {
        self.superstep(task, processor)
            .min(self.earliest(task).saturating_add(1))
    }

    /// Whether all who use the value of `task` would have it in time if its copy on `holder` went to `to` in `superstep`; [`NOWHERE`]: if it
    /// were dropped.
    pub(crate) fn may_go(&self, task: u32, holder: usize, to: usize, superstep: u32) -> bool {
        (superstep != NOWHERE || self.holders(task) & !(1 << holder | 1 << to) != 0)
            && self
                .uses_of(task, holder, to)
                .all(|(user, first)| superstep < first || user == to && superstep == first)
    }

    /// The last superstep in which the copy of `task` on `holder` may go to `to`: all who use its value have it in time then, and in all before.
    pub(crate) fn last_possible(&self, task: u32, holder: usize, to: usize) -> Option<u32> {
        let mut uses = self.uses_of(task, holder, to);
        uses.try_fold(self.supersteps - 1, |last, (user, first)| {
            let latest = if user == to {
                first
            } else {
                first.checked_sub(1)?
            };
            Some(last.min(latest))
        })
    }

    /// Who needs a copy of `task` on `holder` or `to`, and in which superstep first: those whom no other copy serves.
    fn uses_of(&self, task: u32, holder: usize, to: usize) -> impl Iterator<Item = (usize, u32)> {
        let others = self.holders(task) & !(1 << holder | 1 << to);
        let supersteps = bits(others).map(|p| self.superstep(task, p));
        let earliest = supersteps.min().unwrap_or(NOWHERE);
        self.values(task).flat_map(move |value| {
            let users = bits(self.entries[value as usize].users);
            let uses = users.map(move |user| (user, self.slots[self.at(value, user)].first_use()));
            uses.filter(move |&(user, first)| {
                let is_own = others >> user & 1 == 1 && self.superstep(task, user) <= first;
                earliest >= first && !is_own
            })
        })
    }

    /// The tasks of `processor` in `superstep`, in no particular order.
    pub(crate) fn tasks(&self, superstep: u32, processor: usize) -> &[u32] {
        &self.lists[superstep as usize * self.processors + processor]
    }

    /// The processor with most work in `superstep`.
    pub(crate) fn busiest(&self, superstep: u32) -> usize {
        self.work.column_of_largest(superstep)
    }

    /// The processor that sends or receives most after `superstep`; whether it receives.
    pub(crate) fn most_traffic(&self, superstep: u32) -> (usize, bool) {
        let column = self.traffic.column_of_largest(superstep);
        (column % self.processors, column >= self.processors)
    }

    /// The BSP cost with lazy messages; other figures are up to date after it.
    pub(crate) fn cost(&mut self, machine: &Machine) -> f64 {
        self.work.settle();
        self.traffic.settle();
        self.work.sum() as f64
            + machine.gap * self.traffic.sum() as f64
            + machine.latency * f64::from(self.traffic.rows_in_use())
    }

    /// All work and the cost of all words, as an average over processors: what is not on the busiest processor counts too.
    pub(crate) fn mean_load(&self, machine: &Machine) -> f64 {
        (self.total_work as f64 + machine.gap * self.total_words as f64) / self.processors as f64
    }

    /// The root mean square of what processors do and send, summed over supersteps: less where the same is done more evenly.
    pub(crate) fn root_mean_square(&self, machine: &Machine) -> f64 {
        self.work.roots() + machine.gap * self.traffic.roots()
    }

    /// Moves `task` on `processor` to `superstep`, from wherever it is there; [`NOWHERE`] on either side: adds or removes the copy.
    pub(crate) fn place(&mut self, task: u32, processor: usize, superstep: u32) {
        let at = self.at(task, processor);
        let before = self.slots[at].place();
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
        self.slots[at].place = superstep as u16;
        self.recount_holders(task, processor, superstep);
        self.send_all::<true>(task);
        let graph = self.graph;
        let predecessors = graph.predecessors(task);
        self.steps += predecessors.len() as u64 + 4;
        for &value in predecessors {
            self.use_moved(value, processor, before, superstep);
        }
    }

    /// Counts, or no longer counts, what is sent of a group.
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

    /// One reader of `value` on `processor` has moved between supersteps.
    #[inline]
    fn use_moved(&mut self, value: u32, processor: usize, before: u32, after: u32) {
        let at = self.at(value, processor);
        let first = self.slots[at].first_use();
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
            self.slots[at].first_use = now as u16;
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
        let first = self.slots[self.at(value, user)].first_use();
        let group = self.group(value);
        if self.superstep(group, user) <= first {
            return;
        }
        let holders = self.holders(group);
        let Some(sender) = bits(holders).find(|&p| self.superstep(group, p) < first) else {
            self.unserved = if COUNT {
                self.unserved + 1
            } else {
                self.unserved - 1
            };
            return;
        };
        let words = u64::from(self.graph.words(value));
        let receiver = self.processors + user;
        if COUNT {
            self.traffic.add(first - 1, sender, words);
            self.traffic.add(first - 1, receiver, words);
            self.total_words += words;
        } else {
            self.traffic.subtract(first - 1, sender, words);
            self.traffic.subtract(first - 1, receiver, words);
            self.total_words -= words;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use superstep_dag_builder::Contraction;

    use super::*;
    use crate::{CheckedSchedule, Communication, Placement, check, cost, search::random::Random};

    #[test]
    fn a_superstep_has_two_bytes() {
        let graph = TaskGraph::from_edges(1, &[]).expect("no cycle");
        let mut schedule = Schedule::new(1);
        schedule.push([0]);
        (1..Plan::MOST_SUPERSTEPS).for_each(|_| schedule.push([]));
        assert!(Plan::has_room_for(&schedule));
        let plan = Plan::of(&graph, &schedule, 1);
        assert_eq!((plan.supersteps, plan.unserved), (65_535, 0));
        schedule.push([]);
        assert!(!Plan::has_room_for(&schedule));
    }

    /// A graph with weights and words, some of them 0.
    pub(crate) fn graph(random: &mut Random, tasks: usize) -> TaskGraph {
        let edges: Vec<(u32, u32)> = (0..2 * tasks)
            .map(|_| (random.below(tasks) as u32, random.below(tasks) as u32))
            .filter(|(a, b)| a < b)
            .collect();
        let mut numbers = |most| (0..tasks).map(|_| random.below(most) as u32).collect();
        let (weights, words) = (numbers(5), numbers(4));
        let graph = TaskGraph::from_edges(tasks, &edges).unwrap();
        graph
            .with_weights(weights)
            .unwrap()
            .with_words(words)
            .unwrap()
    }

    /// The cost as the public functions give it, of a plan that is valid.
    fn cost_from_scratch(plan: &Plan<'_>, machine: &Machine) -> f64 {
        let schedule = plan.schedule(machine.processors);
        let checked = CheckedSchedule::new(plan.graph(), schedule).unwrap();
        let lazy = Communication::new(&checked, Placement::Lazy);
        cost::bsp_cost(&checked, &lazy, machine.gap, machine.latency)
    }

    #[test]
    fn the_cost_is_kept_up_to_date_and_validity_known() {
        let mut random = Random::new(1);
        let (mut valid, mut invalid, mut parcels) = (0, 0, 0);
        for round in 0..400 {
            let tasks = 1 + random.below(12);
            let mut graph = graph(&mut random, tasks);
            if round % 2 == 0 {
                let groups: Vec<u32> = (0..tasks as u32).map(|task| task / 3).collect();
                let groups = Contraction::of_groups(&graph, &groups, tasks.div_ceil(3));
                graph = groups.graph().clone();
            }
            let machine = Machine {
                gap: 2.0,
                latency: 7.0,
                ..Machine::new(3)
            };
            let mut plan = Plan::new(&graph, 3, 4);
            let tasks = plan.placed().to_vec();
            parcels += graph.tasks() - tasks.len();
            for &task in &tasks {
                plan.place(task, 0, 0);
            }
            for _ in 0..200 {
                let (task, processor) = (tasks[random.below(tasks.len())], random.below(3));
                let superstep = [NOWHERE, 0, 1, 2, 3][random.below(5)];
                let before = plan.superstep(task, processor);
                plan.place(task, processor, superstep);
                let everywhere = tasks.iter().all(|&task| plan.holders(task) != 0);
                let is_valid = everywhere && plan.unserved() == 0;
                assert_eq!(check(&graph, &plan.schedule(3)).is_ok(), is_valid);
                if is_valid {
                    assert_eq!(plan.cost(&machine), cost_from_scratch(&plan, &machine));
                    valid += 1;
                } else {
                    plan.place(task, processor, before);
                    assert_eq!(plan.cost(&machine), cost_from_scratch(&plan, &machine));
                    invalid += 1;
                }
            }
        }
        assert!(
            valid > 1000 && invalid > 1000,
            "{valid} valid, {invalid} not"
        );
        assert!(parcels > 100, "{parcels}");
    }

    #[test]
    fn a_copy_may_go_if_and_only_if_all_are_served_then() {
        let mut random = Random::new(2);
        let (mut may, mut may_not) = (0, 0);
        for _ in 0..200 {
            let graph = graph(&mut random, 10);
            let mut plan = Plan::new(&graph, 3, 4);
            let tasks = plan.placed().to_vec();
            for &task in &tasks {
                plan.place(task, 0, task / 3);
                plan.place(task, random.below(3), task / 3);
            }
            while plan.unserved() > 0 {
                let task = tasks[random.below(tasks.len())];
                plan.place(task, random.below(3), task / 3);
            }
            for &task in &tasks {
                let holder = bits(plan.holders(task)).next().expect("it is on one");
                // Neither is before what it needs.
                let superstep = [plan.superstep(task, holder), 3, NOWHERE][random.below(3)];
                let to = if superstep == NOWHERE {
                    holder
                } else {
                    random.below(3)
                };
                let may_go = plan.may_go(task, holder, to, superstep);
                let last = plan.last_possible(task, holder, to);
                for superstep in 0..4 {
                    let is_possible = last.is_some_and(|last| superstep <= last);
                    assert_eq!(plan.may_go(task, holder, to, superstep), is_possible);
                }
                let before = [holder, to].map(|p| (p, plan.superstep(task, p)));
                plan.place(task, holder, NOWHERE);
                plan.place(task, to, superstep);
                let is_ready = superstep == NOWHERE
                    || plan
                        .before(task)
                        .all(|value| plan.available(value, to) <= superstep);
                if is_ready {
                    let is_served = plan.holders(task) != 0 && plan.unserved() == 0;
                    assert_eq!(may_go, is_served);
                    *if may_go { &mut may } else { &mut may_not } += 1;
                }
                for (processor, superstep) in before.into_iter().rev() {
                    plan.place(task, processor, superstep);
                }
            }
        }
        assert!(may > 100 && may_not > 100, "{may} may, {may_not} may not");
    }

    #[test]
    fn a_schedule_comes_back_as_it_was() {
        let graph = TaskGraph::from_edges(3, &[(0, 2), (1, 2)]).unwrap();
        let schedule = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![0, 2], vec![]]]);
        let once = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![2], vec![]]]);
        assert_eq!(Plan::of(&graph, &schedule, 5).schedule(2), once);
    }
}
