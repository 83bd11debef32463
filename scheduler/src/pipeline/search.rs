//! The search for the number of owners and the budget of a superstep.

use superstep_machine::Machine;

use super::{
    blocks::{Borders, Shape},
    sequences::Sequences,
    slices::Slices,
};
use crate::Schedule;

/// The number of slices that an owner's work has at first is a power of this.
const RATIO: f64 = 1.25;

/// So many numbers of slices are tried between two powers of the ratio, where the best are.
const FINE: i32 = 20;

/// A budget is given up when its cost is so many times the best.
const HOPELESS: f64 = 1.5;

/// Other borders are not tried where the cost is so many times the best.
const FAR: f64 = 1.2;

/// What sequences cost, for each task, in steps.
const STEPS_OF_SEQUENCES: u64 = 20;

/// After so many numbers of owners without gain the search ends.
const FEWER: u32 = 3;

/// After so many tries without gain coarse budgets end.
const PATIENCE: u32 = 5;

/// The cheapest pipeline found so far.
pub(super) struct Search<'a> {
    machine: &'a Machine,
    steps_left: u64,
    best: f64,
    budget: u64,
    sequences: Option<Sequences>,
}

impl<'a> Search<'a> {
    /// A search for what is cheaper than `most`, in that many steps or so.
    pub(super) fn new(machine: &'a Machine, most: f64, steps: u64) -> Self {
        Self {
            machine,
            steps_left: steps,
            best: most,
            budget: u64::MAX,
            sequences: None,
        }
    }

    /// Tries fewer and fewer owners.
    pub(super) fn run(&mut self, sequences: &mut impl FnMut(Shape) -> Sequences) {
        let mut owners = self.machine.processors;
        let mut worse = 0;
        while owners > 1 && worse < FEWER && self.steps_left > 0 {
            worse += 1;
            let mut fewer = (owners * 4 / 5).min(owners - 1);
            for borders in [Borders::FewEdges, Borders::Filled, Borders::Equal] {
                let tried = sequences(Shape { owners, borders });
                let steps = STEPS_OF_SEQUENCES * tried.work.len() as u64;
                self.steps_left = self.steps_left.saturating_sub(steps);
                let before = self.best;
                let least = self.try_budgets(&tried);
                if self.best < before {
                    self.sequences = Some(tried);
                    worse = 0;
                }
                if least == f64::INFINITY {
                    // With a fraction of the owners, or not at all.
                    worse += 1;
                    fewer = owners / 4;
                }
                // Other borders change a cost by some per cent.
                if least > FAR * self.best {
                    break;
                }
            }
            owners = fewer;
        }
    }

    /// Tries budgets from coarse to fine; what the best of them costs.
    fn try_budgets(&mut self, sequences: &Sequences) -> f64 {
        let mut slices = Slices::new(sequences);
        let share = sequences.work[sequences.tasks.len()] as f64 / sequences.owners() as f64;
        // The cost and the number of parts of a share that is best for these sequences.
        let mut least = (f64::INFINITY, 1.0);
        let (mut parts, mut worse) = (1.0, 0);
        while worse < PATIENCE && parts < share.max(2.0) && slices.steps < self.steps_left {
            let cost = self.try_budget(share / parts, &mut slices);
            if cost < least.0 {
                (least, worse) = ((cost, parts), 0);
            } else if cost < f64::INFINITY {
                worse += 1;
            }
            parts *= RATIO;
        }
        for fine in -FINE..=FINE {
            if slices.steps < self.steps_left {
                let parts = least.1 * RATIO.powf(f64::from(fine) / f64::from(FINE));
                least.0 = least.0.min(self.try_budget(share / parts, &mut slices));
            }
        }
        self.steps_left = self.steps_left.saturating_sub(slices.steps);
        least.0
    }

    /// Tries a budget; its cost, infinite if that is far above the best.
    fn try_budget(&mut self, budget: f64, slices: &mut Slices<'_>) -> f64 {
        let budget = budget.ceil() as u64;
        let cost = slices.cost(budget, self.machine, HOPELESS * self.best, |_, _| ());
        if cost < self.best {
            (self.best, self.budget) = (cost, budget);
        }
        cost
    }

    /// The schedule of the best, if there is one.
    pub(super) fn into_schedule(self) -> Option<Schedule> {
        let sequences = self.sequences?;
        let mut schedule = Schedule::new(self.machine.processors);
        let mut slices = Slices::new(&sequences);
        let idle = self.machine.processors as usize - sequences.owners();
        slices.cost(self.budget, self.machine, f64::INFINITY, |begun, ended| {
            for (&begun, &ended) in begun.iter().zip(ended).take(sequences.owners()) {
                schedule.push(
                    sequences.tasks[begun as usize..ended as usize]
                        .iter()
                        .copied(),
                );
            }
            (0..idle).for_each(|_| schedule.push([]));
        });
        Some(schedule)
    }
}
