//! Samples: some items are run and timed before the others, to predict what all cost. Their results
//! are kept, so that the run leaves them out.
//!
//! Short items are timed several neighbours at a time. The first one is run before the clock is
//! looked at: it warms the caches, as in the run each item does for its neighbour. Items of 0.5 us
//! took 33 % more in the sample than in the run when each was timed by itself. By eights they took
//! 2 % more.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_farm::{Deal, Prediction, Pulled, Sampling, Target};

use super::execution::{Execution, Panic};
use super::known::Bits;
use super::{Farm, FarmError, execute, nothing, threads};
use crate::error::{Payload, catch};

/// Seed of samples: fixed, so that a run can be repeated.
const SEED: u64 = 1;

/// Multiplier without unit that spreads the groups over their blocks: the odd number next to 2^64
/// over the golden ratio (Fibonacci hashing). A group at the same place of each block would be
/// biased where costs have the period of the blocks.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Number of items that tell how long one takes, or a quarter of the sample if that is less.
const FIRST: usize = 64;

/// Mean time of an item, in seconds, from which on it is timed by itself. Cache misses and the
/// clock add 180 ns to it, which is 1 %. (Points of the Mandelbrot set, timed in groups of 1, 4 and
/// 16.)
const LONG: f64 = 20e-6;

/// Least time, in seconds, of what is timed at once, if a block has the items for it. Predictions
/// are then within 5 % of the clock for items of 0.5 us and of 30 us. The items are the Mandelbrot
/// set, chains of additions, and a ramp of them. For items of 0.1 us blocks have too few
/// neighbours: predictions are 50 % too high.
const LEAST: f64 = 3e-6;

/// Most items of a block, and so of those that are timed at once. The default share of the items
/// allows 32: there must be two blocks for each item of the sample. Of larger blocks the same share
/// has fewer. Of 1024^2 points, groups of 8 in blocks of 32 are off by 1.7 %, of 8 in blocks of 8
/// by 1.3 %.
const MOST: usize = 64;

/// Panic of an item in a group.
struct InGroup {
    item: usize,
    payload: Payload,
}

impl InGroup {
    /// Takes the item's panic out of the group's.
    fn of(Panic { payload, .. }: Panic) -> Self {
        match payload.take().map(|payload| payload.downcast::<Self>()) {
            Some(Ok(panic)) => *panic,
            _ => unreachable!("a group panics with its item's panic"),
        }
    }
}

impl<T, R, F> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    /// Runs a sample and keeps its results.
    ///
    /// The sample is one of blocks: neighbours along the last axis, whose number divides that axis.
    /// One group of each block is run. How many items a group has is known only when some have been
    /// timed.
    pub(super) fn run_sample(&mut self, target: Target) -> Result<Prediction, FarmError> {
        let budget = target.budget(&self.shape)?;
        let mut shape = self.shape.clone();
        let most = MOST.min(self.items.len() / (2 * budget.max(1)));
        let block = shape.last().map_or(1, |&row| power_of_two(row, most));
        if let Some(last) = shape.last_mut() {
            *last /= block;
        }
        let (mut first, mut size) = (HashMap::new(), 1);
        if let some @ 1.. = FIRST.min(budget / 4) {
            let sampling = Sampling::new(&shape, some, SEED)?;
            let blocks = sampling.items();
            let times = self.times(blocks.iter().map(|&number| Group::new(number, block, 1)))?;
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            // Two blocks are run at least.
            size = group_size(mean, block.min(budget / times.len().max(2)));
            first.extend(blocks.iter().copied().zip(times));
        }
        // Blocks of which so much is run are as many items as the target's share.
        let part = size as f64 / block as f64;
        let share = (target.share / part).min(1.0);
        let target = Target { share, ..target };
        let costs = |blocks: &[usize]| self.costs(blocks, block, size, &first);
        let sampled = target.sample_parts(&shape, SEED, part, costs)?;
        Ok(sampled
            .prediction
            .spread(block, self.known.items().collect()))
    }

    /// Runs a group of so many items of each block, and returns the costs of the blocks, in
    /// seconds. Blocks in `first` have had an item run already, in that time.
    fn costs(
        &mut self,
        blocks: &[usize],
        block: usize,
        size: usize,
        first: &HashMap<usize, f64>,
    ) -> Result<Vec<f64>, FarmError> {
        let group = |&number: &usize| {
            let group = Group::new(number, block, size);
            match first.contains_key(&number) {
                true => group.without(&Group::new(number, block, 1)),
                false => group,
            }
        };
        let groups: Vec<Group> = blocks.iter().map(group).collect();
        let times = self.times(groups.iter().cloned())?;
        let cost = |((number, group), time): ((&usize, &Group), f64)| {
            let first = first.get(number).filter(|_| group.before == 0);
            let timed = group.timed().len() + usize::from(first.is_some());
            (time + first.unwrap_or(&0.0)) * block as f64 / timed as f64
        };
        Ok(blocks.iter().zip(&groups).zip(times).map(cost).collect())
    }

    /// Runs groups and keeps the results. Returns how long the timed items of each take, in
    /// seconds.
    fn times(&mut self, groups: impl Iterator<Item = Group>) -> Result<Vec<f64>, FarmError> {
        let groups: Arc<[Group]> = groups.collect();
        let timed = self.timed(Arc::clone(&groups))?;
        let mut times = Vec::with_capacity(groups.len());
        for (group, (results, time)) in groups.iter().zip(timed) {
            for (&item, result) in group.items.iter().zip(results) {
                self.known.insert(item, result);
            }
            times.push(time);
        }
        Ok(times)
    }

    /// Runs groups of items, and returns the results of each with the seconds that it took.
    fn timed(&self, groups: Arc<[Group]>) -> Result<Vec<(Vec<R>, f64)>, FarmError> {
        let (items, f) = (Arc::clone(&self.items), Arc::clone(&self.f));
        let clock = look();
        let timed = move |group: &Group| {
            let mut results = Vec::with_capacity(group.items.len());
            let at = Cell::new(0);
            let mut run_all = |some: &[usize]| {
                for &item in some {
                    at.set(item);
                    results.push(f(&items[item]));
                }
            };
            let run = || {
                run_all(group.before());
                let start = Instant::now();
                run_all(group.timed());
                start.elapsed()
            };
            let time = catch(run).unwrap_or_else(|payload| {
                let item = at.get();
                resume_unwind(Box::new(InGroup { item, payload }))
            });
            (results, time.saturating_sub(clock).as_secs_f64())
        };
        let deal = Deal {
            pulled: Pulled::Bounds((0..=groups.len()).collect()),
            ..nothing()
        };
        let (none, threads) = (Bits::default(), threads(self.workers));
        let execution = Execution::new(groups, Arc::new(timed), none, threads, &deal, None);
        execute(execution).map_err(|panic| self.first_panic(InGroup::of(panic)))
    }

    /// Returns the error of the first item that panics, where this one of the sample does. So all
    /// items before it are run, but for those whose results are known.
    ///
    /// How many items a sample has depends on the time that they take, so which of those that panic
    /// it meets does, too.
    fn first_panic(&self, InGroup { item, payload }: InGroup) -> FarmError {
        let before = Deal {
            pulled: Pulled::Bounds(vec![0, item]),
            ..nothing()
        };
        let known = self.known.bits(self.items.len());
        let (items, f) = (Arc::clone(&self.items), Arc::clone(&self.f));
        let execution = Execution::new(items, f, known, threads(self.workers), &before, None);
        match execute(execution) {
            Ok(_) => FarmError::panicked(item, payload),
            Err(first) => FarmError::panicked(first.item as usize, first.payload),
        }
    }
}

