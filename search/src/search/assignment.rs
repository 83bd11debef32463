//! Assignment of tasks to processors and supersteps, with its BSP cost kept up to date.

mod boundaries;
mod change;
mod outlook;
mod uses;

use std::ops::Range;

use superstep_dag::Dag;
use superstep_machine::Machine;

use self::boundaries::Boundaries;
pub(crate) use self::outlook::Relocation;
use super::{NOWHERE, anneal::State, cost::BspCost};
use crate::{
    lists::topological_lists,
    sets::{MOST_PROCESSORS, bits},
};
use superstep_schedule::{CheckedSchedule, Communication, Schedule, Sending, cost};

/// Assignment of tasks to processors and supersteps, at most one copy of each on a processor, and
/// its cost with lazy messages.
///
/// Parcels, as contractions make them, run wherever their groups do: only groups are placed, and a
/// group has the values of its parcels. In a graph without parcels each task is a group with a
/// value of its own.
///
/// Any assignment can be held, valid or not. `unserved` counts the uses without a value, so that
/// moves of several steps may pass through assignments that are not valid. Memory: 8 bytes per task
/// and processor, 48 per superstep and processor. The data of one try lie together, as a search
/// waits for cache misses.
///
/// One step, [`place`](State::place), costs the predecessors of the task and the receivers of its
/// value. Where the task was the first use of a predecessor's value there, it also costs a look at
/// all readers of that value.
pub(crate) struct Assignment<'g> {
    pub(super) graph: &'g Dag,
    pub(super) processors: usize,
    pub(super) supersteps: u32,
    entries: Vec<Entry>,
    /// Tasks that are groups, ascending: all that is placed.
    pub(super) placed: Vec<u32>,
    /// Tasks on processors, task-major.
    on_processors: Vec<TaskOnProcessor>,
    /// Tasks of each superstep and processor, superstep-major, in no particular order.
    lists: Vec<Vec<u32>>,
    /// Position of each task in its list, task-major.
    positions: Vec<u32>,
    pub(super) cost: BspCost,
    boundaries: Boundaries,
    /// Uses of values that no processor computes in time. The assignment is valid when there is
    /// none, and every task is somewhere.
    pub(super) unserved: u32,
    /// Predecessors and receivers met so far: a measure of time that is the same on every machine.
    steps: u64,
}

/// Entry of a task on all processors.
#[derive(Clone, Copy)]
struct Entry {
    /// Processors that run it, as bits.
    holders: u64,
    /// Processors that use its value, as bits.
    users: u64,
    /// First superstep of the task.
    earliest: u32,
    /// Group of the task: itself, but for parcels.
    group: u32,
    /// Number of parcels that follow it.
    parcels: u32,
}

/// Task on one processor, whether it runs there or not.
#[derive(Clone, Copy)]
struct TaskOnProcessor {
    /// Superstep of the task; [`NOWHERE`]: not there.
    superstep: u16,
    /// Superstep of the first use of its value; [`NOWHERE`]: none.
    first_use: u16,
}

impl TaskOnProcessor {
    const EMPTY: Self = Self {
        superstep: NOWHERE as u16,
        first_use: NOWHERE as u16,
    };

    #[inline]
    fn superstep(self) -> u32 {
        self.superstep.into()
    }

    #[inline]
    fn first_use(self) -> u32 {
        self.first_use.into()
    }
}

