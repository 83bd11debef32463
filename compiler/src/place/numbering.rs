//! Numbering: gives slots, one after the other, to the home words that a processor uses of an
//! array.
//!
//! A processor with memory of its own holds no words that it does not use. The used words are
//! numbered in their order. Where they are about a product of rows and columns, they are numbered
//! as such. Then loops have constant steps as before, and all processors the same ones. Otherwise a
//! word's number is its rank among the used words.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::place::placement::Placement;
use crate::place::ranked::RankedSet;
use crate::place::tasks::Tasks;

/// Slots for each word that is used, at most, in an array or in a product of rows and columns of
/// it.
///
/// Beyond that words are numbered by rank, which breaks loops up. A transform of 512 words, of
/// which a processor uses all but one, has five times as many terms by ranks.
const PADDED: f64 = 1.25;

/// Task instances whose steps are counted, in [`PIECES`] parts of the trace. A bound of
/// time, not tuned.
const SAMPLE: usize = 1 << 16;

/// Parts of the trace that are looked at, as loops differ from one to another. Not tuned.
const PIECES: usize = 16;

/// Different widths of rows that are tried for an array, the most frequent steps first. A bound of
/// time, not tuned.
const WIDTHS: usize = 8;

/// Numbering of the home words of one array on one processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Every word at its own home, of which there are so many.
    Whole(u32),
    /// The words in some rows, of `width` words, and columns: row by row, with as many `columns`
    /// as any processor uses.
    Product {
        width: u32,
        columns: u32,
        rows: RankedSet,
        in_row: RankedSet,
    },
}

impl Numbering {
    /// Returns the slot of the word at `home`; none if the word has none.
    #[inline]
    pub(crate) fn slot(&self, home: u32) -> Option<u32> {
        match self {
            Self::Whole(_) => Some(home),
            Self::Product {
                width,
                columns,
                rows,
                in_row,
            } => {
                let row = rows.rank(home / width)?;
                in_row.rank(home % width).map(|at| row * columns + at)
            }
        }
    }

    /// Returns the number of slots.
    pub(crate) fn words(&self) -> u32 {
        match self {
            Self::Whole(words) => *words,
            Self::Product { columns, rows, .. } => rows.len() * columns,
        }
    }

    /// Numbers the words that each processor uses of an array. A processor that uses nearly all has
    /// all.
    fn of_array(extent: u32, used: &[&RankedSet], widths: &[u32]) -> Vec<Self> {
        let is_whole = |set: &RankedSet| f64::from(extent) <= PADDED * f64::from(set.len());
        let parts = used.iter().copied().filter(|set| !is_whole(set));
        let parts: Vec<&RankedSet> = parts.collect();
        let mut parts = Self::of_parts(extent, &parts, widths).into_iter();
        let whole = || Some(Self::Whole(extent));
        let number = |set: &&RankedSet| if is_whole(set) { whole() } else { parts.next() };
        used.iter().filter_map(number).collect()
    }

    /// Numbers the words that processors use in rows of the best of some widths. If that pads many,
    /// words are numbered by rank.
    fn of_parts(extent: u32, used: &[&RankedSet], widths: &[u32]) -> Vec<Self> {
        let most = |words: &mut dyn Iterator<Item = u32>| f64::from(words.max().unwrap_or(0));
        let ranks = || Self::in_rows(extent, used, 1);
        let is_interval = |set: &&RankedSet| {
            let (first, last) = (set.iter().next(), set.iter().last());
            let ends = first.zip(last);
            ends.is_none_or(|(first, last)| last - first < set.len())
        };
        if used.iter().all(is_interval) {
            return ranks();
        }
        let least = most(&mut used.iter().map(|set| set.len()));
        let words = |all: &Vec<Self>| most(&mut all.iter().map(Self::words));
        let tried = widths.iter();
        let tried = tried.map(|&width| Self::in_rows(extent, used, width));
        let best = tried.min_by(|a, b| words(a).total_cmp(&words(b)));
        best.filter(|best| words(best) <= PADDED * least)
            .unwrap_or_else(ranks)
    }

