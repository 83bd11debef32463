//! Chunks whose iterations run by level, not in the order of the run.
//!
//! A row of a grid needs the one before, so that it waits for that row's last additions and its
//! division (latency). Iterations of one level of a chunk need nothing of each other: a core works
//! on several at once (instruction-level parallelism). Those of one length follow each other, so
//! that the ends of their inner loops are foreseen (branch prediction).
//!
//! Insisted on, loaded solves for two processors take so much of the time of those in the order of
//! the plan:
//!
//! | pattern | time |
//! |---|---|
//! | 7-point and 27-point grid | 0.6, 0.8 |
//! | random rows | 1.1 |
//! | power grids | 0.57, 0.48 |
//! | circuit | 0.67 |
//! | quadratic programs | 0.86, 0.90 |
//! | factors | 1.08, 1.10 |
//!
//! Backward ones of these take 0.46 to 1.6. So calls compare both orders. Means over all matrices
//! of `superstep-bench plan` are 0.89 to 1.0 of those without, by kernel.

use std::ops::Range;
use std::sync::Arc;

use superstep_order::Rows;

use crate::track::{Asked, Words};
use crate::{Plan, Receiver, Track, TrackError};

/// Iterations of a chunk that run by level at a time: the first number with which levels are
/// [`WIDE`].
///
/// A core goes through their words once for each level, so that few of them stay in L1. Times of
/// loaded solves over the function, on a 7-point grid of 10^6 rows with a right-hand side apart:
///
/// | processors | 256 | 512 | 1,024 | 2,048 | 4,096 | all |
/// |---|---|---|---|---|---|---|
/// | two | 0.40 | 0.50 | 0.70 | 0.72 | 0.78 | 0.71 |
/// | one | 0.94 | 0.72 | 0.80 | 0.80 | 0.80 | 1.56 |
///
/// On one processor levels of 256 are no longer wide. On a 27-point grid and random rows all are
/// within 0.04.
///
/// Rows of a plane grid have levels as wide as their windows have lines. Times of loaded solves,
/// forward and backward, insisted on, with windows of 512 alone and with all three:
///
/// | 5-point grid | processors | 512 | all |
/// |---|---|---|---|
/// | 200^2 | one | 0.99, 0.75 | 0.38, 0.30 |
/// | 600^2 | one | 0.96, 0.76 | 0.50, 0.35 |
/// | 600^2 | two | 0.53, 0.41 | 0.35, 0.22 |
///
/// 16 real matrices take as long as before: their levels are wide in windows of 512, or in none.
const WINDOWS: [usize; 3] = [512, 2048, 8192];

/// Iterations of a level, in the mean, from which on the order is another: a core works on so many
/// short rows at once. Not tuned; below it a chain is left in its order, and loading is spared.
/// This page's figures are of plans with it, beside those for which no level is wide.
const WIDE: usize = 4;

/// No iteration has written the word.
const NONE: u32 = u32::MAX;

/// Makes the plan that runs the iterations of each chunk by level and length, each a grain of its
/// own; waits are as they were. None if levels have few iterations.
///
/// Cost: one pass over all accesses for each size of windows that is tried, sorting within windows.
/// Memory beside the plan: 12 bytes for each iteration and 8 for each word.
///
/// # Errors
/// If an iteration has a fault.
///
/// ```
/// # use std::{ops::Range, sync::Arc};
/// use superstep_planner::{Accesses, Fault, Plan, Track, by_level, prove};
///
/// /// `x[i] += x[i - 1]`, but in each eighth iteration: chains of eight.
/// struct Chains;
///
/// impl Track for Chains {
///     fn iterations(&self) -> u32 {
///         64
///     }
///     fn lengths(&self) -> &[usize] {
///         &[64]
///     }
///     fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
///         for i in iterations.start as usize..iterations.end as usize {
///             x.begin();
///             if i % 8 > 0 {
///                 x.read(0, i - 1..i);
///             }
///             x.update(0, i..i + 1);
///         }
///         Ok(())
///     }
/// }
///
/// let in_order = Plan::sequential(Arc::from([0, 64]));
/// let plan = by_level(&Chains, &in_order)?.expect("each level has eight iterations");
/// assert_eq!(plan.grains.items[..10], [0, 8, 16, 24, 32, 40, 48, 56, 1, 9]);
/// assert!(prove(&Chains, plan).is_ok());
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn by_level(track: &dyn Track, plan: &Plan) -> Result<Option<Plan>, TrackError> {
    let words = Words::new(track)?;
    for window in WINDOWS {
        let (mut groups, ends) = groups(plan, window);
        let mut levels = Levels::new(track, &words, &groups)?;
        let told = Asked::new(track).tell(0..track.iterations(), &mut levels);
        levels.end();
        if let Err(fault) = told {
            return Err(words.locate(track, 0..track.iterations(), fault));
        }
        if levels.sort(&mut groups) * WIDE <= groups.items.len() {
            return Ok(Some(Plan {
                boundaries: (0..=track.iterations()).collect(),
                order: Arc::clone(&plan.order),
                grains: Rows {
                    offsets: ends,
                    items: groups.items,
                },
            }));
        }
        // Larger windows are the same ones.
        if ends.is_sorted_by(|start, end| (end - start) as usize <= window) {
            break;
        }
    }
    Ok(None)
}