/// Neighbours that are run one after the other.
#[derive(Clone)]
struct Group {
    items: Vec<usize>,
    /// Number of those at the front that are not timed.
    before: usize,
}

impl Group {
    /// Returns the group of a block, of `size` items, at a place that a hash of the block's number
    /// gives. Sizes of groups and blocks are powers of two, so larger groups contain smaller ones.
    /// All but the first of several items are timed.
    fn new(number: usize, block: usize, size: usize) -> Self {
        let mixed = (number as u64).wrapping_mul(MIX) >> 32;
        let at = mixed as usize % block / size * size;
        let first = number * block + at;
        Self {
            items: (first..first + size).collect(),
            before: usize::from(size > 1),
        }
    }

    /// Leaves out items that have been run. All but the first of several others are timed.
    fn without(self, run: &Self) -> Self {
        let mut items = self.items;
        items.retain(|item| !run.items.contains(item));
        let before = usize::from(items.len() > 1);
        Self { items, before }
    }

    fn before(&self) -> &[usize] {
        &self.items[..self.before]
    }

    fn timed(&self) -> &[usize] {
        &self.items[self.before..]
    }
}

/// Returns the largest power of two that divides a length and is at most so large.
fn power_of_two(length: usize, most: usize) -> usize {
    let powers = (0..usize::BITS).map(|power| 1 << power);
    let fit = powers.take_while(|&size| size <= most.max(1) && length.is_multiple_of(size));
    fit.last().unwrap_or(1)
}

/// Returns how many items of that mean time are run at once, a power of two and at most so many.
fn group_size(mean: f64, most: usize) -> usize {
    let most = most.max(1);
    if mean >= LONG || most == 1 {
        return 1;
    }
    let sizes = (1..).map(|doublings| 1 << doublings);
    let mut fit = sizes.take_while(|&size: &usize| size <= most);
    let is_enough = |&size: &usize| mean * (size - 1) as f64 >= LEAST;
    fit.find(is_enough).unwrap_or(1 << most.ilog2())
}

/// Returns the time that a look at the clock takes: the least of several.
fn look() -> Duration {
    let looks = (0..64).map(|_| Instant::now().elapsed());
    looks.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_items_are_timed_in_groups() {
        assert_eq!(group_size(1e-3, 64), 1);
        assert_eq!(group_size(1e-5, 64), 2);
        assert_eq!(group_size(1e-6, 64), 4);
        assert_eq!(group_size(1e-9, 64), 64);
        assert_eq!(group_size(1e-9, 12), 8);
        assert_eq!(group_size(0.0, 0), 1);
    }

    #[test]
    fn blocks_divide_a_row() {
        assert_eq!(power_of_two(1024, 64), 64);
        assert_eq!(power_of_two(12, 64), 4);
        assert_eq!(power_of_two(7, 64), 1);
        assert_eq!(power_of_two(1024, 0), 1);
    }

    #[test]
    fn groups_of_a_block_hold_each_other() {
        for number in 0..1000 {
            let [one, some, all] = [1, 8, 64].map(|size| Group::new(number, 64, size));
            assert_eq!(
                all.items,
                (64 * number..64 * (number + 1)).collect::<Vec<_>>()
            );
            assert!(some.items.contains(&one.items[0]));
            assert_eq!((one.timed().len(), some.timed().len()), (1, 7));
            let others = some.clone().without(&one);
            assert_eq!((others.items.len(), others.timed().len()), (7, 6));
            assert!(!others.items.contains(&one.items[0]));
        }
    }
}