    /// Numbers the words that each processor uses of an array, in rows of that width.
    fn in_rows(extent: u32, used: &[&RankedSet], width: u32) -> Vec<Self> {
        let rows = |set: &&RankedSet| {
            RankedSet::new(extent.div_ceil(width), set.iter().map(|home| home / width))
        };
        let in_row = |set: &&RankedSet| RankedSet::new(width, set.iter().map(|home| home % width));
        let in_row: Vec<RankedSet> = used.iter().map(in_row).collect();
        let columns = in_row.iter().map(RankedSet::len).max().unwrap_or(0);
        let number = |(rows, in_row)| Self::Product {
            width,
            columns,
            rows,
            in_row,
        };
        used.iter().map(rows).zip(in_row).map(number).collect()
    }
}

/// Numbering of a few words, with no memory for those that are not among them.
pub(crate) struct Block {
    width: u32,
    /// Ascending.
    rows: Vec<u32>,
    /// Ascending.
    in_row: Vec<u32>,
}

impl Block {
    /// Numbers words in rows of the best of some widths, or one after the other.
    pub(crate) fn new(homes: &[u32], widths: &[u32]) -> Self {
        let best = widths.iter().map(|&width| Self::in_rows(homes, width));
        let best = best.min_by_key(Self::words);
        best.filter(|best| f64::from(best.words()) <= PADDED * homes.len() as f64)
            .unwrap_or_else(|| Self::in_rows(homes, 1))
    }

    fn in_rows(homes: &[u32], width: u32) -> Self {
        let different = |numbers: &mut dyn Iterator<Item = u32>| {
            let mut numbers: Vec<u32> = numbers.collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        Self {
            width,
            rows: different(&mut homes.iter().map(|home| home / width)),
            in_row: different(&mut homes.iter().map(|home| home % width)),
        }
    }

    /// Returns the number of slots.
    pub(crate) fn words(&self) -> u32 {
        (self.rows.len() * self.in_row.len()) as u32
    }

    /// Returns the slot of one of the words.
    pub(crate) fn slot(&self, home: u32) -> u32 {
        let before = |numbers: &[u32], number| numbers.partition_point(|&it| it < number);
        let row = before(&self.rows, home / self.width);
        (row * self.in_row.len() + before(&self.in_row, home % self.width)) as u32
    }
}

/// Words of each array that each processor uses, `[processor * arrays + array]`.
pub(crate) struct Used {
    extents: Vec<u32>,
    sets: Vec<RankedSet>,
    /// Widths that the rows of each array may have.
    widths: Vec<Vec<u32>>,
}

impl Used {
    /// Finds the words that are inputs of a processor's tasks or written by them.
    pub(crate) fn own(tasks: &Tasks<'_>, placement: &Placement) -> Self {
        let extents: Vec<u32> = tasks.layout().extents().collect();
        let mut sets = Vec::new();
        for processor in 0..placement.processors() {
            let mut words: Vec<Vec<u32>> = vec![Vec::new(); extents.len()];
            for input in placement.inputs(processor) {
                let home = tasks.layout().home(input.array, input.index);
                words[usize::from(input.array)].push(home);
            }
            let own = extents.iter().zip(words);
            let mut own: Vec<RankedSet> = own
                .map(|(&extent, words)| RankedSet::new(extent, words))
                .collect();
            let lists = (0..placement.supersteps()).map(|s| placement.tasks(s, processor));
            add(&mut own, tasks, &extents, lists.flatten().copied());
            sets.append(&mut own);
        }
        let widths = widths(tasks, extents.len());
        Self {
            extents,
            sets,
            widths,
        }
    }

    /// Returns the widths that the rows of each array may have.
    pub(crate) fn widths(&self) -> &[Vec<u32>] {
        &self.widths
    }

