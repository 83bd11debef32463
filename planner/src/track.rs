//! Tracking: which words each iteration reads and writes, without the arithmetic.

use std::ops::Range;

/// Takes what iterations read and write, in any order within each.
///
/// A fault (a word outside its array) is kept by the receiver, which then ignores what follows.
pub trait Receiver {
    /// Notes that another iteration begins.
    fn begin(&mut self) {}
    /// Notes that the iteration reads these words of an array.
    fn read(&mut self, array: u16, words: Range<usize>);
    /// Notes that the iteration writes these words of an array.
    fn write(&mut self, array: u16, words: Range<usize>);

    /// Takes all that a block has.
    fn receive(&mut self, block: &Block) {
        let mut rest = block.0.iter();
        while let Some(&event) = rest.next() {
            let array = (event >> ARRAY) as u16;
            let words = if event & LONG == 0 {
                let word = (event & MOST_WORD) as usize;
                word..word.saturating_add(1)
            } else {
                let mut bound = || rest.next().map_or(0, |&bound| bound as usize);
                bound()..bound()
            };
            if event & BEGIN != 0 {
                self.begin();
            } else if event & WRITE == 0 {
                self.read(array, words);
            } else {
                self.write(array, words);
            }
        }
    }
}

/// Events of tracking: 8 bytes for each word and each beginning, 24 for a range of words.
///
/// A number has the word in its lowest bits, above it the array and three flags: an iteration
/// begins, it writes, and two numbers follow, the bounds of a range of words.
#[derive(Default)]
pub struct Block(Vec<u64>);

/// Numbers of a block: 8 KB, a quarter of a core's first cache.
const LENGTH: usize = 1024;
/// The last word that stands in one number.
const MOST_WORD: u64 = (1 << ARRAY) - 1;
/// Lowest bit of the array.
const ARRAY: u32 = 45;
const LONG: u64 = 1 << 61;
const WRITE: u64 = 1 << 62;
const BEGIN: u64 = 1 << 63;

/// Takes what iterations read and write from a kernel, and gives it to a receiver block by block.
///
/// So kernels and receivers are compiled once each, and an access costs no call.
pub struct Accesses<'r> {
    block: Block,
    receiver: &'r mut dyn Receiver,
}

impl<'r> Accesses<'r> {
    /// Begins to give a receiver what will be told here. The last block is lost without
    /// [`end`](Self::end).
    #[must_use]
    pub fn new(receiver: &'r mut dyn Receiver) -> Self {
        Self::within(Block::default(), receiver)
    }

    /// Begins to give a receiver what will be told here, in memory that is there already.
    fn within(mut block: Block, receiver: &'r mut dyn Receiver) -> Self {
        block.0.reserve_exact(LENGTH);
        Self { block, receiver }
    }

    /// Tells that another iteration begins.
    #[inline]
    pub fn begin(&mut self) {
        self.push(BEGIN);
    }

    /// Tells that the iteration reads these words of an array.
    #[inline]
    pub fn read(&mut self, array: u16, words: Range<usize>) {
        self.access(u64::from(array) << ARRAY, words);
    }

    /// Tells that the iteration writes these words of an array.
    #[inline]
    pub fn write(&mut self, array: u16, words: Range<usize>) {
        self.access(u64::from(array) << ARRAY | WRITE, words);
    }

    #[inline]
    fn access(&mut self, event: u64, words: Range<usize>) {
        let word = words.start as u64;
        if word <= MOST_WORD && words.start.checked_add(1) == Some(words.end) {
            self.push(event | word);
        } else {
            self.range(event, words);
        }
    }

    #[inline]
    fn push(&mut self, event: u64) {
        if self.block.0.len() == LENGTH {
            self.give();
        }
        self.block.0.push(event);
    }

    #[inline(never)]
    fn range(&mut self, event: u64, words: Range<usize>) {
        if self.block.0.len() + 3 > LENGTH {
            self.give();
        }
        let all = [event | LONG, words.start as u64, words.end as u64];
        self.block.0.extend_from_slice(&all);
    }

    #[inline(never)]
    fn give(&mut self) {
        self.receiver.receive(&self.block);
        self.block.0.clear();
    }

    /// Gives the receiver the rest.
    pub fn end(self) {
        self.into_block();
    }

    fn into_block(mut self) -> Block {
        self.give();
        self.block
    }
}

/// Asks a kernel about iterations again and again, in one block of memory.
pub(crate) struct Asked<'k> {
    track: &'k dyn Track,
    block: Block,
}

impl<'k> Asked<'k> {
    pub(crate) fn new(track: &'k dyn Track) -> Self {
        let block = Block::default();
        Self { track, block }
    }

