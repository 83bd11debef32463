//! Accesses on their way from a kernel to what plans it: packed numbers, a block at a time.

use std::mem;
use std::ops::Range;

mod recording;

pub use recording::Recording;

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
    /// Notes that the iteration reads these words of an array and writes them then.
    fn update(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words.clone());
        self.write(array, words);
    }

    /// Notes that the iteration uses words again, so often, as a [`Recording`] tells it.
    fn repeat(&mut self, _times: u64) {}

    /// Takes all that a block has.
    fn receive(&mut self, block: Block<'_>) {
        let mut rest = block.0.iter();
        while let Some(&event) = rest.next() {
            if event & BEGIN != 0 {
                match event & MOST_WORD {
                    0 => self.begin(),
                    times => self.repeat(times),
                }
            } else if event & LONG == 0 {
                // Single words are told apart, so that nothing loops over them.
                let word = (event & MOST_WORD) as usize;
                receive(self, event, word..word + 1);
            } else {
                let mut bound = || rest.next().map_or(0, |&bound| bound as usize);
                receive(self, event, bound()..bound());
            }
        }
    }
}

/// Tells a receiver one access.
#[inline(always)]
fn receive<R: Receiver + ?Sized>(receiver: &mut R, event: u64, words: Range<usize>) {
    let array = (event >> ARRAY) as u16;
    if event & WRITE == 0 {
        receiver.read(array, words);
    } else if event & READ == 0 {
        receiver.write(array, words);
    } else {
        receiver.update(array, words);
    }
}

/// Events of tracking: 8 bytes for each word and each beginning, 24 for a range of words.
///
/// A number has the word in its lowest bits, and above it the array and four flags:
///
/// * an iteration begins;
/// * it writes;
/// * it reads what it writes;
/// * two numbers follow, the bounds of a range of words.
#[derive(Clone, Copy)]
pub struct Block<'e>(&'e [u64]);

/// Length of a block in numbers: 8 KB, which stay in a core's first cache beside the tables.
///
/// Blocks of 24 bytes an event made planning take half as long again. It was 5.4 for 3.4 solves on
/// a 5-point grid of 10^6 rows (the example `patterns`). With 8 it takes as long as without blocks.
const LENGTH: usize = 1024;
/// The last word that stands in one number: its 44 bits are more than memories have words.
const MOST_WORD: u64 = (1 << ARRAY) - 1;
/// Position of the array's lowest bit: 16 bits of array and 4 flags are above it.
const ARRAY: u32 = 44;
/// Flag of an access whose bounds are the two numbers that follow.
const LONG: u64 = 1 << 60;
/// Flag of a write whose words are read before.
const READ: u64 = 1 << 61;
/// Flag of a write; other accesses are reads.
const WRITE: u64 = 1 << 62;
/// Flag of the beginning of an iteration, whose number has nothing else. With a number in place of
/// a word: how often the iteration uses words again.
const BEGIN: u64 = 1 << 63;

/// Memory for a block, from its first use on.
#[derive(Default)]
pub(crate) struct Buffer(Box<[u64]>);

/// Takes what iterations read and write from a kernel, and gives it to a receiver block by block.
///
/// So kernels and receivers are compiled once each, and an access costs no call.
pub struct Accesses<'r> {
    buffer: Buffer,
    /// Length of the block that is in it.
    length: usize,
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
        Self::within(Buffer::default(), receiver)
    }

    /// Begins to give a receiver what will be told here, in memory that is there already.
    pub(crate) fn within(mut buffer: Buffer, receiver: &'r mut dyn Receiver) -> Self {
        if buffer.0.is_empty() {
            buffer.0 = vec![0; LENGTH].into();
        }
        Self {
            buffer,
            length: 0,
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

    /// Tells that the iteration reads these words of an array and writes them then.
    #[inline]
    pub fn update(&mut self, array: u16, words: Range<usize>) {
        self.access(u64::from(array) << ARRAY | WRITE | READ, words);
    }

    /// Tells what a recording has of some iterations.
    pub fn replay(&mut self, recording: &Recording, iterations: Range<u32>) {
        self.give();
        self.pass(recording.of(iterations));
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
        match self.buffer.0.get_mut(self.length) {
            Some(place) => {
                *place = event;
                self.length += 1;
            }
            None => self.push_next(event),
        }
    }

    #[inline(never)]
    fn push_next(&mut self, event: u64) {
        self.give();
        self.buffer.0[0] = event;
        self.length = 1;
    }

    #[inline(never)]
    fn range(&mut self, event: u64, words: Range<usize>) {
        if self.length + 3 > LENGTH {
            self.give();
        }
        let all = [event | LONG, words.start as u64, words.end as u64];
        self.buffer.0[self.length..self.length + 3].copy_from_slice(&all);
        self.length += 3;
    }

    fn give(&mut self) {
        let buffer = mem::take(&mut self.buffer.0);
        self.pass(Block(&buffer[..self.length]));
        self.buffer.0 = buffer;
        self.length = 0;
    }

    fn pass(&mut self, block: Block<'_>) {
        let Some(first) = block.0.first() else {
            return;
        };
        if !mem::replace(&mut self.is_given, true) {
            self.is_early = first & BEGIN == 0;
        }
        self.receiver.receive(block);
    }

    /// Gives the receiver the rest.
    pub fn end(self) {
        self.into_buffer();
    }

    /// Gives the receiver the rest. Returns the memory, and whether something was told before an
    /// iteration began.
    pub(crate) fn into_buffer(mut self) -> (Buffer, bool) {
        self.give();
        (self.buffer, self.is_early)
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