    /// Adds the words that processors receive.
    pub(crate) fn with_received(&self, tasks: &Tasks<'_>, placement: &Placement) -> Self {
        let mut received = vec![Vec::new(); placement.processors()];
        for transfer in placement.transfers() {
            received[transfer.to as usize].push(transfer.task);
        }
        let mut sets = self.sets.clone();
        let own = sets.chunks_mut(self.extents.len().max(1));
        for (own, received) in own.zip(received) {
            add(own, tasks, &self.extents, received);
        }
        Self {
            extents: self.extents.clone(),
            sets,
            widths: self.widths.clone(),
        }
    }

    /// Numbers the words, those of `shared` arrays as they are.
    pub(crate) fn number(&self, shared: &[bool]) -> Vec<Numbering> {
        let arrays = self.extents.len();
        let of_array = |array: usize| {
            let used: Vec<&RankedSet> = self.sets.iter().skip(array).step_by(arrays).collect();
            match shared[array] {
                true => vec![Numbering::Whole(self.extents[array]); used.len()],
                false => Numbering::of_array(self.extents[array], &used, &self.widths[array]),
            }
        };
        let mut of_arrays: Vec<_> = (0..arrays)
            .map(|array| of_array(array).into_iter())
            .collect();
        (0..self.sets.len())
            .filter_map(|at| of_arrays[at % arrays].next())
            .collect()
    }
}

/// Adds the words that tasks write to the sets of a processor.
fn add(
    sets: &mut [RankedSet],
    tasks: &Tasks<'_>,
    extents: &[u32],
    written: impl IntoIterator<Item = u32>,
) {
    let mut words: Vec<Vec<u32>> = vec![Vec::new(); sets.len()];
    for task in written {
        let array = usize::from(tasks.target(task));
        words[array].push(tasks.home_of(task));
    }
    for ((set, words), &extent) in sets.iter_mut().zip(words).zip(extents) {
        *set = std::mem::take(set).with(extent, words);
    }
}

/// Returns the most frequent steps through each array: the width of its rows is one of them. Steps
/// go from one task to the next of a statement, and from one word of a task to another.
fn widths(tasks: &Tasks<'_>, arrays: usize) -> Vec<Vec<u32>> {
    let trace = tasks.trace();
    let mut steps: Vec<HashMap<u32, u32>> = vec![HashMap::new(); arrays];
    let mut note = |array: u16, from: u32, to: u32| {
        let step = from.abs_diff(to);
        if step > 1 {
            *steps[usize::from(array)].entry(step).or_default() += 1;
        }
    };
    let mut last: Vec<Vec<u32>> = vec![Vec::new(); trace.kernel().statements.len()];
    let mut now: Vec<(u16, u32)> = Vec::new();
    let piece = trace.tasks().div_ceil(PIECES).max(1);
    for task in (0..trace.tasks()).filter(|task| task % piece < SAMPLE / PIECES) {
        let task = task as u32;
        let statement = tasks.statement(task);
        now.clear();
        now.extend(tasks.words(task));
        for (at, &(array, home)) in now.iter().enumerate() {
            let others = now[..at].iter().filter(|other| other.0 == array);
            others.for_each(|&(_, other)| note(array, other, home));
        }
        let last = &mut last[usize::from(statement)];
        for (&(array, home), &before) in now.iter().zip(&*last) {
            note(array, before, home);
        }
        last.clear();
        last.extend(now.iter().map(|&(_, home)| home));
    }
    let most = |steps: HashMap<u32, u32>| {
        let mut steps: Vec<(u32, u32)> = steps.into_iter().collect();
        steps.sort_unstable_by_key(|&(step, count)| (Reverse(count), step));
        steps.truncate(WIDTHS);
        steps.into_iter().map(|(step, _)| step).collect()
    };
    steps.into_iter().map(most).collect()
}