    /// Tells a receiver the accesses of iterations.
    pub(crate) fn tell(
        &mut self,
        iterations: Range<u32>,
        receiver: &mut dyn Receiver,
    ) -> Result<(), Fault> {
        let mut accesses = Accesses::within(std::mem::take(&mut self.block), receiver);
        let told = self.track.track(iterations, &mut accesses);
        self.block = accesses.into_block();
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
/// let error = superstep_planner::plan(&rows, 2, &Default::default()).unwrap_err();
/// assert_eq!(error.to_string(), "iteration 2: array 0 has 3 words, none at 7");
/// ```
pub trait Track: Sync {
    /// Number of iterations. They are numbered from 0, in the order of the sequential run.
    fn iterations(&self) -> u32;

    /// Lengths of the tracked arrays, in words.
    fn lengths(&self) -> &[usize];

    /// Tells every word that each of some iterations reads or writes, one iteration after the
    /// other, and where each [begins](Accesses::begin).
    ///
    /// It is called for any iterations, in any order, several times and from several threads, and
    /// must always tell the same: the proof of a plan holds for the accesses that it was told.
    ///
    /// # Errors
    /// If control reads outside of the kernel's structure; iterations behind that need not be told.
    fn track(&self, iterations: Range<u32>, accesses: &mut Accesses<'_>) -> Result<(), Fault>;
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
        /// Where the range begins.
        start: usize,
        /// Where it ends.
        end: usize,
    },
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
        /// How many there are.
        iterations: u32,
    },
    /// Another number of iterations was told than there are.
    #[error("{told} iterations are told, of {iterations}")]
    Told {
        /// How many there are.
        iterations: u32,
        /// How many have begun.
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

/// Where the words of each tracked array stand in a table that has all of them.
pub(crate) struct Words {
    /// First entry and length of each array.
    arrays: Vec<(usize, usize)>,
    total: usize,
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
        let mut arrays = Vec::new();
        for &length in track.lengths() {
            arrays.push((total, length));
            total = total.checked_add(length).ok_or_else(|| memory(track))?;
        }
        Ok(Self { arrays, total })
    }

    /// A table with an entry for each word.
    pub(crate) fn table(&self, track: &dyn Track, entry: u32) -> Result<Vec<u32>, TrackError> {
        let mut table = Vec::new();
        table
            .try_reserve_exact(self.total)
            .map_err(|_| memory(track))?;
        table.resize(self.total, entry);
        Ok(table)
    }

    /// The entries of a range of words, if the array has them.
    #[inline]
    pub(crate) fn entries(&self, array: u16, words: &Range<usize>) -> Option<Range<usize>> {
        let &(first, length) = self.arrays.get(usize::from(array))?;
        let is_inside = words.start <= words.end && words.end <= length;
        is_inside.then(|| first + words.start..first + words.end)
    }

    /// Returns why the array does not have a range of words.
    #[cold]
    pub(crate) fn fault(&self, array: u16, words: &Range<usize>) -> Fault {
        let (start, end) = (words.start, words.end);
        match self.arrays.get(usize::from(array)) {
            None => Fault::Unknown { array },
            Some(_) if start > end => Fault::Falls { array, start, end },
            Some(&(_, length)) => Fault::Outside {
                array,
                word: start.max(length),
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

    /// Names the first of these iterations that has a fault, with this fault, which one of them has.
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

    /// Array and word of an entry of the table.
    pub(crate) fn word(&self, entry: usize) -> (u16, usize) {
        let array = self.arrays.partition_point(|&(first, _)| first <= entry) - 1;
        (array as u16, entry - self.arrays[array].0)
    }
}

/// Keeps the first fault.
struct Faults<'a> {
    words: &'a Words,
    first: Option<Fault>,
    /// How many iterations have begun.
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
        if self.words.entries(array, &words).is_none() {
            self.first
                .get_or_insert_with(|| self.words.fault(array, &words));
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }
}

fn memory(track: &dyn Track) -> TrackError {
    TrackError::Memory {
        lengths: track.lengths().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Event {
        Begin,
        Read(u16, Range<usize>),
        Write(u16, Range<usize>),
    }

    impl Receiver for Vec<Event> {
        fn begin(&mut self) {
            self.push(Event::Begin);
        }

        fn read(&mut self, array: u16, words: Range<usize>) {
            self.push(Event::Read(array, words));
        }

        fn write(&mut self, array: u16, words: Range<usize>) {
            self.push(Event::Write(array, words));
        }
    }

    /// Single words and ranges in turn, so that a block ends before, in and behind a range.
    #[test]
    fn a_receiver_is_told_every_event_in_order() {
        let most = MOST_WORD as usize;
        let bounds = [
            0,
            1,
            7,
            most - 1,
            most,
            most + 1,
            usize::MAX - 1,
            usize::MAX,
        ];
        let mut told = Vec::new();
        for array in [0, 1, 0x1234, u16::MAX] {
            for start in bounds {
                for end in bounds.into_iter().chain([start.saturating_add(1)]) {
                    told.push(Event::Begin);
                    told.push(Event::Read(array, start..end));
                    told.push(Event::Write(array, start..end));
                }
            }
        }
        for skipped in 0..4 {
            let told: Vec<Event> = told[skipped..].iter().cycle().take(5000).cloned().collect();
            let mut received = Vec::new();
            let mut accesses = Accesses::new(&mut received);
            for event in &told {
                match event.clone() {
                    Event::Begin => accesses.begin(),
                    Event::Read(array, words) => accesses.read(array, words),
                    Event::Write(array, words) => accesses.write(array, words),
                }
            }
            accesses.end();
            assert_eq!(received, told);
        }
    }
}
