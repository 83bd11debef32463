//! Tracking: which words each iteration reads and writes, without the arithmetic.

use std::ops::Range;

use crate::accesses::{Accesses, Buffer, Receiver};
use crate::used::Used;

/// Asks a kernel about iterations again and again, in one block of memory.
pub(crate) struct Asked<'k> {
    track: &'k dyn Track,
    buffer: Buffer,
}

impl<'k> Asked<'k> {
    pub(crate) fn new(track: &'k dyn Track) -> Self {
        let buffer = Buffer::default();
        Self { track, buffer }
    }

    /// Tells a receiver the accesses of iterations.
    ///
    /// # Errors
    /// If the kernel has a fault, or tells accesses of no iteration.
    pub(crate) fn tell(
        &mut self,
        iterations: Range<u32>,
        receiver: &mut dyn Receiver,
    ) -> Result<(), Fault> {
        let mut accesses = Accesses::within(std::mem::take(&mut self.buffer), receiver);
        let told = self.track.track(iterations, &mut accesses);
        let is_early;
        (self.buffer, is_early) = accesses.into_buffer();
        if is_early { Err(Fault::Early) } else { told }
    }

    /// Tells a receiver the accesses of iterations to arrays that none writes.
    ///
    /// # Errors
    /// If the kernel has a fault.
    pub(crate) fn tell_inputs(
        &mut self,
        iterations: Range<u32>,
        receiver: &mut dyn Receiver,
    ) -> Result<(), Fault> {
        let mut accesses = Accesses::within(std::mem::take(&mut self.buffer), receiver);
        let told = self.track.track_inputs(iterations, &mut accesses);
        (self.buffer, _) = accesses.into_buffer();
        told
    }
}

/// The control of a kernel, iteration by iteration.
///
/// Arrays that no iteration writes are not tracked. The others are numbered from 0 in the order of
/// [`lengths`](Self::lengths).
///
/// A kernel in place, `x[i] -= l[k] * x[col[k]]` over the rows of a lower triangular matrix:
///
/// ```
/// use std::ops::Range;
/// use superstep_planner::{Accesses, Fault, Track};
///
/// struct Rows { row: Vec<usize>, col: Vec<usize>, lengths: [usize; 1] }
///
/// impl Track for Rows {
///     fn iterations(&self) -> u32 {
///         self.row.len() as u32 - 1
///     }
///     fn lengths(&self) -> &[usize] {
///         &self.lengths
///     }
///     fn track(&self, rows: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
///         for i in rows.start as usize..rows.end as usize {
///             x.begin();
///             for k in self.row[i]..self.row[i + 1] {
///                 // Structure has numbers after the tracked arrays; they stand in faults alone.
///                 let outside = Fault::Outside { array: 1, word: k, length: self.col.len() };
///                 let j = *self.col.get(k).ok_or(outside)?;
///                 x.read(0, j..j + 1);
///             }
///             x.read(0, i..i + 1);
///             x.write(0, i..i + 1);
///         }
///         Ok(())
///     }
/// }
///
/// let rows = Rows { row: vec![0, 0, 1, 2], col: vec![0, 7], lengths: [3] };
/// let error = superstep_planner::plan(&rows, 2, &Default::default(), u64::MAX).unwrap_err();
/// assert_eq!(error.to_string(), "iteration 2: array 0 has 3 words, none at 7");
/// ```
pub trait Track: Sync {
    /// Returns the number of iterations. They are numbered from 0, in the order of the sequential
    /// run.
    fn iterations(&self) -> u32;

    /// Lengths of the tracked arrays, in words.
    fn lengths(&self) -> &[usize];

    /// Returns the words that iterations use, if these are few of all: then tables have entries for
    /// them alone.
    fn used(&self) -> Option<&Used> {
        None
    }

    /// Tells every word that each of some iterations reads or writes, one iteration after the
    /// other, and where each [begins](Accesses::begin).
    ///
    /// It is called for any iterations, in any order, several times and from several threads, and
    /// must always tell the same. The proof of a plan holds for the accesses that it was told.
    ///
    /// # Errors
    /// If control reads outside of the kernel's structure; iterations behind that need not be told.
    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault>;

    /// Returns the number of arrays that no iteration writes, as far as
    /// [`track_inputs`](Self::track_inputs) tells of them.
    fn inputs(&self) -> usize {
        0
    }

