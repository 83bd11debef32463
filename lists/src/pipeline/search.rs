//! Search for the number of owners and the budget of a superstep.

use std::iter::successors;

use superstep_tuning::tuned;

use super::{
    Prices,
    blocks::{Borders, Shape, Tent},
    sequences::Sequences,
    slices::{Pace, Slices},
};
use crate::Lists;

tuned! {
    /// Ratio of successive numbers of slices of an owner's work that are tried first: powers of it.
    /// Any from 1.125 to 1.5 does.
    const RATIO: f64 = 1.25;

    /// Numbers of slices that are tried between two powers of the ratio, where the best are. Twice
    /// as many cost 2 % more on matrices.
    const FINE: i32 = 20, off 1;

    /// Cost at which a budget is given up, as a multiple of the best. With 1.25 sweeps cost
    /// 1 % more.
    const HOPELESS: f64 = 1.5, off f64::INFINITY;

    /// Cost from which on other borders are not tried, as a multiple of the best. Without it
    /// matrices cost 2 % more, in a third more time.
    const FAR: f64 = 1.2, off f64::INFINITY;

    /// Cost of sequences for each task, in steps.
    const STEPS_OF_SEQUENCES: u64 = 20;

    /// Numbers of owners without gain after which the search ends. With one sweeps cost 4 % more.
    const FEWER: u32 = 3, off 1;

    /// Numbers of blocks for each processor that are tried with small blocks at both ends, until
    /// one is far from the best. Small ends shorten the time in which most processors wait. With
    /// half of each matrices cost 7 % more.
    const ROUNDS: [u32; 3] = [2, 3, 4];

    /// Numbers of equal blocks for each processor that are tried, one after the other.
    ///
    /// With blocks of columns two processors write the same cache lines. Where cores are far from
    /// each other, a call took 3.4 to 4.9 ms in place of 1.3. Several short blocks of rows have
    /// loops as long, and took 1.14 ms where cores are near.
    const EQUAL_ROUNDS: [u32; 5] = [2, 4, 8, 16, 32];

    /// Blocks above which each of them waits for too many others to be tried in time.
    const MOST_BLOCKS: u32 = 2048;

    /// Cost that equal blocks may have so that their slices are longer, as a multiple of that of
    /// one for each processor.
    const HARDLY_MORE: f64 = 1.03, off 1.0;

    /// Room in budgets for a number of equal slices, so that no column is left over.
    const ROOM: f64 = 1.01, off 1.0;

    /// Sizes at both ends that are tried, as parts of that in the middle. Half and twice do as
    /// well.
    const ENDS: [f64; 5] = [0.2, 0.1, 0.05, 0.15, 0.3];

    /// Tries without gain after which coarse budgets end. Any number from 3 to 10 does.
    const PATIENCE: u32 = 5, off 1;
}

/// Search that keeps the cheapest pipeline found so far.
pub(super) struct Search {
    prices: Prices,
    steps_left: u64,
    /// Cost that a pipeline may have.
    most: f64,
    best: f64,
    pace: Pace,
    sequences: Option<Sequences>,
}

impl Search {
    /// Returns a search for what is cheaper than `most`, in that many steps or so.
    pub(super) fn new(prices: Prices, most: f64, steps: u64) -> Self {
        Self {
            prices,
            steps_left: steps,
            most,
            best: most,
            pace: Pace::Even(0),
            sequences: None,
        }
    }

    /// Tries fewer and fewer owners.
    pub(super) fn run(&mut self, sequences: &mut impl FnMut(Shape) -> Sequences) {
        let mut owners = self.prices.processors;
        let mut worse = 0;
        while owners > 1 && worse < FEWER.get() && self.steps_left > 0 {
            worse += 1;
            let mut fewer = (owners * 4 / 5).min(owners - 1);
            for borders in [Borders::FewEdges, Borders::Filled, Borders::Equal] {
                if self.steps_left == 0 {
                    break;
                }
                let before = self.best;
                let shape = Shape {
                    blocks: owners,
                    sizes: Tent::FLAT,
                    borders,
                };
                let least = self.try_shape(shape, sequences);
                if self.best < before {
                    worse = 0;
                }
                if least == f64::INFINITY {
                    // With a fraction of the owners, or not at all.
                    worse += 1;
                    fewer = owners / 4;
                }
                // Other borders change a cost by some per cent.
                if least > FAR.get() * self.best {
                    break;
                }
            }
            owners = fewer;
        }
    }

