//! Simulated annealing, of any state whose BSP cost is kept up to date.
//!
//! A state has *items* with a place each, and random moves that change some places. A move that
//! lowers the energy stays. One that raises it stays with a probability that falls with the rise.
//! The probability also falls with the temperature, which goes down in the course of the search.
//! A [`Journal`] has the places that a move changed, by which it is taken back. A second one has
//! all that changed since the cheapest state seen. The search returns to that state at its end.

use superstep_machine::Machine;
use superstep_random::SplitMix64;

use super::cost::{BspCost, Energy};

/// State of items with places, which a search changes.
pub(crate) trait State {
    /// Returns its cost.
    fn cost(&mut self) -> &mut BspCost;

    /// Returns the steps taken so far: a measure of time that is the same on every machine.
    fn steps(&self) -> u64;

    /// Returns whether the state stands for a schedule.
    fn is_valid(&self) -> bool;

    /// Returns the place of an item. An item may have a place on each processor.
    fn place_of(&self, item: u32, processor: usize) -> u32;

    /// Gives an item another place.
    fn place(&mut self, item: u32, processor: usize, place: u32);
}

/// Journal of a state: places that items had before.
#[derive(Default)]
pub(crate) struct Journal {
    /// Item, processor, and its place before, the oldest first.
    entries: Vec<(u32, u32, u32)>,
    /// Number of entries above which only the oldest of each item is kept.
    most: usize,
}

/// Number of entries of a journal below which none is left out: 12 kB.
const FEW_ENTRIES: usize = 1024;

impl Journal {
    /// Gives an item of a state another place, and remembers the one before.
    pub(crate) fn place(
        &mut self,
        state: &mut impl State,
        item: u32,
        processor: usize,
        place: u32,
    ) {
        let before = state.place_of(item, processor);
        self.entries.push((item, processor as u32, before));
        state.place(item, processor, place);
    }

    /// Gives all items back the places that they had.
    pub(crate) fn revert(&mut self, state: &mut impl State) {
        while let Some((item, processor, before)) = self.entries.pop() {
            state.place(item, processor as usize, before);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Takes over the entries of a later journal.
    fn append(&mut self, later: &mut Self) {
        self.entries.append(&mut later.entries);
        if self.entries.len() > self.most.max(FEW_ENTRIES) {
            let item = |&(item, processor, _): &(u32, u32, u32)| (item, processor);
            self.entries.sort_by_key(item);
            self.entries.dedup_by_key(|entry| item(entry));
            self.most = 2 * self.entries.len();
        }
    }
}

/// Limit on the rise of an energy by a move.
pub(crate) struct Limit<'a> {
    pub(crate) energy: &'a Energy,
    pub(crate) most: f64,
}

/// Annealing: its energy and temperatures.
#[derive(Clone, Debug)]
pub(crate) struct Annealing {
    /// Energy that is made small.
    pub(crate) energy: Energy,
    /// Rise of the energy that is accepted with probability 1/e at first.
    pub(crate) hot: f64,
    /// Rise of the energy that is accepted with probability 1/e at last.
    pub(crate) cold: f64,
    /// Part of the search in which the costs of words and boundaries rise from 0 to their own.
    pub(crate) ramp: f64,
    /// Number of [steps](State::steps) to take.
    pub(crate) steps: u64,
    pub(crate) seed: u64,
}

/// Tries between two looks at the temperature: a few microseconds each.
const BATCH: u64 = 64;

/// Steps that a try takes besides those of the state.
const STEPS_PER_TRY: u64 = 4;

impl Annealing {
    /// Improves a valid state by random moves, and leaves it at the cheapest seen. A move returns
    /// whether it changed anything; the state may then be invalid.
    pub(crate) fn run<S: State>(
        &self,
        state: &mut S,
        random_move: impl Fn(&mut S, &mut SplitMix64, &mut Journal, &Limit) -> bool,
    ) {
        let mut random = SplitMix64::new(self.seed);
        let (mut made, mut since_best) = (Journal::default(), Journal::default());
        let mut least = state.cost().cost(&self.energy.machine);
        let start = state.steps();
        let mut tries = 0;
        loop {
            let spent = state.steps() - start + STEPS_PER_TRY * tries;
            if spent >= self.steps {
                break;
            }
            let done = spent as f64 / self.steps as f64;
            let temperature = self.hot * (self.cold / self.hot).powf(done);
            let energy = self.softened(done);
            let mut before = energy.of(state.cost());
            for _ in 0..BATCH {
                let limit = Limit {
                    energy: &energy,
                    most: -temperature * (1.0 - random.unit()).ln(),
                };
                let moved = random_move(state, &mut random, &mut made, &limit);
                let after = (moved && state.is_valid()).then(|| energy.of(state.cost()));
                let Some(after) = after.filter(|after| after - before <= limit.most) else {
                    made.revert(state);
                    continue;
                };
                before = after;
                since_best.append(&mut made);
                let cost = state.cost().cost(&self.energy.machine);
                if cost < least {
                    least = cost;
                    since_best.clear();
                }
            }
            tries += BATCH;
        }
        since_best.revert(state);
    }

    /// Returns the energy as the search sees it when that part of it is done. Cheap communication
    /// first lets tasks spread, and as it grows dear copies take the place of words.
    fn softened(&self, done: f64) -> Energy {
        let part = if done < self.ramp {
            done / self.ramp
        } else {
            1.0
        };
        let machine = &self.energy.machine;
        let machine = Machine {
            gap: part * machine.gap,
            latency: part * machine.latency,
            ..machine.clone()
        };
        Energy {
            machine,
            ..self.energy
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_dag::Dag;

    use super::*;
    use crate::search::{assignment::Assignment, moves};

    #[test]
    fn a_search_that_stays_hot_ends_at_the_cheapest_state_that_it_saw() {
        let graph = Dag::from_edges(40, &[]).expect("no cycle");
        let machine = Machine::new(4);
        let mut assignment = Assignment::new(&graph, 4, 1);
        for task in 0..40 {
            assignment.place(task, task as usize % 4, 0);
        }
        let annealing = Annealing {
            energy: Energy::of_cost(&machine),
            hot: 100.0,
            cold: 100.0,
            ramp: 0.0,
            steps: 50_000,
            seed: 0,
        };
        annealing.run(&mut assignment, moves::random_move);
        assert_eq!(assignment.cost().cost(&machine), 10.0);
    }

    #[test]
    fn a_journal_brings_back_the_oldest_places() {
        let tasks = 3000;
        let graph = Dag::from_edges(tasks, &[]).expect("no cycle");
        let mut assignment = Assignment::new(&graph, 2, 4);
        let (mut all, mut some) = (Journal::default(), Journal::default());
        for task in 0..tasks as u32 {
            assignment.place(task, 0, task % 4);
        }
        for round in 0..4 {
            for task in 0..tasks as u32 {
                some.place(&mut assignment, task, 0, (task + round) % 4);
                all.append(&mut some);
            }
        }
        assert!(all.entries.len() <= 2 * tasks, "{}", all.entries.len());
        all.revert(&mut assignment);
        assert!((0..tasks as u32).all(|task| assignment.superstep(task, 0) == task % 4));
    }
}
