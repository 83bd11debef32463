//! Part of a rank in runs of a plan where no rank has an array in whole.

use super::Ranked;
use super::run::Running;
use crate::planned::Grains;
use crate::ranks::{Communicator, RankError, Refusal, agree_on, blank_of, of_array};

/// Part of a rank: memory for the words that it uses. It is filled with inputs, run, and asked for
/// results.
pub struct RankedPart<'p, K: Grains> {
    ranked: &'p Ranked<K>,
    memory: K::Memory,
}

impl<'p, K: Grains> RankedPart<'p, K> {
    /// Makes the memory of a rank (collective).
    ///
    /// # Errors
    /// If a rank has another plan, or zero bytes are no words of an array: on all ranks.
    pub fn of(ranked: &'p Ranked<K>, ranks: &mut dyn Communicator) -> Result<Self, RankError> {
        let kernel = K::NAME;
        let able = match [ranks.rank(), ranks.size()] == [ranked.rank, ranked.size] {
            true => blank_of::<K>(&ranked.lengths).ok_or(Refusal::Blank { kernel }),
            false => Err(Refusal::Elsewhere { kernel }),
        };
        let another = Refusal::AnotherPlan { kernel };
        let memory = agree_on(able, |_| ranked.key, &another, ranks)?;
        Ok(Self { ranked, memory })
    }

    /// Fills the inputs of an array that this rank reads; `words` are those of the array.
    pub fn fill<T>(
        &mut self,
        array: u16,
        words: fn(&mut K::Memory) -> &mut [T],
        mut value: impl FnMut(usize) -> T,
    ) {
        let words = words(&mut self.memory);
        let inputs = of_array(&self.ranked.comings.inputs, array);
        inputs.for_each(|(index, slot)| words[slot] = value(index));
    }

    /// Runs the plan, with inputs and results where they are (collective).
    ///
    /// # Errors
    /// If a rank panics, or the engine fails: the communicator is aborted.
    pub fn run(
        &mut self,
        control: K::Control<'_>,
        ranks: &mut dyn Communicator,
    ) -> Result<(), RankError> {
        let ran = Running::new(self.ranked, &mut self.memory).steps(control, ranks);
        let ran = ran.and_then(|()| ranks.flush());
        ran.inspect_err(|error| ranks.abort(error))
    }

    /// Iterates over the results of an array that this rank has computed, each with its index;
    /// `words` are those of the array.
    pub fn results<'s, T: Copy>(
        &'s self,
        array: u16,
        words: fn(&'s K::Memory) -> &'s [T],
    ) -> impl Iterator<Item = (usize, T)> {
        let words = words(&self.memory);
        let results = of_array(&self.ranked.comings.results, array);
        results.map(|(index, slot)| (index, words[slot]))
    }
}
