//! Refinement: simulated annealing from the best schedules of a pool.

use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::Effort;

use super::pool::Pool;
use crate::{
    search::{anneal::Annealing, assignment::Assignment, cost::Energy, moves},
    sets::MOST_PROCESSORS,
    tunables::{
        EVENNESS, FEWEST_STEPS, FROM_SCRATCH, MOLTEN, MOST_ENTRIES, MOST_STEPS, ROOMS,
        STEPS_FROM_SCRATCH, WARM, refinement,
    },
};

/// Heat of a search; temperatures in units of a small move.
#[derive(Clone, Copy)]
pub(crate) struct Heat {
    pub(crate) hot: f64,
    pub(crate) cold: f64,
    /// Part of the search in which words and boundaries grow dear.
    pub(crate) ramp: f64,
}

/// Refinement: a search from the best schedules of a pool, and a last one from the best of all.
pub(super) struct Refinement {
    steps: u64,
    /// Number of schedules of the pool that it starts from.
    starts: usize,
    seed: u64,
    heat: Heat,
    /// Set if a last search goes on from the best found.
    goes_on: bool,
}

impl Refinement {
    /// Returns the search among tasks of an effort.
    pub(super) fn of_tasks(pool: &Pool<'_>, effort: Effort) -> Self {
        let size = (pool.graph.tasks() + pool.graph.edges()) as u64;
        let (steps, starts) = refinement(effort, size);
        Self {
            steps: steps.min(MOST_STEPS),
            starts,
            seed: effort as u64,
            heat: MOLTEN,
            goes_on: true,
        }
    }

    /// Returns the search among groups, in so many steps in all. One that starts from a schedule of
    /// coarser groups, which is annealed already, needs no last search.
    pub(super) fn of_groups(steps: u64, starts: usize, heat: Heat) -> Self {
        Self {
            steps,
            starts,
            seed: Effort::Thorough as u64,
            heat,
            goes_on: starts > 1,
        }
    }

    /// Offers to the pool the schedules that annealing finds. One of the starts is `other`, whose
    /// supersteps are merged as pays on its machine.
    pub(super) fn run(&self, pool: &mut Pool<'_>, other: Option<(Schedule, Machine)>) {
        if !self.is_worth_it(pool) {
            return;
        }
        let tasks = pool.graph.tasks() as u64;
        let mut left = self.steps;
        if left / (2 * ROOMS.len() as u64) > STEPS_FROM_SCRATCH * tasks {
            left /= 2;
            let each = left / ROOMS.len() as u64;
            let serial = pool.serial.clone();
            let starts = ROOMS.map(|room| (&serial, room, pool.machine));
            self.anneal(pool, &starts, each, FROM_SCRATCH);
        }
        let most = (left / (FEWEST_STEPS * tasks)).max(2) as usize - 1;
        let cheapest = fitting(pool).take(self.starts.min(most) - usize::from(other.is_some()));
        let cheapest = cheapest.map(|start| (start, pool.machine.clone()));
        let starts: Vec<_> = cheapest.chain(other).collect();
        if starts.is_empty() {
            return;
        }
        let each = left / (starts.len() as u64 + u64::from(self.goes_on));
        let starts = starts.iter().map(|(start, machine)| (start, 1, machine));
        self.anneal(pool, &starts.collect::<Vec<_>>(), each, self.heat);
        let best = fitting(pool).next().filter(|_| self.goes_on);
        if let Some(best) = best {
            self.anneal(pool, &[(&best, 1, pool.machine)], each, WARM);
        }
    }

    /// Returns whether it searches at all.
    pub(super) fn is_worth_it(&self, pool: &Pool<'_>) -> bool {
        let (tasks, processors) = (pool.graph.tasks(), pool.machine.processors);
        (2..=MOST_PROCESSORS).contains(&processors)
            && (1..=MOST_ENTRIES / processors as usize).contains(&tasks)
            && self.steps >= FEWEST_STEPS * tasks as u64
    }

    /// Offers the schedules that annealing finds from each start, with so many supersteps of room
    /// between its own, these merged as pays on that machine.
    fn anneal(
        &self,
        pool: &mut Pool<'_>,
        starts: &[(&Schedule, u32, &Machine)],
        steps: u64,
        Heat { hot, cold, ramp }: Heat,
    ) {
        let (graph, machine) = (pool.graph, pool.machine);
        // Changes of a small move: the work of a task, the cost of a word.
        let unit = graph.total_work() as f64 / graph.tasks() as f64 + machine.gap;
        let energy = |machine: &Machine| Energy {
            machine: machine.clone(),
            evenness: EVENNESS,
        };
        let annealing = Annealing {
            energy: energy(machine),
            hot: hot * unit,
            cold: cold * unit,
            ramp,
            steps,
            seed: self.seed,
        };
        pool.offer_found(starts, |&(start, room, merging)| {
            let mut assignment = Assignment::of(graph, start, machine, room);
            moves::merge_supersteps(&mut assignment, &energy(merging));
            annealing.run(&mut assignment, moves::random_move);
            assignment.schedule()
        });
    }
}

/// Returns the schedules of a pool that an assignment has room for, the cheapest first.
pub(super) fn fitting(pool: &Pool<'_>) -> impl Iterator<Item = Schedule> {
    let all = (0..).map_while(|place| pool.get(place));
    all.filter(|schedule| Assignment::has_room_for(schedule))
        .cloned()
}
