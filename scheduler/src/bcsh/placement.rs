//! Dealing groups to processors: the heaviest first, each to the processor with the least load (Graham's LPT rule).
//!
//! Ties go to the group with the lower id and to the processor with the lower number.

/// Groups that are to be dealt, as (weight, id), in the order of dealing.
pub(super) struct Deal {
    groups: Vec<(u64, u32)>,
    weight: u64,
}

/// How many processors are worth using, and what they reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    /// The least makespan on any number of processors allowed.
    pub(super) makespan: u64,
    /// The smallest number of processors that reaches it.
    pub(super) processors: u32,
}

impl Deal {
    pub(super) fn new(mut groups: Vec<(u64, u32)>) -> Self {
        groups.sort_unstable_by_key(|&(weight, id)| (std::cmp::Reverse(weight), id));
        let weight = groups.iter().map(|&(weight, _)| weight).sum();
        Self { groups, weight }
    }

    /// Sum of the weights of the groups.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// LM of the thesis: the best of the makespans on `lb` to `processors` processors, where fewer than `lb` could only be worse.
    pub(super) fn best(&self, processors: u32) -> Best {
        let heaviest = self.groups.first().map_or(0, |&(weight, _)| weight);
        if heaviest == 0 {
            return Best {
                makespan: 0,
                processors: 1,
            };
        }
        let fewest = self.weight.div_ceil(heaviest).min(u64::from(processors)) as u32;
        let bound = heaviest.max(self.weight.div_ceil(u64::from(processors)));
        let mut best = Best {
            makespan: u64::MAX,
            processors,
        };
        for processors in fewest..=processors {
            let makespan = self.makespan(processors);
            if makespan < best.makespan {
                best = Best {
                    makespan,
                    processors,
                };
            }
            if makespan == bound {
                break;
            }
        }
        best
    }

    fn makespan(&self, processors: u32) -> u64 {
        if self.groups.len() <= processors as usize {
            return self.groups.first().map_or(0, |&(weight, _)| weight);
        }
        let mut loads = Loads::new(processors);
        self.groups
            .iter()
            .map(|&(weight, _)| loads.give(weight).1)
            .max()
            .unwrap_or(0)
    }

    /// The processor of each group, as (group id, processor), and the largest load.
    pub(super) fn place(&self, processors: u32) -> (Vec<(u32, u32)>, u64) {
        let mut loads = Loads::new(processors);
        let mut makespan = 0;
        let mut place = |&(weight, id): &(u64, u32)| {
            let (processor, load) = loads.give(weight);
            makespan = load.max(makespan);
            (id, processor)
        };
        let places = self.groups.iter().map(&mut place).collect();
        (places, makespan)
    }
}

/// Loads of processors: a heap of (load, processor), the least in front.
struct Loads(Vec<(u64, u32)>);

impl Loads {
    fn new(processors: u32) -> Self {
        Self((0..processors).map(|processor| (0, processor)).collect())
    }

    /// Gives `weight` to the processor with the least load; its number and its load then.
    fn give(&mut self, weight: u64) -> (u32, u64) {
        let heap = &mut self.0;
        let given = (heap[0].0 + weight, heap[0].1);
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= heap.len() {
                break;
            }
            if child + 1 < heap.len() && heap[child + 1] < heap[child] {
                child += 1;
            }
            if given < heap[child] {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = given;
        (given.1, given.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deal(weights: &[u64]) -> Deal {
        Deal::new(weights.iter().copied().zip(0..).collect())
    }

    #[test]
    fn the_heaviest_group_goes_first_and_ties_go_to_the_lowest() {
        let (places, makespan) = deal(&[1, 3, 2, 3]).place(2);
        assert_eq!(places, [(1, 0), (3, 1), (2, 0), (0, 1)]);
        assert_eq!(makespan, 5);
    }

    #[test]
    fn no_more_processors_are_used_than_help() {
        assert_eq!(
            deal(&[4, 2, 1, 1]).best(8),
            Best {
                makespan: 4,
                processors: 2
            }
        );
        assert_eq!(
            deal(&[1; 6]).best(4),
            Best {
                makespan: 2,
                processors: 4
            }
        );
        assert_eq!(
            deal(&[5]).best(64),
            Best {
                makespan: 5,
                processors: 1
            }
        );
        assert_eq!(
            deal(&[]).best(3),
            Best {
                makespan: 0,
                processors: 1
            }
        );
    }

    #[test]
    fn the_heap_finds_the_least_load() {
        let mut loads = Loads::new(5);
        let mut plain = [0u64; 5];
        for step in 0..200u64 {
            let weight = step * step % 17;
            let least = (0..5)
                .min_by_key(|&processor| (plain[processor], processor))
                .unwrap();
            plain[least] += weight;
            assert_eq!(loads.give(weight), (least as u32, plain[least]));
        }
    }
}