    /// Tells the words that some iterations read of arrays that none writes, which have numbers of
    /// their own from 0. Plans do not depend on them; who runs a plan in private memories holds
    /// them.
    ///
    /// # Errors
    /// As of [`track`](Self::track).
    fn track_inputs(&self, _: Range<u32>, _: &mut Accesses<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

/// An access that must not be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A word outside of its array.
    #[error("array {array} has {length} words, none at {word}")]
    Outside {
        /// Number of the array: those of the structure come after the tracked ones.
        array: u16,
        /// The first word that is outside.
        word: usize,
        /// Words of the array.
        length: usize,
    },
    /// A range that ends before it begins, as row pointers that fall give it.
    #[error("array {array}: words from {start} to {end}")]
    Falls {
        /// Number of the array.
        array: u16,
        /// First word of the range.
        start: usize,
        /// End of the range.
        end: usize,
    },
    /// An access before an iteration has begun: it would count for another one.
    #[error("an access before an iteration begins")]
    Early,
    /// An array that the kernel has not announced.
    #[error("there is no array {array}")]
    Unknown {
        /// Its number.
        array: u16,
    },
}

/// Errors of tracking a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// An iteration uses what it must not.
    #[error("iteration {iteration}: {fault}")]
    Fault {
        /// The iteration.
        iteration: u32,
        /// Its first fault.
        fault: Fault,
    },
    /// More iterations than ids.
    #[error("{iterations} iterations, of which at most {MOST_ITERATIONS} can be planned")]
    Iterations {
        /// Number of iterations of the kernel.
        iterations: u32,
    },
    /// Another number of iterations was told than there are.
    #[error("{told} iterations are told, of {iterations}")]
    Told {
        /// Number of iterations of the kernel.
        iterations: u32,
        /// Number of iterations that have begun.
        told: u32,
    },
    /// More dependences between grains than ids.
    #[error("more than {} dependences between grains", u32::MAX)]
    Edges,
    /// More words than memory for a number beside each.
    #[error("no memory for tracking arrays of so many words: {lengths:?}")]
    Memory {
        /// Lengths of the arrays.
        lengths: Vec<usize>,
    },
}

/// The most iterations of a kernel. Tables of words keep two kinds of ids apart by one bit.
pub const MOST_ITERATIONS: u32 = (1 << 31) - 2;

/// Positions of the words of each tracked array in a table: all of them, or those that are used.
pub(crate) struct Words {
    /// First entry and length of each array of which all words have entries; others have no length
    /// here. Nearly all arrays are such: these numbers alone are looked at for each access.
    whole: Vec<(usize, usize)>,
    arrays: Vec<Entries>,
    total: usize,
}

/// The entries of an array.
struct Entries {
    first: usize,
    /// Words of the array.
    length: usize,
    /// Number of entries: one for each word, but where pieces have them.
    count: usize,
    /// Ranges of words with their first entries, if the others are not used.
    pieces: Option<Vec<Piece>>,
}

/// Words that have entries, and the first of these.
struct Piece {
    words: Range<usize>,
    first: usize,
}

impl Entries {
    /// Returns the entries of an array from one on.
    fn new(first: usize, length: usize, array: usize, used: Option<&Used>) -> Self {
        let mut count = 0;
        let pieces = used.map(|used| {
            let of_words = |words: Range<usize>| {
                let words = words.start..words.end.min(length);
                let first = first + count;
                count += words.len();
                Piece { words, first }
            };
            used.ranges(array).map(of_words).collect()
        });
        Self {
            first,
            length,
            count: if used.is_some() { count } else { length },
            pieces,
        }
    }

    /// Returns the entries of words of which one piece has all; none without pieces.
    #[cold]
    fn of_pieces(&self, words: &Range<usize>) -> Option<Range<usize>> {
        let pieces = self.pieces.as_ref()?;
        if words.start > words.end || words.end > self.length {
            return None;
        }
        if words.is_empty() {
            return Some(0..0);
        }
        let at = pieces.partition_point(|piece| piece.words.start <= words.start);
        let piece = pieces.get(at.checked_sub(1)?)?;
        let start = piece.first + (words.start - piece.words.start);
        (words.end <= piece.words.end).then(|| start..start + words.len())
    }

    /// Returns the word of an entry.
    fn word(&self, entry: usize) -> usize {
        match &self.pieces {
            None => entry - self.first,
            Some(pieces) => {
                let at = pieces.partition_point(|piece| piece.first <= entry) - 1;
                pieces[at].words.start + (entry - pieces[at].first)
            }
        }
    }
}

/// Compares the iterations that have begun with those that there are.
pub(crate) fn check_told(iterations: u32, told: u32) -> Result<(), TrackError> {
    if told == iterations {
        Ok(())
    } else {
        Err(TrackError::Told { iterations, told })
    }
}

impl Words {
    pub(crate) fn new(track: &dyn Track) -> Result<Self, TrackError> {
        let iterations = track.iterations();
        if iterations > MOST_ITERATIONS {
            return Err(TrackError::Iterations { iterations });
        }
        let mut total = 0usize;
        let (mut whole, mut arrays) = (Vec::new(), Vec::new());
        for (array, &length) in track.lengths().iter().enumerate() {
            let entries = Entries::new(total, length, array, track.used());
            let next = total.checked_add(entries.count);
            total = next.ok_or_else(|| memory(track))?;
            let length = if entries.pieces.is_some() { 0 } else { length };
            whole.push((entries.first, length));
            arrays.push(entries);
        }
        Ok(Self {
            whole,
            arrays,
            total,
        })
    }

