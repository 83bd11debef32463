//! Accesses on their way from a kernel to what plans it: packed numbers, a block at a time.

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

/// Length of a block in numbers: 8 KB, which stay in a core's first cache beside the tables.
///
/// Blocks of 24 bytes an event made planning take half as long again (graph 5.4 for 3.4 solves on a
/// 5-point grid of 10^6 rows, the example `patterns`); with 8 it takes as long as without blocks.
const LENGTH: usize = 1024;
/// The last word that stands in one number: its 45 bits are more than memories have words.
const MOST_WORD: u64 = (1 << ARRAY) - 1;
/// Position of the array's lowest bit: 16 bits of array and 3 flags are above it.
const ARRAY: u32 = 45;
/// Flag of an access whose bounds are the two numbers that follow.
const LONG: u64 = 1 << 61;
/// Flag of a write; other accesses are reads.
const WRITE: u64 = 1 << 62;
/// Flag of the beginning of an iteration, whose number has nothing else.
const BEGIN: u64 = 1 << 63;

/// Takes what iterations read and write from a kernel, and gives it to a receiver block by block.
///
/// So kernels and receivers are compiled once each, and an access costs no call.
pub struct Accesses<'r> {
    block: Block,
    receiver: &'r mut dyn Receiver,
    /// Set once the first block was given.
    is_given: bool,
    /// Set if that did not start with the beginning of an iteration.
    is_early: bool,
}

impl<'r> Accesses<'r> {
    /// Begins to give a receiver what will be told here. The last block is lost without
    /// [`end`](Self::end).
    #[must_use]
    pub fn new(receiver: &'r mut dyn Receiver) -> Self {
        Self::within(Block::default(), receiver)
    }

    /// Begins to give a receiver what will be told here, in memory that is there already.
    pub(crate) fn within(mut block: Block, receiver: &'r mut dyn Receiver) -> Self {
        block.0.reserve_exact(LENGTH);
        Self {
            block,
            receiver,
            is_given: false,
            is_early: false,
        }
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
        if !std::mem::replace(&mut self.is_given, true) {
            let first = self.block.0.first();
            self.is_early = first.is_some_and(|event| event & BEGIN == 0);
        }
        self.receiver.receive(&self.block);
        self.block.0.clear();
    }

    /// Gives the receiver the rest.
    pub fn end(self) {
        self.into_block();
    }

    /// Gives the receiver the rest, and returns the memory, and whether something was told before an
    /// iteration began.
    pub(crate) fn into_block(mut self) -> (Block, bool) {
        self.give();
        (self.block, self.is_early)
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
