//! Distances between the processors of a machine with levels, and the latencies that they cost.
//!
//! A machine may be a hierarchy: cores of a socket are near each other, sockets less so. Each pair
//! of processors has a *level*, the smallest group of the hierarchy that holds both. A word costs a
//! part of `gap` by its level, and an exchange a part of the latency, by its farthest message.

use superstep_machine::{Level, Machine};

/// Weight of a word between the processors that are farthest apart; of others, a part of it. Parts
/// are told apart to a thousandth, and whole weights add up to the same in any order.
const WHOLE: u64 = 1024;

/// Levels of all pairs of processors, and of the messages after each superstep.
pub(super) struct Levels {
    processors: usize,
    outermost: usize,
    /// Level of each pair of processors, if there are levels. A machine may have any number.
    of_pairs: Vec<u32>,
    /// Weight of a word, by level.
    weights: Vec<u64>,
    /// Part of the latency that a boundary costs, by the level of its farthest message.
    parts: Vec<f64>,
    /// Number of transfers of words after each superstep, by level.
    counts: Vec<u32>,
    /// Number of supersteps whose farthest message is of each level.
    farthest: Vec<u32>,
}

impl Levels {
    pub(super) fn new(machine: &Machine, supersteps: usize) -> Self {
        let outermost = machine.levels.len();
        let parts = |of: fn(&Level) -> f64| machine.levels.iter().map(of).chain([1.0]);
        let is_flat = outermost == 0;
        let all = 0..if is_flat { 0 } else { machine.processors };
        let counted = if is_flat { 0 } else { supersteps };
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        Self {
            processors: machine.processors as usize,
            outermost,
            of_pairs: pairs.map(|(a, b)| machine.level(a, b) as u32).collect(),
            weights: match is_flat {
                true => vec![1],
                false => parts(|level| level.gap)
                    .map(|part| (part * WHOLE as f64) as u64)
                    .collect(),
            },
            parts: parts(|level| level.latency).collect(),
            counts: vec![0; counted * (outermost + 1)],
            farthest: vec![0; outermost + 1],
        }
    }

    /// Returns whether the machine has no levels.
    #[inline]
    pub(super) fn is_flat(&self) -> bool {
        self.outermost == 0
    }

    #[inline]
    pub(super) fn level(&self, from: usize, to: usize) -> usize {
        self.of_pairs[from * self.processors + to] as usize
    }

    /// Returns the weight of a word between the processors that are farthest apart.
    pub(super) fn whole(&self) -> u64 {
        self.weights[self.outermost]
    }

    /// Counts a transfer of words, or no longer counts it; returns their weight.
    #[inline]
    pub(super) fn send<const COUNT: bool>(
        &mut self,
        superstep: u32,
        from: usize,
        to: usize,
        words: u64,
    ) -> u64 {
        if self.is_flat() {
            return words;
        }
        let level = self.level(from, to);
        if words > 0 {
            let before = self.farthest_of(superstep);
            let count = &mut self.counts[superstep as usize * (self.outermost + 1) + level];
            *count = if COUNT { *count + 1 } else { *count - 1 };
            let after = self.farthest_of(superstep);
            if before != after {
                before
                    .into_iter()
                    .for_each(|level| self.farthest[level] -= 1);
                after
                    .into_iter()
                    .for_each(|level| self.farthest[level] += 1);
            }
        }
        self.weights[level] * words
    }

    /// Returns the level of the farthest message after a superstep.
    fn farthest_of(&self, superstep: u32) -> Option<usize> {
        let width = self.outermost + 1;
        let counts = &self.counts[superstep as usize * width..][..width];
        counts.iter().rposition(|&count| count > 0)
    }

    /// Returns the latencies of all boundaries, in parts of the whole machine's.
    pub(super) fn boundaries(&self) -> f64 {
        let levels = self.farthest.iter().zip(&self.parts);
        levels.map(|(&count, part)| f64::from(count) * part).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hierarchy_may_have_hundreds_of_levels() {
        let level = |at| Level {
            groups: vec![0, u32::from(at < 290)],
            latency: 0.5,
            gap: 0.25,
        };
        let machine = Machine {
            levels: (0..300).map(level).collect(),
            ..Machine::new(2)
        };
        let mut levels = Levels::new(&machine, 1);
        assert_eq!((levels.level(0, 0), levels.level(0, 1)), (0, 290));
        assert_eq!(levels.send::<true>(0, 0, 1, 4), WHOLE);
        assert_eq!(levels.boundaries(), 0.5);
    }
}
