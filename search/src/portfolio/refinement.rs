//! Simulated annealing from the best schedules of a pool.

use superstep_machine::Machine;
use superstep_schedule::Schedule;

use superstep_scheduler::Effort;

use super::pool::Pool;
use crate::search::{
    anneal::{self, Annealing, Moves},
    assignment::Assignment,
    energy::Energy,
};

/// Largest number of table entries (tasks x processors) of an assignment.
const MOST_ENTRIES: usize = 1 << 24;
/// Largest number of steps, some seconds on two cores: a step in tables beyond the caches takes up
/// to a fifth of a microsecond.
const MOST_STEPS: u64 = 150_000_000;
/// Steps per task and start below which annealing is not worth its start, and would take longer
/// than the effort allows.
const FEWEST_STEPS: u64 = 250;
/// Steps per task from which on a search from nothing can find what no scheduler did.
const STEPS_FROM_SCRATCH: u64 = 20_000;
/// Numbers of supersteps that a search from nothing has room for.
const ROOMS: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// Heat of a search; temperatures in units of a small move.
#[derive(Clone, Copy)]
struct Heat {
    hot: f64,
    cold: f64,
    ramp: f64,
}

const FROM_SCRATCH: Heat = Heat {
    hot: 1.0,
    cold: COLD,
    ramp: 0.5,
};
const FROM_A_SCHEDULE: Heat = Heat {
    hot: 0.3,
    cold: COLD,
    ramp: 0.01,
};
/// Heat for tiles, which weigh more than words and tasks, in which units costs change.
const FROM_TILES: Heat = Heat {
    hot: 0.12,
    cold: COLD,
    ramp: 0.01,
};
const MOLTEN: Heat = Heat {
    hot: 0.35,
    cold: COLD,
    ramp: 0.01,
};
const AT_LAST: Heat = Heat {
    hot: 0.1,
    cold: COLD,
    ramp: 0.01,
};

/// Temperature at which most searches end.
const COLD: f64 = 0.03;
/// Heat for schedules found among coarser groups, which are not to be melted: that takes more steps
/// than there is time for.
const FINER: Heat = Heat {
    hot: 0.03,
    cold: 0.01,
    ramp: 0.0,
};

/// Heat for pipelines, which have not been annealed before.
const FROM_A_PIPELINE: Heat = Heat { hot: 0.1, ..FINER };

/// Slope of the energy: see [`Energy::slope`].
const SLOPE: f64 = 0.2;
/// Evenness of the energy: see [`Energy::evenness`].
const EVENNESS: f64 = 1.0;

/// Refinement: the search of an effort.
pub(super) struct Refinement {
    steps: u64,
    /// Number of schedules of the pool that it starts from.
    starts: usize,
    seed: u64,
    heat: Heat,
    /// Heat of a further search from the best of those.
    last: Option<Heat>,
}

impl Refinement {
    pub(super) fn new(pool: &Pool<'_>, effort: Effort) -> Self {
        let size = (pool.graph.tasks() + pool.graph.edges()) as u64;
        let (steps, starts) = match effort {
            Effort::Fast => (2_000_000.min(20_000 * size), 1),
            Effort::Balanced => (14_000_000.min(100_000 * size), 4),
            Effort::Thorough => (30_000_000.min(500_000 * size).max(1_900 * size), 8),
        };
        Self {
            steps: steps.min(MOST_STEPS),
            starts,
            seed: effort as u64,
            heat: FROM_A_SCHEDULE,
            last: Some(AT_LAST),
        }
    }

    /// Returns the search among schedules of tiles.
    pub(super) fn of_tiles(steps: u64, is_molten: bool) -> Self {
        Self {
            steps,
            starts: 3,
            seed: Effort::Thorough as u64,
            heat: if is_molten { MOLTEN } else { FROM_TILES },
            last: Some(AT_LAST),
        }
    }

    /// Returns the search from a schedule of coarser groups: of tiles, or of a pipeline.
    pub(super) fn of_finer(steps: u64, is_of_tiles: bool) -> Self {
        Self {
            steps,
            starts: 1,
            seed: Effort::Thorough as u64,
            heat: if is_of_tiles { FINER } else { FROM_A_PIPELINE },
            last: None,
        }
    }

    /// Offers to the pool the schedules that annealing finds.
    pub(super) fn run(&self, pool: &mut Pool<'_>) {
        self.run_with(pool, None);
    }

    /// Offers the schedules that annealing finds, one of the starts being `other`, whose supersteps
    /// are merged as pays on its machine.
    pub(super) fn run_with(&self, pool: &mut Pool<'_>, other: Option<(Schedule, Machine)>) {
        if !self.is_worth_it(pool) {
            return;
        }
        let tasks = pool.graph.tasks() as u64;
        let mut left = self.steps;
        if left / (2 * ROOMS.len() as u64) > STEPS_FROM_SCRATCH * tasks {
            left /= 2;
            let each = left / ROOMS.len() as u64;
            let serial = pool.serial().clone();
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
        let each = left / (starts.len() as u64 + u64::from(self.last.is_some()));
        let starts = starts.iter().map(|(start, machine)| (start, 1, machine));
        self.anneal(pool, &starts.collect::<Vec<_>>(), each, self.heat);
        let Some(last) = self.last else { return };
        let best = fitting(pool).next();
        if let Some(best) = best {
            self.anneal(pool, &[(&best, 1, pool.machine)], each, last);
        }
    }

    /// Returns whether it searches at all.
    pub(super) fn is_worth_it(&self, pool: &Pool<'_>) -> bool {
        let (tasks, processors) = (pool.graph.tasks(), pool.machine.processors);
        (2..=Assignment::MOST_PROCESSORS).contains(&processors)
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
            slope: SLOPE,
            evenness: EVENNESS,
        };
        let annealing = Annealing {
            energy: energy(machine),
            hot: hot * unit,
            cold: cold * unit,
            ramp,
            steps,
            seed: self.seed,
            moves: Moves::All,
        };
        let annealing = &annealing;
        let jobs = starts.iter().map(|&(start, room, merging)| {
            move || {
                let mut assignment = Assignment::of(graph, start, machine, room);
                anneal::merge(&mut assignment, &energy(merging));
                annealing.run(&mut assignment);
                assignment.schedule(machine.processors)
            }
        });
        pool.offer_found(&jobs.collect::<Vec<_>>());
    }
}

/// Returns the schedules of a pool that an assignment has room for, the cheapest first.
pub(super) fn fitting(pool: &Pool<'_>) -> impl Iterator<Item = Schedule> {
    let all = (0..).map_while(|place| pool.get(place));
    all.filter(|schedule| Assignment::has_room_for(schedule))
        .cloned()
}