    /// Takes what costs hardly more than the best, of several equal blocks for each processor, in
    /// the fewest slices of each.
    pub(super) fn run_rounds(&mut self, sequences: &mut impl FnMut(Shape) -> Sequences) {
        let most = self.most.min(HARDLY_MORE.get() * self.best);
        let Some(mut fewest) = self.slices_of_a_block() else {
            return;
        };
        for rounds in EQUAL_ROUNDS.get() {
            let blocks = rounds * self.prices.processors;
            if fewest <= 2 || blocks > MOST_BLOCKS.get() || self.steps_left == 0 {
                return;
            }
            let tried = sequences(Shape {
                blocks,
                sizes: Tent::FLAT,
                borders: Borders::FewEdges,
            });
            let mut slices = Slices::new(&tried, self.prices);
            let heaviest = tried.heaviest() as f64;
            let even =
                |parts: u64| Pace::Even((ROOM.get() * heaviest / parts as f64).ceil() as u64);
            let numbers = successors(Some(2), |parts| Some((parts * 9 / 8).max(parts + 1)));
            let mut found = None;
            for parts in numbers.take_while(|&parts| parts < fewest) {
                if slices.steps >= self.steps_left {
                    break;
                }
                if slices.cost(even(parts), most, |_, _| ()) <= most {
                    found = Some(parts);
                    break;
                }
            }
            let steps = STEPS_OF_SEQUENCES.get() * (tried.tasks.len() as u64 + 1) + slices.steps;
            self.steps_left = self.steps_left.saturating_sub(steps);
            if let Some(parts) = found {
                fewest = parts;
                (self.pace, self.sequences) = (even(parts), Some(tried));
            }
        }
    }

    /// Returns the number of slices that the best has of each block.
    fn slices_of_a_block(&self) -> Option<u64> {
        match (&self.sequences, self.pace) {
            (Some(sequences), Pace::Even(budget)) => {
                Some((sequences.share() / budget as f64).ceil() as u64)
            }
            _ => None,
        }
    }

    /// Tries several blocks for each processor, small ones at both ends.
    pub(super) fn run_tents(&mut self, sequences: &mut impl FnMut(Shape) -> Sequences) {
        for rounds in ROUNDS.get() {
            for ends in ENDS.get() {
                let shape = Shape {
                    blocks: rounds * self.prices.processors,
                    sizes: Tent { ends },
                    borders: Borders::FewEdges,
                };
                if self.steps_left == 0 || self.try_shape(shape, sequences) > FAR.get() * self.best
                {
                    return;
                }
            }
        }
    }

    /// Tries blocks of that shape in slices of its sizes; returns the cost of the best of them.
    fn try_shape(&mut self, shape: Shape, sequences: &mut impl FnMut(Shape) -> Sequences) -> f64 {
        let tried = sequences(shape);
        let steps = STEPS_OF_SEQUENCES.get() * (tried.tasks.len() as u64 + 1);
        self.steps_left = self.steps_left.saturating_sub(steps);
        let before = self.best;
        let least = self.try_paces(&tried, shape.sizes);
        if self.best < before {
            self.sequences = Some(tried);
        }
        least
    }

    /// Tries paces from coarse to fine; returns the cost of the best of them.
    fn try_paces(&mut self, sequences: &Sequences, sizes: Tent) -> f64 {
        let mut slices = Slices::new(sequences, self.prices);
        let pace = |parts: f64, share: f64| match sizes {
            Tent::FLAT => Pace::Even((share / parts).ceil() as u64),
            sizes => Pace::Parts { parts, sizes },
        };
        let share = sequences.share();
        // The cost and the number of parts of a share that is best for these sequences.
        let mut least = (f64::INFINITY, 1.0);
        let (mut parts, mut worse) = (1.0, 0);
        while worse < PATIENCE.get() && parts < share.max(2.0) && slices.steps < self.steps_left {
            let cost = self.try_pace(pace(parts, share), &mut slices);
            if cost < least.0 {
                (least, worse) = ((cost, parts), 0);
            } else if cost < f64::INFINITY {
                worse += 1;
            }
            parts *= RATIO.get();
        }
        for fine in -FINE.get()..=FINE.get() {
            if slices.steps < self.steps_left {
                let parts = least.1 * RATIO.get().powf(f64::from(fine) / f64::from(FINE.get()));
                least.0 = least.0.min(self.try_pace(pace(parts, share), &mut slices));
            }
        }
        self.steps_left = self.steps_left.saturating_sub(slices.steps);
        least.0
    }

    /// Tries a pace; returns its cost, infinite if that is far above the best.
    fn try_pace(&mut self, pace: Pace, slices: &mut Slices<'_>) -> f64 {
        let cost = slices.cost(pace, HOPELESS.get() * self.best, |_, _| ());
        if cost < self.best {
            (self.best, self.pace) = (cost, pace);
        }
        cost
    }

    /// Hands on the lists of the best; returns whether there is one.
    pub(super) fn into_lists(self, out: &mut impl Lists) -> bool {
        if let Some(sequences) = &self.sequences {
            lists(sequences, self.pace, self.prices, out);
        }
        self.sequences.is_some()
    }
}

/// Makes the lists of sequences at that pace: each superstep has one for each processor.
pub fn lists(sequences: &Sequences, pace: Pace, prices: Prices, out: &mut impl Lists) {
    let processors = prices.processors as usize;
    let mut slices = Slices::new(sequences, prices);
    let mut list = Vec::new();
    slices.cost(pace, f64::INFINITY, |begun, ended| {
        for processor in 0..processors {
            list.clear();
            for block in (processor..sequences.owners()).step_by(processors) {
                let run = begun[block] as usize..ended[block] as usize;
                list.extend_from_slice(&sequences.tasks[run]);
            }
            out.list(processor as u32, &list);
        }
        out.end_superstep();
    });
}
