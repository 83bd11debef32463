//! Simulated annealing.

use superstep_machine::Machine;

use superstep_random::SplitMix64;

use super::{
    assignment::Assignment,
    energy::Energy,
    moves::{self, Limit, Undo},
};

/// Annealing: its energy, temperatures and moves.
#[derive(Clone, Debug)]
pub(crate) struct Annealing {
    /// Energy that is made small.
    pub(crate) energy: Energy,
    /// Rise of the cost that is accepted with probability 1/e at first.
    pub(crate) hot: f64,
    /// Rise of the cost that is accepted with probability 1/e at last.
    pub(crate) cold: f64,
    /// Part of the search in which the costs of words and boundaries rise from 0 to their own.
    pub(crate) ramp: f64,
    /// Number of [`Assignment::steps`] to take; a move that is not possible counts a few.
    pub(crate) steps: u64,
    pub(crate) seed: u64,
    pub(crate) moves: Moves,
}

/// Moves that a search may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// All moves.
    All,
    /// Copies alone: values that are computed once more where they are needed.
    Copies,
}

/// Moves per change of temperature.
const BATCH: u64 = 64;

/// Steps that a try takes besides those of the assignment.
const STEPS_PER_TRY: u64 = 4;

impl Annealing {
    /// Improves `assignment`, which is valid, and leaves it valid.
    pub(crate) fn run(&self, assignment: &mut Assignment) {
        let mut random = SplitMix64::new(self.seed);
        let mut undo = Undo::default();
        let start = assignment.steps();
        let mut tries = 0;
        loop {
            let spent = assignment.steps() - start + STEPS_PER_TRY * tries;
            if spent >= self.steps {
                break;
            }
            let done = spent as f64 / self.steps as f64;
            let temperature = self.hot * (self.cold / self.hot).powf(done);
            let energy = self.softened(done);
            let mut before = energy.of(assignment);
            for _ in 0..BATCH {
                let limit = Limit {
                    energy: &energy,
                    most: -temperature * (1.0 - random.unit()).ln(),
                };
                let moved = match self.moves {
                    Moves::All => moves::random_move(assignment, &mut random, &mut undo, &limit),
                    Moves::Copies => moves::random_copy(assignment, &mut random, &mut undo),
                };
                if moved && assignment.unserved() == 0 {
                    let after = energy.of(assignment);
                    if after - before <= limit.most {
                        before = after;
                        undo.clear();
                        continue;
                    }
                }
                undo.revert(assignment);
            }
            tries += BATCH;
        }
    }

    /// Returns the energy as the search sees it when that part of it is done: cheap communication
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

/// Merges neighbouring supersteps where that lowers an energy.
pub(crate) fn merge(assignment: &mut Assignment, energy: &Energy) {
    let mut undo = Undo::default();
    for superstep in (1..assignment.supersteps()).rev() {
        let before = energy.of(assignment);
        moves::merge_into_previous(assignment, &mut undo, superstep);
        if assignment.unserved() > 0 || energy.of(assignment) >= before {
            undo.revert(assignment);
        }
        undo.clear();
    }
}