/// Returns the group of each task. The parcels of a group follow it, have no work, and alone read
/// its value.
fn groups(graph: &Dag) -> Vec<u32> {
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

impl<'g> Assignment<'g> {
    /// Largest number of supersteps.
    const MOST_SUPERSTEPS: u32 = NOWHERE;

    /// Makes the assignment with no task anywhere, and room for as many supersteps as `reach` has.
    /// After each of them messages go as far as that [level](Machine::level) of the machine.
    fn empty(graph: &'g Dag, machine: &Machine, reach: &[usize]) -> Self {
        let (processors, supersteps) = (machine.processors, reach.len() as u32);
        assert!((1..=MOST_PROCESSORS).contains(&processors));
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
            on_processors: vec![TaskOnProcessor::EMPTY; graph.tasks() * width],
            lists: vec![Vec::new(); supersteps as usize * width],
            positions: vec![0; graph.tasks() * width],
            cost: BspCost::new(machine, supersteps as usize),
            boundaries: Boundaries::new(machine.levels.len(), reach),
            unserved: 0,
            steps: 0,
        }
    }

    /// Returns whether an assignment can hold the supersteps of `schedule`.
    pub(crate) fn has_room_for(schedule: &Schedule) -> bool {
        schedule.supersteps() <= Self::MOST_SUPERSTEPS as usize
    }

    /// Makes the assignment of a valid schedule, in room for at least `supersteps` supersteps; of
    /// several copies on one processor it takes the first.
    ///
    /// On a machine with levels each boundary keeps the level of its farthest message in
    /// `schedule`. A value that goes farther takes an earlier boundary that reaches as far.
    pub(crate) fn of(
        graph: &'g Dag,
        schedule: &Schedule,
        machine: &Machine,
        supersteps: u32,
    ) -> Self {
        let room = supersteps.max(schedule.supersteps() as u32);
        let mut reach = vec![machine.levels.len(); room as usize];
        if !machine.levels.is_empty() {
            let checked = CheckedSchedule::new(graph, schedule.clone()).expect("it is valid");
            let messages = Communication::on(&checked, Sending::ImprovedLazy, machine);
            for exchange in cost::exchanges(&checked, &messages, machine) {
                reach[exchange.superstep] = exchange.level;
            }
        }
        let mut assignment = Self::empty(graph, machine, &reach);
        for superstep in 0..schedule.supersteps() {
            for processor in 0..schedule.processors() {
                for &task in schedule.tasks(superstep, processor) {
                    let is_group = assignment.group(task) == task;
                    if is_group && assignment.superstep(task, processor) == NOWHERE {
                        assignment.place(task, processor, superstep as u32);
                    }
                }
            }
        }
        assignment
    }

    /// Returns the schedule: empty supersteps left out, tasks of a list in topological order.
    pub(crate) fn schedule(&self) -> Schedule {
        let width = self.processors;
        let lists = topological_lists(self.graph, self.supersteps as usize * width, |task| {
            let group = self.group(task);
            bits(self.holders(group)).map(move |p| self.superstep(group, p) as usize * width + p)
        });
        let mut schedule = Schedule::new(width as u32);
        for superstep in 0..self.supersteps as usize {
            let of_it = superstep * width..(superstep + 1) * width;
            if of_it.clone().any(|list| !lists.row(list).is_empty()) {
                for list in of_it {
                    schedule.push(lists.row(list).iter().copied());
                }
            }
        }
        schedule
    }

    /// Returns the tasks whose values others read from `group`.
    #[inline]
    fn values(&self, group: u32) -> Range<u32> {
        match self.entries[group as usize].parcels {
            0 => group..group + 1,
            parcels => group + 1..group + 1 + parcels,
        }
    }

    /// Returns the group of a task: itself, unless it is a parcel.
    #[inline]
    pub(crate) fn group(&self, task: u32) -> u32 {
        self.entries[task as usize].group
    }

    /// Returns the groups that `group` reads from, one for each value.
    pub(crate) fn before(&self, group: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let values = self.graph.predecessors(group).iter();
        values.map(|&value| self.group(value))
    }

    /// Returns the groups that read from `group`, one for each value.
    #[inline]
    pub(crate) fn after(&self, group: u32) -> &'g [u32] {
        self.graph.successors_of_all(self.values(group))
    }

    /// Returns the index of `task` on `processor`.
    #[inline]
    fn at(&self, task: u32, processor: usize) -> usize {
        task as usize * self.processors + processor
    }

    /// Returns the superstep of `task` on `processor`, or [`NOWHERE`].
    #[inline]
    pub(crate) fn superstep(&self, task: u32, processor: usize) -> u32 {
        self.on_processors[self.at(task, processor)].superstep()
    }

    /// Returns the superstep in which `processor` first uses the value of `task`, or [`NOWHERE`].
    #[inline]
    pub(crate) fn first_use(&self, task: u32, processor: usize) -> u32 {
        let uses = self
            .values(task)
            .map(|value| self.on_processors[self.at(value, processor)].first_use());
        uses.min().unwrap_or(NOWHERE)
    }

    /// Returns the processors that run `task`.
    #[inline]
    pub(crate) fn holders(&self, task: u32) -> u64 {
        self.entries[task as usize].holders
    }

    /// Returns the processors that use the value of `task`.
    #[inline]
    pub(crate) fn users(&self, task: u32) -> u64 {
        self.values(task)
            .fold(0, |users, value| users | self.entries[value as usize].users)
    }

    /// Returns the first superstep of `task` on any processor.
    #[inline]
    pub(crate) fn earliest(&self, task: u32) -> u32 {
        self.entries[task as usize].earliest
    }

    /// Returns the first superstep in which the value of `task` can be used on `processor`.
    #[inline]
    pub(crate) fn available(&self, task: u32, processor: usize) -> u32 {
        if self.cost.is_flat() {
            return self
                .superstep(task, processor)
                .min(self.earliest(task).saturating_add(1));
        }
        let holders = bits(self.holders(task));
        holders
            .map(|holder| self.arrival(holder, self.superstep(task, holder), processor))
            .min()
            .unwrap_or(NOWHERE)
    }

    /// Returns the first superstep in which `to` can use a value that `from` computes in
    /// `superstep`, or [`NOWHERE`].
    #[inline]
    fn arrival(&self, from: usize, superstep: u32, to: usize) -> u32 {
        if superstep == NOWHERE || from == to {
            return superstep;
        }
        if self.cost.is_flat() {
            return superstep + 1;
        }
        let level = self.cost.level(from, to);
        self.boundaries.arrival(level, superstep)
    }

    /// Returns the last superstep after which `from` may send `to` a value that is used in
    /// `first_use`.
    #[inline]
    fn last_sending(&self, from: usize, to: usize, first_use: u32) -> Option<u32> {
        if self.cost.is_flat() {
            return first_use.checked_sub(1);
        }
        let level = self.cost.level(from, to);
        self.boundaries.last_before(level, first_use)
    }

    /// Returns the tasks of `processor` in `superstep`, in no particular order.
    pub(crate) fn tasks(&self, superstep: u32, processor: usize) -> &[u32] {
        &self.lists[superstep as usize * self.processors + processor]
    }
}

