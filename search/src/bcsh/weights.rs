//! Weights of the groups, without the groups: enough to know their makespan.

use std::collections::BTreeMap;

use super::dealing::Loads;

/// Multiset of weights.
///
/// Groups of equal weight are dealt together, so that a makespan takes time for each weight that
/// occurs rather than for each group.
#[derive(Clone, Default)]
pub(super) struct Weights {
    /// Number of times that each weight occurs.
    counts: BTreeMap<u64, u32>,
    groups: u32,
    pub(super) sum: u64,
}

impl Weights {
    pub(super) fn insert(&mut self, weight: u64, count: u32) {
        *self.counts.entry(weight).or_insert(0) += count;
        self.groups += count;
        self.sum += weight * u64::from(count);
    }

    pub(super) fn remove(&mut self, weight: u64, count: u32) {
        let present = self
            .counts
            .get_mut(&weight)
            .expect("what is removed was inserted");
        *present -= count;
        if *present == 0 {
            self.counts.remove(&weight);
        }
        self.groups -= count;
        self.sum -= weight * u64::from(count);
    }

    /// Replaces one weight, `count` times, by another.
    pub(super) fn change(&mut self, (from, to): (u64, u64), count: u32) {
        if from != to {
            self.remove(from, count);
            self.insert(to, count);
        }
    }

    fn heaviest(&self) -> u64 {
        self.counts
            .last_key_value()
            .map_or(0, |(&weight, _)| weight)
    }

    /// Returns the largest load when the groups are dealt to that many processors: LM of the
    /// thesis.
    ///
    /// The thesis takes the least makespan on any smaller number of processors too, which is never
    /// less. With one processor more, the loads but for the least stay below what they were, group
    /// by group.
    pub(super) fn makespan(&self, processors: u32) -> u64 {
        if self.groups <= processors {
            return self.heaviest();
        }
        let mut loads = Loads::new(processors);
        let times = |a: u64, b: u32| u128::from(a) * u128::from(b);
        for (&weight, &count) in self.counts.iter().rev() {
            // The least load is at most the mean of what is dealt by then. If nothing left can go
            // above the largest load, that is it.
            if u128::from(self.sum) + times(weight, processors - 1)
                <= times(loads.largest, processors)
            {
                break;
            }
            loads.give_equal(weight, count);
        }
        loads.largest
    }

    /// Returns the smallest number of processors that reaches the makespan on `processors`. Where
    /// all would be busy to the end even if each group were as heavy as the heaviest, no smaller
    /// number is tried.
    pub(super) fn fewest_processors(&self, processors: u32) -> u32 {
        let heaviest = self.heaviest();
        if heaviest == 0 {
            return 1;
        }
        let makespan = self.makespan(processors);
        let mut few = self.sum.div_ceil(heaviest).min(u64::from(processors)) as u32;
        let mut enough = processors;
        while few < enough {
            let middle = few.midpoint(enough);
            if self.makespan(middle) == makespan {
                enough = middle;
            } else {
                few = middle + 1;
            }
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(weights: impl IntoIterator<Item = u64>) -> Weights {
        let mut multiset = Weights::default();
        for weight in weights {
            multiset.insert(weight, 1);
        }
        multiset
    }

    #[test]
    fn no_more_processors_are_used_than_help() {
        let best = |of: &[u64], processors| {
            let weights = weights(of.iter().copied());
            (
                weights.makespan(processors),
                weights.fewest_processors(processors),
            )
        };
        assert_eq!(best(&[4, 2, 1, 1], 8), (4, 2));
        assert_eq!(best(&[1; 6], 4), (2, 4));
        assert_eq!(best(&[5], 64), (5, 1));
        assert_eq!(best(&[0, 0], 2), (0, 1));
        assert_eq!(best(&[], 3), (0, 1));
    }

    #[test]
    fn dealing_equal_weights_together_is_dealing_them_one_by_one() {
        for (seed, processors) in (0..200u64).zip((1..=20).cycle()) {
            // A few runs, some long, some of one.
            let runs = (1..=seed % 6 + 1).map(|run| {
                let mixed = (seed * 31 + run * run * 17).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                (
                    mixed % 50,
                    (mixed >> 8) % [3, 40, 400][(mixed % 3) as usize] + 1,
                )
            });
            let mut all: Vec<u64> = runs
                .flat_map(|(weight, count)| std::iter::repeat_n(weight, count as usize))
                .collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            let mut plain = vec![0u64; processors as usize];
            for weight in &all {
                *plain.iter_mut().min().expect("there are processors") += weight;
            }
            let makespan = plain.iter().copied().max().expect("there are processors");
            assert_eq!(
                weights(all.iter().copied()).makespan(processors),
                makespan,
                "{all:?}"
            );
        }
    }

    #[test]
    fn what_is_removed_is_gone() {
        let mut weights = weights([3, 3, 2, 2, 2]);
        weights.remove(2, 2);
        assert_eq!((weights.sum, weights.makespan(1)), (8, 8));
        weights.remove(3, 2);
        assert_eq!((weights.sum, weights.makespan(9)), (2, 2));
    }
}
