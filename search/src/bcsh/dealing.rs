//! Dealing groups to processors: the heaviest first, each to the processor with the least load
//! (Graham's LPT rule).
//!
//! Ties go to the group with the lower id and to the processor with the lower number.

/// Deals groups, given as (weight, id). Returns the processor of each, as (group id, processor), in
/// the order of dealing, and the largest load.
pub(super) fn deal(mut groups: Vec<(u64, u32)>, processors: u32) -> (Vec<(u32, u32)>, u64) {
    groups.sort_unstable_by_key(|&(weight, id)| (std::cmp::Reverse(weight), id));
    let mut loads = Loads::new(processors);
    let mut owners = Vec::with_capacity(groups.len());
    for equal in groups.chunk_by(|a, b| a.0 == b.0) {
        let mut ids = equal.iter().map(|&(_, id)| id);
        let weight = equal[0].0;
        while ids.len() >= processors as usize && loads.are_within(weight) {
            let round = loads.give_all(weight).zip(ids.by_ref());
            owners.extend(round.map(|(processor, id)| (id, processor)));
        }
        owners.extend(ids.map(|id| (id, loads.give(weight))));
    }
    (owners, loads.largest)
}

/// Loads of processors.
pub(crate) struct Loads {
    /// Heap of (load, processor), the least in front.
    heap: Vec<(u64, u32)>,
    pub(crate) largest: u64,
}

impl Loads {
    pub(crate) fn new(processors: u32) -> Self {
        Self {
            heap: (0..processors).map(|processor| (0, processor)).collect(),
            largest: 0,
        }
    }

    /// Gives `weight` to the processor with the least load; returns its number.
    pub(crate) fn give(&mut self, weight: u64) -> u32 {
        let heap = &mut self.heap;
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
        self.largest = self.largest.max(given.0);
        given.1
    }

    /// Returns whether any two loads differ by less than `weight`.
    fn are_within(&self, weight: u64) -> bool {
        self.largest - self.heap[0].0 < weight
    }

    /// Gives `weight` to each processor, where loads [are within](Self::are_within) it; returns the
    /// processors in the order in which they get it.
    fn give_all(&mut self, weight: u64) -> impl Iterator<Item = u32> {
        // What is sorted is still a heap.
        self.heap.sort_unstable();
        self.largest += weight;
        self.heap.iter_mut().map(move |(load, processor)| {
            *load += weight;
            *processor
        })
    }

    /// Gives `weight` so many times.
    pub(super) fn give_equal(&mut self, weight: u64, count: u32) {
        let count = u64::from(count);
        let poured = if weight > 0 && count > 4 * self.heap.len() as u64 {
            self.pour(weight, count)
        } else {
            0
        };
        for _ in poured..count {
            self.give(weight);
        }
    }

    /// Gives `weight` nearly so many times, in time for the processors alone; returns how many
    /// times (water-filling).
    ///
    /// A processor gets its next share when its load is the least. So shares are given in the order
    /// of the loads that they begin at. All that begin below a level are given, if they are no more
    /// than `count`. Such is the level of all that work, were it liquid, less one share.
    fn pour(&mut self, weight: u64, count: u64) -> u64 {
        self.heap.sort_unstable();
        let mut liquid = u128::from(weight) * u128::from(count);
        let mut level = u64::MAX;
        for (&(load, _), covered) in self.heap.iter().zip(1..) {
            if load >= level {
                break;
            }
            liquid += u128::from(load);
            level = (liquid / covered) as u64;
        }
        let level = level - weight;
        let mut given = 0;
        for (load, _) in &mut self.heap {
            let shares = level.saturating_sub(*load).div_ceil(weight);
            *load += shares * weight;
            given += shares;
            self.largest = self.largest.max(*load);
        }
        self.heap.sort_unstable();
        given
    }
}

#[cfg(test)]
mod tests {
    use super::Loads;

    fn deal(weights: &[u64], processors: u32) -> (Vec<(u32, u32)>, u64) {
        super::deal(weights.iter().copied().zip(0..).collect(), processors)
    }

    #[test]
    fn the_heaviest_group_goes_first_and_ties_go_to_the_lowest() {
        let (owners, makespan) = deal(&[1, 3, 2, 3], 2);
        assert_eq!(owners, [(1, 0), (3, 1), (2, 0), (0, 1)]);
        assert_eq!(makespan, 5);
    }

    #[test]
    fn groups_of_equal_weight_go_round() {
        for processors in 1..6 {
            let weights: Vec<u64> = (0..60).map(|group| 5 - group / 17).collect();
            let mut plain = vec![0u64; processors];
            let expected: Vec<(u32, u32)> = (0..)
                .zip(&weights)
                .map(|(id, weight)| {
                    let least = (0..processors).min_by_key(|&at| (plain[at], at)).unwrap();
                    plain[least] += weight;
                    (id, least as u32)
                })
                .collect();
            let (owners, makespan) = deal(&weights, processors as u32);
            assert_eq!(owners, expected);
            assert_eq!(makespan, plain.into_iter().max().unwrap());
        }
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
            assert_eq!(loads.give(weight), least as u32);
            assert_eq!(loads.largest, plain.iter().copied().max().unwrap());
        }
    }
}
