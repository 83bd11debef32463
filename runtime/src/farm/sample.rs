//! Samples: some items are run and timed before the others, to predict what all cost.
//!
//! Short items are timed several at a time, neighbours along the last axis. A look at the clock
//! keeps a core from beginning the next item while it ends the last one: of items of 1.2 us, each
//! timed by itself, the sample took 11 % more than all others, and 1 % by eight.

use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::iter::repeat_n;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_farm::{Deal, Prediction, Pulled, Sampling, Target};

use super::execution::{Execution, Panic};
use super::known::Bits;
use super::{Farm, FarmError, execute, nothing};

/// Seed of samples: fixed, so that a run can be repeated.
const SEED: u64 = 1;

/// Items that tell how long one takes, or a quarter of the sample if that is less.
const FIRST: usize = 64;

/// Time of what is timed at once, in seconds: what the clock adds, some 0.13 us, is 2 % of it.
const LEAST: f64 = 6e-6;

/// Most items that are timed at once. Larger groups leave fewer of them to the same share of items.
const MOST: usize = 16;

/// Groups of a sample, at least.
const GROUPS: usize = 8;

/// Panic of an item in a group.
struct InGroup {
    item: usize,
    payload: Box<dyn Any + Send>,
}

impl<T, R, F> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    /// Runs a sample and keeps its results.
    pub(super) fn run_sample(&mut self, target: Target) -> Result<Prediction, FarmError> {
        let budget = target.budget(&self.shape)?;
        let mut known = HashMap::new();
        let (mut shape, mut group, mut target) = (self.shape.clone(), 1, target);
        if let (first @ 1.., Some(last)) = (FIRST.min(budget / 4), shape.last_mut()) {
            let first = Sampling::new(&self.shape, first, SEED)?;
            let costs = self.costs(first.items(), 1, &known)?;
            let mean = costs.iter().sum::<f64>() / costs.len() as f64;
            known.extend(first.items().iter().copied().zip(costs));
            group = group_size(mean, *last, budget / GROUPS);
            *last /= group;
            // They count, and leave three quarters of the budget at least.
            target.share -= known.len() as f64 / self.items.len() as f64;
        }
        let sampled = target.sample(&shape, SEED, |numbers| self.costs(numbers, group, &known))?;
        let mut prediction = sampled.prediction;
        if group > 1 {
            let each = |cost: f64| repeat_n(cost / group as f64, group);
            prediction.costs = prediction.costs.into_iter().flat_map(each).collect();
        }
        Ok(prediction)
    }

    /// Runs some groups of so many items, but for those whose costs are `known`. Returns the cost of
    /// each group, in seconds.
    fn costs(
        &mut self,
        numbers: &[usize],
        group: usize,
        known: &HashMap<usize, f64>,
    ) -> Result<Vec<f64>, FarmError> {
        let all = |number: usize| number * group..(number + 1) * group;
        let others = |number: &usize| -> Vec<usize> {
            all(*number)
                .filter(|item| !known.contains_key(item))
                .collect()
        };
        let groups: Arc<[Vec<usize>]> = numbers.iter().map(others).collect();
        let timed = self.timed(Arc::clone(&groups))?;
        let mut costs = Vec::with_capacity(numbers.len());
        for ((&number, others), (results, time)) in numbers.iter().zip(&*groups).zip(timed) {
            for (&item, result) in others.iter().zip(results) {
                self.known.insert(item, result);
            }
            let before: f64 = all(number).filter_map(|item| known.get(&item)).sum();
            costs.push(before + time);
        }
        Ok(costs)
    }

    /// Runs groups of items, and returns the results of each with the seconds that it took.
    fn timed(&self, groups: Arc<[Vec<usize>]>) -> Result<Vec<(Vec<R>, f64)>, FarmError> {
        let (items, f) = (Arc::clone(&self.items), Arc::clone(&self.f));
        let clock = look();
        let timed = move |group: &Vec<usize>| {
            let mut results = Vec::with_capacity(group.len());
            let at = Cell::new(0);
            let run = || {
                let start = Instant::now();
                for &item in group {
                    at.set(item);
                    results.push(f(&items[item]));
                }
                start.elapsed()
            };
            let time = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
                let item = at.get();
                resume_unwind(Box::new(InGroup { item, payload }))
            });
            (results, time.saturating_sub(clock).as_secs_f64())
        };
        let deal = Deal {
            pulled: Pulled::Bounds((0..=groups.len()).collect()),
            ..nothing()
        };
        let none = Bits::default();
        let execution = Execution::new(groups, Arc::new(timed), none, self.workers, &deal, None);
        execute(execution).map_err(
            |Panic { payload, .. }| match payload.downcast::<InGroup>() {
                Ok(panic) => FarmError::panicked(panic.item, panic.payload),
                Err(payload) => FarmError::panicked(0, payload),
            },
        )
    }
}

/// Returns how many items are timed at once, at most so many: of a row, each of which takes that
/// long.
fn group_size(mean: f64, row: usize, most: usize) -> usize {
    let most = most.min(MOST);
    let sizes = (0..).map(|doublings| 1 << doublings);
    let sizes = sizes.take_while(|&size| size <= most && row.is_multiple_of(size));
    let enough = |size: &usize| mean * *size as f64 >= LEAST;
    let fit: Vec<usize> = sizes.collect();
    let first = fit.iter().copied().find(enough);
    first.or(fit.last().copied()).unwrap_or(1)
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
    fn short_items_are_timed_in_groups_that_divide_a_row() {
        assert_eq!(group_size(1e-3, 1024, 99), 1);
        assert_eq!(group_size(3e-6, 1024, 99), 2);
        assert_eq!(group_size(1e-9, 1024, 99), 16);
        assert_eq!(group_size(1e-9, 12, 99), 4);
        assert_eq!(group_size(0.0, 7, 99), 1);
        assert_eq!(group_size(1e-9, 1024, 3), 2);
        assert_eq!(group_size(1e-9, 1024, 0), 1);
    }
}