    /// Entries of all arrays.
    pub(crate) fn total(&self) -> u64 {
        self.total as u64
    }

    /// Makes a table with an entry for each word.
    pub(crate) fn table(&self, track: &dyn Track, entry: u32) -> Result<Vec<u32>, TrackError> {
        filled(self.total, entry).ok_or_else(|| memory(track))
    }

    /// Returns the entries of a range of words, if the array has them.
    #[inline(always)]
    pub(crate) fn entries(&self, array: u16, words: &Range<usize>) -> Option<Range<usize>> {
        let &(first, length) = self.whole.get(usize::from(array))?;
        if words.start <= words.end && words.end <= length {
            return Some(first + words.start..first + words.end);
        }
        self.arrays[usize::from(array)].of_pieces(words)
    }

    /// Returns the entries of some words as [`entries`](Self::entries) does. Where there are none,
    /// the first fault is kept.
    #[inline(always)]
    pub(crate) fn entries_or(
        &self,
        array: u16,
        words: &Range<usize>,
        first: &mut Option<Fault>,
    ) -> Range<usize> {
        self.entries(array, words).unwrap_or_else(|| {
            first.get_or_insert_with(|| self.fault(array, words));
            0..0
        })
    }

    /// Returns why the array does not have a range of words.
    #[cold]
    pub(crate) fn fault(&self, array: u16, words: &Range<usize>) -> Fault {
        let (start, end) = (words.start, words.end);
        match self.arrays.get(usize::from(array)) {
            None => Fault::Unknown { array },
            Some(_) if start > end => Fault::Falls { array, start, end },
            // One within the array was not used when all words were asked for.
            Some(&Entries { length, .. }) => Fault::Outside {
                array,
                word: if end > length {
                    start.max(length)
                } else {
                    start
                },
                length,
            },
        }
    }

    /// Checks that iterations have no fault.
    pub(crate) fn check(
        &self,
        track: &dyn Track,
        iterations: Range<u32>,
    ) -> Result<(), TrackError> {
        let mut faults = Faults::new(self);
        let told = Asked::new(track).tell(iterations.clone(), &mut faults);
        match faults.first.or(told.err()) {
            None => check_told(iterations.end - iterations.start, faults.begun),
            Some(fault) => Err(self.locate(track, iterations, fault)),
        }
    }

    /// Names the first of these iterations that has a fault, with this fault; one of them has it.
    #[cold]
    pub(crate) fn locate(
        &self,
        track: &dyn Track,
        iterations: Range<u32>,
        fault: Fault,
    ) -> TrackError {
        let mut asked = Asked::new(track);
        let has_fault = |&iteration: &u32| {
            let mut faults = Faults::new(self);
            let told = asked.tell(iteration..iteration + 1, &mut faults);
            told.is_err() || faults.first.is_some()
        };
        let start = iterations.start;
        let iteration = iterations.into_iter().find(has_fault).unwrap_or(start);
        TrackError::Fault { iteration, fault }
    }

    /// Returns how many of its array's entries end with one, as a part of `u32::MAX`. Entries count
    /// from 1 here; 0 is none.
    pub(crate) fn place(&self, end: usize) -> u32 {
        let Some(entry) = end.checked_sub(1) else {
            return 0;
        };
        let entries = &self.arrays[self.array(entry)];
        let before = (entry - entries.first) as u128 + 1;
        (before * u128::from(u32::MAX) / entries.count as u128) as u32
    }

    /// Returns array and word of an entry of the table.
    pub(crate) fn word(&self, entry: usize) -> (u16, usize) {
        let array = self.array(entry);
        (array as u16, self.arrays[array].word(entry))
    }

    fn array(&self, entry: usize) -> usize {
        self.arrays.partition_point(|array| array.first <= entry) - 1
    }
}

/// Keeps the first fault.
struct Faults<'a> {
    words: &'a Words,
    first: Option<Fault>,
    /// Number of iterations that have begun.
    begun: u32,
}

impl<'a> Faults<'a> {
    fn new(words: &'a Words) -> Self {
        Self {
            words,
            first: None,
            begun: 0,
        }
    }
}

impl Receiver for Faults<'_> {
    #[inline]
    fn begin(&mut self) {
        self.begun = self.begun.saturating_add(1);
    }

    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        self.words.entries_or(array, &words, &mut self.first);
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }
}

/// Returns a table of equal entries, if there is memory for it.
pub(crate) fn filled(entries: usize, entry: u32) -> Option<Vec<u32>> {
    let mut table = Vec::new();
    table.try_reserve_exact(entries).ok()?;
    table.resize(entries, entry);
    Some(table)
}

fn memory(track: &dyn Track) -> TrackError {
    TrackError::Memory {
        lengths: track.lengths().to_vec(),
    }
}
