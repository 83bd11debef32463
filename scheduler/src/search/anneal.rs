//! Simulated annealing.

use superstep_machine::Machine;

use super::{
    moves::{self, Undo},
    plan::Plan,
    random::Random,
};

/// How to anneal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Annealing {
    /// Rise of the cost that is accepted with probability 1/e at first.
    pub(crate) hot: f64,
    /// And at last.
    pub(crate) cold: f64,
    /// How much of the mean load counts as cost: a slope where the largest loads alone give none.
    pub(crate) slope: f64,
    /// How much of the [root mean square](Plan::root_mean_square) counts as cost: a slope towards even supersteps, where one of several busiest
    /// processors does less.
    pub(crate) evenness: f64,
    /// The part of the search in which the costs of words and boundaries rise from 0 to their own.
    pub(crate) ramp: f64,
    /// [`Plan::steps`] to take; a move that is not possible counts a few.
    pub(crate) steps: u64,
    pub(crate) seed: u64,
    pub(crate) moves: Moves,
}

/// What a search may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Everything.
    All,
    /// Which values are computed once more where they are needed.
    Copies,
}

/// Moves per change of temperature.
const BATCH: u64 = 64;

/// What a try costs besides the steps of the plan.
const STEPS_PER_TRY: u64 = 4;

impl Annealing {
    /// Improves `plan`, which is valid, and leaves it valid.
    pub(crate) fn run(&self, plan: &mut Plan, machine: &Machine) {
        let mut random = Random::new(self.seed);
        let mut undo = Undo::default();
        let start = plan.steps();
        let mut tries = 0;
        loop {
            let spent = plan.steps() - start + STEPS_PER_TRY * tries;
            if spent >= self.steps {
                break;
            }
            let done = spent as f64 / self.steps as f64;
            let temperature = self.hot * (self.cold / self.hot).powf(done);
            let machine = self.softened(machine, done);
            let mut energy = self.energy(plan, &machine);
            for _ in 0..BATCH {
                let moved = match self.moves {
                    Moves::All => moves::random_move(plan, &mut random, &mut undo),
                    Moves::Copies => moves::random_copy(plan, &mut random, &mut undo),
                };
                if moved && plan.unserved() == 0 {
                    let after = self.energy(plan, &machine);
                    let rise = after - energy;
                    if rise <= 0.0 || random.unit() < (-rise / temperature).exp() {
                        energy = after;
                        undo.clear();
                        continue;
                    }
                }
                undo.revert(plan);
            }
            tries += BATCH;
        }
    }

    /// Merges neighbouring supersteps where that pays.
    pub(crate) fn merge(&self, plan: &mut Plan, machine: &Machine) {
        let mut undo = Undo::default();
        for superstep in (1..plan.supersteps()).rev() {
            let before = self.energy(plan, machine);
            moves::merge_into_previous(plan, &mut undo, superstep);
            if plan.unserved() > 0 || self.energy(plan, machine) >= before {
                undo.revert(plan);
            }
            undo.clear();
        }
    }

    /// The machine as the search sees it when that part of it is done: cheap communication first lets tasks spread, and as it grows dear
    /// copies take the place of words.
    fn softened(&self, machine: &Machine, done: f64) -> Machine {
        let part = if done < self.ramp {
            done / self.ramp
        } else {
            1.0
        };
        Machine {
            gap: part * machine.gap,
            latency: part * machine.latency,
            ..machine.clone()
        }
    }

    fn energy(&self, plan: &mut Plan, machine: &Machine) -> f64 {
        plan.cost(machine)
            + self.slope * plan.mean_load(machine)
            + self.evenness * plan.root_mean_square(machine)
    }
}
