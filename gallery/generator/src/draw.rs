//! Pseudo-random choices that are the same everywhere and always.

use superstep_random::SplitMix64;

/// A stream of choices.
#[derive(Clone, Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// The stream that `seed` names.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + (self.0.bits() % (most - least + 1) as u64) as usize
    }

    /// True `percent` times of 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of `choices`.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.between(0, choices.len() - 1)]
    }
}
