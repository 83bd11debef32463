//! Boundaries of a machine with levels: how far messages go after each superstep.

use superstep_machine::{Level, Machine};

use super::NOWHERE;

/// Weight of a word between the processors that are farthest apart; of others, a part of it. Parts
/// are told apart to a thousandth.
const WHOLE: u64 = 1024;

/// Levels of a machine, and the farthest level of messages allowed after each superstep.
///
/// A boundary at which messages may only go so far stays so: a message that goes farther waits for
/// an earlier one, so that most boundaries stay inside the groups. On a machine without levels all
/// messages are of level 0.
pub(super) struct Boundaries {
    processors: usize,
    outermost: usize,
    /// Level of each pair of processors.
    levels: Vec<u8>,
    /// Weight of a word, by level.
    weights: Vec<u64>,
    parts: Vec<f64>,
    /// Last boundary up to each one, and the first from each one on, that messages of a level may
    /// pass: level-major.
    last: Vec<u32>,
    next: Vec<u32>,
    /// Number of transfers of words after each superstep, by level.
    counts: Vec<u32>,
    /// Number of supersteps whose farthest message is of each level.
    farthest: Vec<u32>,
}

/// Mark of no such boundary.
const NONE: u32 = u32::MAX;

impl Boundaries {
    /// Returns the boundaries of that many supersteps, of which each may carry messages up to its
    /// level.
    pub(super) fn new(machine: &Machine, reach: &[usize]) -> Self {
        let processors = machine.processors as usize;
        let outermost = machine.levels.len();
        let pairs = (0..processors * processors)
            .map(|pair| ((pair / processors) as u32, (pair % processors) as u32));
        let parts = |of: fn(&Level) -> f64| machine.levels.iter().map(of).chain([1.0]);
        let weights = match outermost {
            0 => vec![1],
            _ => parts(|level| level.gap)
                .map(|part| (part * WHOLE as f64) as u64)
                .collect(),
        };
        let rows = reach.len() * (outermost + 1);
        let mut boundaries = Self {
            processors,
            outermost,
            levels: pairs.map(|(a, b)| machine.level(a, b) as u8).collect(),
            weights,
            parts: parts(|level| level.latency).collect(),
            last: vec![NONE; rows],
            next: vec![NONE; rows],
            counts: vec![0; if outermost == 0 { 0 } else { rows }],
            farthest: vec![0; outermost + 1],
        };
        boundaries.admit(reach);
        boundaries
    }

    fn admit(&mut self, reach: &[usize]) {
        for level in 0..=self.outermost {
            let row = level * reach.len()..(level + 1) * reach.len();
            let (last, next) = (&mut self.last[row.clone()], &mut self.next[row]);
            let mut before = NONE;
            for (superstep, &reach) in reach.iter().enumerate() {
                if reach >= level {
                    before = superstep as u32;
                }
                last[superstep] = before;
            }
            let mut after = NONE;
            for (superstep, &reach) in reach.iter().enumerate().rev() {
                if reach >= level {
                    after = superstep as u32;
                }
                next[superstep] = after;
            }
        }
    }

    /// Returns whether the machine has no levels: a value is there in the superstep after, from
    /// anywhere.
    #[inline]
    pub(super) fn is_flat(&self) -> bool {
        self.outermost == 0
    }

    #[inline]
    pub(super) fn level(&self, from: usize, to: usize) -> usize {
        usize::from(self.levels[from * self.processors + to])
    }

    /// Returns the weight of a word of that level.
    #[inline]
    pub(super) fn weight(&self, level: usize) -> u64 {
        self.weights[level]
    }

    /// Returns the weight of a word between the processors that are farthest apart.
    pub(super) fn whole(&self) -> u64 {
        self.weights[self.outermost]
    }

    fn supersteps(&self) -> usize {
        self.last.len() / (self.outermost + 1)
    }

    /// Returns the last superstep before `first_use` after which messages of that level may be
    /// sent.
    #[inline]
    pub(super) fn last_before(&self, level: usize, first_use: u32) -> Option<u32> {
        let superstep = first_use.checked_sub(1)?;
        if self.is_flat() {
            return Some(superstep);
        }
        let last = self.last[level * self.supersteps() + superstep as usize];
        (last != NONE).then_some(last)
    }

    /// Returns the first superstep in which `to` can use a value that `from` computes in
    /// `superstep`; [`NOWHERE`]: none.
    #[inline]
    pub(super) fn arrival(&self, from: usize, superstep: u32, to: usize) -> u32 {
        if superstep == NOWHERE || from == to {
            return superstep;
        }
        if self.is_flat() {
            return superstep + 1;
        }
        let row = self.level(from, to) * self.supersteps();
        match self.next[row + superstep as usize] {
            NONE => NOWHERE,
            boundary => boundary + 1,
        }
    }

    /// Counts a transfer of that level, or no longer counts it.
    #[inline]
    pub(super) fn send<const COUNT: bool>(&mut self, superstep: u32, level: usize) {
        if self.is_flat() {
            return;
        }
        let before = self.farthest_of(superstep);
        let count = &mut self.counts[superstep as usize * (self.outermost + 1) + level];
        *count = if COUNT { *count + 1 } else { *count - 1 };
        let after = self.farthest_of(superstep);
        if before != after {
            if let Some(level) = before {
                self.farthest[level] -= 1;
            }
            if let Some(level) = after {
                self.farthest[level] += 1;
            }
        }
    }

    fn farthest_of(&self, superstep: u32) -> Option<usize> {
        let width = self.outermost + 1;
        let counts = &self.counts[superstep as usize * width..][..width];
        counts.iter().rposition(|&count| count > 0)
    }

    /// Returns the latencies of all boundaries, of which each costs as much as its farthest
    /// message.
    pub(super) fn cost(&self, latency: f64) -> f64 {
        let levels = self.farthest.iter().zip(&self.parts);
        latency
            * levels
                .map(|(&count, part)| f64::from(count) * part)
                .sum::<f64>()
    }
}