/// Returns the iterations that run by level together: windows of chunks. For each chunk, too, the
/// position of its first iteration among all of them, and the end.
fn groups(plan: &Plan, window: usize) -> (Rows<u32>, Vec<u32>) {
    let iterations = plan.boundaries.last().map_or(0, |&end| end as usize);
    let (mut groups, mut ends) = (Rows::with_capacity(plan.grains.len(), iterations), vec![0]);
    for grains in plan.grains.iter() {
        let first = groups.items.len();
        for &grain in grains {
            groups.items.extend(plan.iterations_of(grain));
        }
        let end = groups.items.len();
        let starts = (first..end).step_by(window);
        let bounds = starts.map(|start| end.min(start + window) as u32);
        groups.offsets.extend(bounds);
        ends.push(end as u32);
    }
    (groups, ends)
}

/// The pass that finds the level of each iteration inside its group, and its length.
struct Levels<'w> {
    words: &'w Words,
    /// Iteration that wrote each word last, and the highest level of those that have read it since,
    /// from 1.
    writers: Vec<u32>,
    readers: Vec<u32>,
    groups: Vec<u32>,
    levels: Vec<u32>,
    /// Number of words that each iteration uses.
    lengths: Vec<u32>,
    /// Number of iterations that have begun.
    begun: u32,
    level: u32,
    length: u32,
    reads: Vec<Range<usize>>,
    writes: Vec<Range<usize>>,
}

impl<'w> Levels<'w> {
    fn new(track: &dyn Track, words: &'w Words, groups: &Rows<u32>) -> Result<Self, TrackError> {
        let iterations = track.iterations() as usize;
        let mut group_of = vec![0; iterations];
        for (number, group) in (0..).zip(groups.iter()) {
            for &iteration in group {
                group_of[iteration as usize] = number;
            }
        }
        Ok(Self {
            words,
            writers: words.table(track, NONE)?,
            readers: words.table(track, 0)?,
            groups: group_of,
            levels: vec![0; iterations],
            lengths: vec![0; iterations],
            begun: 0,
            level: 0,
            length: 0,
            reads: Vec::new(),
            writes: Vec::new(),
        })
    }

    /// Sorts the iterations of each group by level and length; returns the number of levels.
    fn sort(&self, groups: &mut Rows<u32>) -> usize {
        let level = |iteration: &u32| self.levels[*iteration as usize];
        let mut count = 0;
        for group in 0..groups.len() {
            let group = groups.range(group);
            let group = &mut groups.items[group];
            group.sort_by_key(|iteration| (level(iteration), self.lengths[*iteration as usize]));
            count += group.chunk_by(|a, b| level(a) == level(b)).count();
        }
        count
    }

    /// Enters the iteration that has been tracked.
    fn end(&mut self) {
        let Some(iteration) = self.begun.checked_sub(1) else {
            return;
        };
        self.levels[iteration as usize] = self.level;
        self.lengths[iteration as usize] = self.length;
        for words in self.reads.drain(..) {
            for reader in &mut self.readers[words] {
                *reader = (*reader).max(self.level + 1);
            }
        }
        for words in self.writes.drain(..) {
            self.writers[words.clone()].fill(iteration);
            self.readers[words].fill(0);
        }
        (self.level, self.length) = (0, 0);
    }

    /// Notes that the iteration comes after those of its group that have written words.
    #[inline]
    fn use_words(&mut self, words: Range<usize>) {
        let own = self.begun - 1;
        self.length = self.length.saturating_add(words.len() as u32);
        for &writer in &self.writers[words] {
            if writer < own && self.groups[writer as usize] == self.groups[own as usize] {
                self.level = self.level.max(self.levels[writer as usize] + 1);
            }
        }
    }
}

impl Receiver for Levels<'_> {
    fn begin(&mut self) {
        self.end();
        self.begun += 1;
    }

    fn read(&mut self, array: u16, words: Range<usize>) {
        // Faults were found when the plan was made.
        let Some(words) = self.words.entries(array, &words) else {
            return;
        };
        self.use_words(words.clone());
        self.reads.push(words);
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        let Some(words) = self.words.entries(array, &words) else {
            return;
        };
        self.use_words(words.clone());
        // Of whichever group those are that read them: that delays an iteration at worst.
        let readers = self.readers[words.clone()].iter().copied();
        self.level = self.level.max(readers.max().unwrap_or(0));
        self.writes.push(words);
    }

    fn update(&mut self, array: u16, words: Range<usize>) {
        self.write(array, words);
    }
}