#[cfg(test)]
impl<'g> Assignment<'g> {
    /// Makes the assignment with no task anywhere, on a machine without levels.
    pub(crate) fn new(graph: &'g Dag, processors: u32, supersteps: u32) -> Self {
        let reach = vec![0; supersteps as usize];
        Self::empty(graph, &Machine::new(processors), &reach)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use superstep_dag::Contraction;

    use super::*;
    use superstep_machine::Level;
    use superstep_random::SplitMix64;
    use superstep_schedule::check;

    #[test]
    fn a_superstep_has_two_bytes() {
        let graph = Dag::from_edges(1, &[]).expect("no cycle");
        let mut schedule = Schedule::new(1);
        schedule.push([0]);
        (1..Assignment::MOST_SUPERSTEPS).for_each(|_| schedule.push([]));
        assert!(Assignment::has_room_for(&schedule));
        let assignment = Assignment::of(&graph, &schedule, &Machine::new(1), 1);
        assert_eq!((assignment.supersteps, assignment.unserved), (65_535, 0));
        schedule.push([]);
        assert!(!Assignment::has_room_for(&schedule));
    }

    /// Returns a graph with weights and words, some of them 0.
    pub(crate) fn graph(random: &mut SplitMix64, tasks: usize) -> Dag {
        let edges: Vec<(u32, u32)> = (0..2 * tasks)
            .map(|_| (random.below(tasks) as u32, random.below(tasks) as u32))
            .filter(|(a, b)| a < b)
            .collect();
        let mut numbers = |most| (0..tasks).map(|_| random.below(most) as u32).collect();
        let (weights, words) = (numbers(5), numbers(4));
        let graph = Dag::from_edges(tasks, &edges).unwrap();
        graph
            .with_weights(weights)
            .unwrap()
            .with_words(words)
            .unwrap()
    }

    /// Returns the cost as the public functions give it, of an assignment that is valid.
    fn cost_from_scratch(assignment: &Assignment<'_>, machine: &Machine) -> f64 {
        let schedule = assignment.schedule();
        let checked = CheckedSchedule::new(assignment.graph, schedule).unwrap();
        let lazy = Communication::on(&checked, Sending::Lazy, machine);
        cost::bsp_cost(&checked, &lazy, machine)
    }

    #[test]
    fn the_cost_is_kept_up_to_date_and_validity_known() {
        let mut random = SplitMix64::new(1);
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
            let mut assignment = Assignment::new(&graph, 3, 4);
            let tasks = assignment.placed.to_vec();
            parcels += graph.tasks() - tasks.len();
            for &task in &tasks {
                assignment.place(task, 0, 0);
            }
            for _ in 0..200 {
                let (task, processor) = (tasks[random.below(tasks.len())], random.below(3));
                let superstep = [NOWHERE, 0, 1, 2, 3][random.below(5)];
                let before = assignment.superstep(task, processor);
                assignment.place(task, processor, superstep);
                let everywhere = tasks.iter().all(|&task| assignment.holders(task) != 0);
                let is_valid = everywhere && assignment.unserved == 0;
                assert_eq!(check(&graph, &assignment.schedule()).is_ok(), is_valid);
                if is_valid {
                    assert_eq!(
                        assignment.cost().cost(&machine),
                        cost_from_scratch(&assignment, &machine)
                    );
                    valid += 1;
                } else {
                    assignment.place(task, processor, before);
                    assert_eq!(
                        assignment.cost().cost(&machine),
                        cost_from_scratch(&assignment, &machine)
                    );
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

    /// Returns a machine of two sites of two processors, some costs of which are the whole's.
    fn sites(random: &mut SplitMix64) -> Machine {
        let part = |random: &mut SplitMix64| [0.0, 0.25, 0.5, 1.0][random.below(4)];
        let (latency, gap) = (part(random), part(random));
        Machine {
            gap: 2.0,
            latency: 8.0,
            levels: vec![Level {
                groups: vec![0, 0, 1, 1],
                latency,
                gap,
            }],
            ..Machine::new(4)
        }
    }

    #[test]
    fn the_cost_on_a_machine_with_levels_is_kept_up_to_date() {
        let mut random = SplitMix64::new(5);
        let mut compared = 0;
        for _ in 0..300 {
            let graph = graph(&mut random, 10);
            let machine = sites(&mut random);
            // All boundaries reach as far as any: then messages go right before their first use.
            let mut assignment = Assignment::empty(&graph, &machine, &[1; 4]);
            let tasks = assignment.placed.to_vec();
            for &task in &tasks {
                assignment.place(task, 0, 0);
            }
            for _ in 0..100 {
                let (task, processor) = (tasks[random.below(tasks.len())], random.below(4));
                let superstep = [NOWHERE, 0, 1, 2, 3][random.below(5)];
                let before = assignment.superstep(task, processor);
                assignment.place(task, processor, superstep);
                if assignment.holders(task) == 0 || assignment.unserved > 0 {
                    assignment.place(task, processor, before);
                }
                assert_eq!(
                    assignment.cost().cost(&machine),
                    cost_from_scratch(&assignment, &machine)
                );
                compared += 1;
            }
        }
        assert!(compared > 10_000);
    }

    #[test]
    fn what_goes_far_waits_for_a_boundary_that_does() {
        // 0 -> 1 on the same site, 0 -> 2 on the other.
        let graph = Dag::from_edges(3, &[(0, 1), (0, 2)]).unwrap();
        let machine = Machine {
            levels: vec![Level {
                groups: vec![0, 0, 1, 1],
                latency: 0.25,
                gap: 1.0,
            }],
            latency: 100.0,
            ..Machine::new(4)
        };
        let mut assignment = Assignment::empty(&graph, &machine, &[0, 1, 0, 0]);
        assignment.place(0, 0, 0);
        assignment.place(1, 1, 1);
        assignment.place(2, 2, 1);
        assert_eq!((assignment.unserved, assignment.available(0, 2)), (1, 2));
        assignment.place(2, 2, 3);
        assert_eq!(assignment.unserved, 0);
        // Two boundaries, of which one goes far.
        assert_eq!(assignment.cost().cost(&machine), 3.0 + 2.0 + 125.0);
        assert_eq!(assignment.last_possible(0, 0, 0), Some(0));
        assert_eq!(assignment.last_possible(0, 0, 1), Some(1));
    }

    #[test]
    fn a_schedule_comes_back_as_it_was() {
        let graph = Dag::from_edges(3, &[(0, 2), (1, 2)]).unwrap();
        let schedule = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![0, 2], vec![]]]);
        let once = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![2], vec![]]]);
        let assignment = Assignment::of(&graph, &schedule, &Machine::new(2), 5);
        assert_eq!(assignment.schedule(), once);
    }
}
