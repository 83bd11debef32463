//! Plans over ranks: each rank runs the steps of one processor in memory of its own.
//!
//! Rank 0 plans, or opens a plan file. It gives each rank its part: iterations, messages, and where
//! the words stand that it uses. The words that cross follow from tracking, and
//! [`exchange`](superstep_planner::exchange) says why messages are all that steps wait for. All
//! ranks have the control arguments, and compare them by their digests.

mod messages;
mod part;
mod run;
mod share;
mod strided;

use std::fmt;

use superstep_order::Rows;
use superstep_planner::exchange::{Pages, Progression};

pub use self::messages::of_messages;
pub use self::part::RankedPart;
pub use self::run::run_over;
use self::strided::Comings;
use super::extents::{Array, Kind, Needed};
use super::list::Lists;
use super::slots::Held;
use super::tracked::Loops;
use super::{Grains, PlanningError, Space};
use crate::pool::Pool;

/// A rank's part of a plan.
pub struct Ranked<K: Grains> {
    rank: usize,
    size: usize,
    /// Hash of the plan and its control arguments.
    key: u64,
    space: Space,
    lists: Lists,
    /// Arrays that are tracked.
    needed: Vec<Needed>,
    /// Slots of words, by the numbers of arrays.
    held: Vec<Held>,
    /// Words of a memory, by the numbers of arrays.
    lengths: Vec<u32>,
    /// Words that this rank copies.
    comings: Comings,
    /// Words that each rank reads before anybody has written them; on rank 0 alone.
    inputs: Rows<Progression>,
    /// Words that each rank writes last.
    results: Rows<Progression>,
    memories: Pool<K::Memory>,
}

impl<K: Grains> fmt::Debug for Ranked<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ranked")
            .field("kernel", &K::NAME)
            .field("rank", &self.rank)
            .field("ranks", &self.size)
            .field("steps", &self.lists.chunks())
            .field("words", &self.lengths)
            .finish_non_exhaustive()
    }
}

impl<K: Grains> Ranked<K> {
    /// Returns how many words of the kernel's arrays this rank holds, at any time of a run.
    pub fn words(&self) -> usize {
        self.lengths.iter().map(|&words| words as usize).sum()
    }

    /// Makes what a rank runs of its part. None if the part is not of this kernel.
    fn new(
        control: K::Control<'_>,
        [rank, size]: [usize; 2],
        share: share::Share,
    ) -> Result<Option<Self>, PlanningError> {
        let share::Share {
            level,
            key,
            extents,
            part,
            inputs,
            results,
        } = share;
        let space = PlanningError::catch(K::NAME, || {
            Loops::of::<K, _>(control, |loops| loops.space(level))
        });
        let space = space?;
        let arrays = Array::all::<K>();
        let is_in = |&[_, end]: &[u32; 2]| end <= space.iterations();
        if extents.len() != arrays.len() || !part.iterations.items.iter().all(is_in) {
            return Ok(None);
        }
        let needed = arrays.iter().zip(extents).map(|(&array, words)| Needed {
            array,
            words,
            known: K::known_words(control, array.number),
        });
        let needed: Vec<Needed> = needed.collect();
        let mut held: Vec<Held> = Vec::new();
        held.resize_with(K::ARRAYS, Held::default);
        let numbers = numbers(&arrays);
        for needed in &needed {
            let held = &mut held[usize::from(needed.array.number)];
            held.name = needed.array.name;
            if needed.array.kind == Kind::Scratch && !part.iterations.items.is_empty() {
                held.pages = Pages::whole(needed.words);
            }
        }
        let Some(comings) = Comings::of(&part, &numbers) else {
            return Ok(None);
        };
        let chunks = part.iterations.iter();
        let lists = Lists::of(
            chunks.map(|ranges| ranges.iter().map(|&[first, end]| first..end)),
            &space,
        );
        for (&number, pages) in numbers.iter().zip(part.pages) {
            held[usize::from(number)].pages = pages;
        }
        Ok(Some(Self {
            rank,
            size,
            key,
            space,
            lists,
            needed,
            lengths: held.iter().map(|array| array.pages.slots).collect(),
            held,
            comings,
            inputs,
            results,
            memories: Pool::default(),
        }))
    }
}

/// Returns the numbers among all arrays of those in a part: of shared ones, then of those
/// that are only read.
fn numbers(arrays: &[Array]) -> Vec<u16> {
    let in_part = arrays.iter().filter(|array| array.kind != Kind::Scratch);
    in_part.map(|array| array.number).collect()
}
