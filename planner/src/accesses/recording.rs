//! Recordings: accesses that are told again from memory.

use std::ops::Range;

use super::{ARRAY, BEGIN, Block, LONG, MOST_WORD, READ, Receiver, WRITE};

/// Accesses of a kernel, recorded: how many words of each array they need, and themselves while
/// there is room for them.
///
/// Telling them again takes less time than the kernel's control. A word that an iteration uses
/// several times stands here once, with the number of the other uses. So a column of a
/// factorisation updates each of its words for many others.
///
/// Words in a row that are used alike stand as a range, as rows of a factor that others read whole.
///
/// Memory: 8 bytes for each event, 24 for a range, and 4 for each iteration. While recording there
/// are 4 for each tracked word, but for no more than 8 times as many as have been told.
///
/// ```
/// use superstep_planner::{Accesses, Recording};
///
/// let mut recording = Recording::new(1);
/// let mut accesses = Accesses::new(&mut recording);
/// for i in 0..3 {
///     accesses.begin();
///     accesses.update(0, i..i + 1);
/// }
/// accesses.end();
/// recording.end();
/// assert!(recording.is_whole(3));
/// assert_eq!(recording.lengths(), [3]);
/// ```
#[derive(Default)]
pub struct Recording {
    events: Vec<u64>,
    /// Position of each iteration's first event.
    starts: Vec<u32>,
    lengths: Vec<usize>,
    is_full: bool,
    /// Last iteration that used each word of each array, from 1, in all bits but the lowest, which
    /// tells that it wrote it.
    users: Vec<Vec<u32>>,
    /// Number of words that have been told.
    told: usize,
    /// Number of times that the last iteration has used words again.
    again: u64,
    /// Accesses that are alike of words in a row, of which the last events tell. They are the event
    /// that would follow them, and how many there are.
    row: (u64, usize),
}

/// Words in a row that stand as a range, at least: it takes the room of three. ILU(0) is planned in
/// 9.0 calls with ranges, and in 9.8 without (20 patterns).
const ROW: usize = 4;

/// Room for events, in numbers: 64 MB.
///
/// Times of planning by those with this recording, as geometric means over activsg25k, aug2dc,
/// pegase9241-L and rajat01:
///
/// | kernels | without a recording | with one that keeps words used again |
/// |---|---|---|
/// | triangular solves and sweeps | 1.1 | 1 |
/// | ILU(0) | 1.6 | 1.25 |
/// | left-looking factorisations | 1.9 | 2.0 |
const ROOM: usize = 1 << 23;

/// Words up to the last one of an array for which memory is taken without a look at which are used.
/// It is a number for each word that is told: tables take at most 32 bytes for each of these.
const SPREAD: usize = 8;
/// Words for which memory is always taken: 2^16, so that small kernels are looked at once.
const FREE: usize = 1 << 16;

/// Returns the number of words for which memory is in proportion to so many that have been told.
fn spread(told: usize) -> usize {
    told.saturating_mul(SPREAD).saturating_add(FREE)
}

impl Recording {
    /// Begins a recording of accesses to so many arrays.
    #[must_use]
    pub fn new(arrays: usize) -> Self {
        Self {
            lengths: vec![0; arrays],
            users: vec![Vec::new(); arrays],
            ..Self::default()
        }
    }

    /// Ends the recording. How often the last iteration used words again is lost without.
    pub fn end(&mut self) {
        self.tell_again();
        self.users = Vec::new();
        self.events.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// Returns how many words of each array are needed.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Returns whether few words are told of those up to the last one of each array.
    pub fn is_sparse(&self) -> bool {
        let all = self.lengths.iter().copied();
        all.fold(0, usize::saturating_add) > spread(self.told)
    }

    /// Returns whether all events of so many iterations are here, and none of others.
    pub fn is_whole(&self, iterations: u32) -> bool {
        !self.is_full
            && self.starts.len() == iterations as usize
            && self.starts.first().is_none_or(|&first| first == 0)
    }

    pub(super) fn of(&self, iterations: Range<u32>) -> Block<'_> {
        let at = |iteration: u32| match self.starts.get(iteration as usize) {
            Some(&start) => start as usize,
            None => self.events.len(),
        };
        Block(&self.events[at(iterations.start)..at(iterations.end)])
    }

    #[inline]
    fn need(&mut self, array: u16, end: usize) {
        if let Some(length) = self.lengths.get_mut(usize::from(array)) {
            *length = end.max(*length);
        }
    }

    #[inline]
    fn keep(&mut self, events: &[u64]) {
        if self.is_full {
            return;
        }
        if self.events.capacity() - self.events.len() < events.len() {
            // By a quarter in place of the double: most of the memory of planning is here.
            let more = (self.events.len() / 4).min(ROOM.saturating_sub(self.events.len()));
            self.events.reserve_exact(more.max(events.len()));
        }
        self.events.extend_from_slice(events);
    }

    /// Keeps an access to one word: as the end of a range, if the words before are those of others
    /// that are alike.
    #[inline]
    fn keep_word(&mut self, event: u64) {
        let (next, count) = self.row;
        let follows = event == next && event & MOST_WORD > 0;
        let count = if follows { count + 1 } else { 1 };
        self.row = (event + 1, count);
        if count > ROW {
            if let Some(end) = self.events.last_mut() {
                *end += 1;
            }
        } else if count == ROW && !self.is_full {
            let end = (event & MOST_WORD) + 1;
            let kept = self.events.len() + 1 - ROW;
            self.events.truncate(kept);
            self.keep(&[event & !MOST_WORD | LONG, end - ROW as u64, end]);
        } else {
            self.keep(&[event]);
        }
    }

    /// Tells how often the last iteration has used words again.
    fn tell_again(&mut self) {
        match std::mem::take(&mut self.again) {
            0 => {}
            times => self.keep(&[BEGIN | times]),
        }
    }

    /// Returns whether the last iteration has used a word before, and has written it if this is a
    /// write.
    #[inline]
    fn is_again(&mut self, event: u64) -> bool {
        let (array, word) = ((event >> ARRAY) as u16, (event & MOST_WORD) as usize);
        self.need(array, word + 1);
        let told = self.told;
        let Some(users) = self.users.get_mut(usize::from(array)) else {
            return false;
        };
        if word >= users.len() {
            // A wild index, or an array with more words than there is room for events.
            if word >= ROOM.min(spread(told)) {
                return false;
            }
            users.resize((word + 1).next_power_of_two(), 0);
        }
        let own = (self.starts.len() as u32) << 1;
        let user = &mut users[word];
        let new = own | u32::from(event & WRITE != 0);
        if *user >= new {
            return true;
        }
        *user = new;
        false
    }
}

impl Receiver for Recording {
    fn begin(&mut self) {
        self.tell_again();
        self.row = (0, 0);
        if !self.is_full {
            self.starts.push(self.events.len() as u32);
        }
        self.keep(&[BEGIN]);
    }

    fn read(&mut self, array: u16, words: Range<usize>) {
        self.need(array, words.end);
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.need(array, words.end);
    }

    fn receive(&mut self, Block(events): Block<'_>) {
        if self.events.len() + events.len() > ROOM {
            // Whoever plans without it can use the memory.
            *self = Self {
                lengths: std::mem::take(&mut self.lengths),
                told: self.told,
                is_full: true,
                ..Self::default()
            };
        }
        // Beginnings count, too.
        self.told = self.told.saturating_add(events.len());
        let mut rest = events.iter();
        while let Some(&event) = rest.next() {
            if event & BEGIN != 0 {
                self.begin();
            } else if event & LONG != 0 {
                self.row = (0, 0);
                let [start, end] = [(); 2].map(|()| rest.next().map_or(0, |&bound| bound));
                self.need((event >> ARRAY) as u16, end as usize);
                self.told = self.told.saturating_add(end.saturating_sub(start) as usize);
                self.keep(&[event, start, end]);
            } else if self.is_again(event) {
                // An update is a use for each.
                self.again += 1 + u64::from(event & READ != 0);
            } else {
                self.keep_word(event);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Accesses;

    /// Words of an iteration, and whether it reads and writes each.
    type Used = BTreeMap<(u16, usize), [bool; 2]>;

    /// Words of each iteration, and how many uses there are.
    #[derive(Debug, Default, PartialEq)]
    struct Uses(Vec<(Used, u64)>);

    impl Uses {
        fn note(&mut self, array: u16, words: Range<usize>, how: usize) {
            let (uses, count) = self.0.last_mut().expect("an iteration");
            *count += words.len() as u64;
            for word in words {
                let used = uses.entry((array, word)).or_default();
                // Who has written a word reads its own value.
                used[how] |= how == 1 || !used[1];
            }
        }
    }

    impl Receiver for Uses {
        fn begin(&mut self) {
            self.0.push(Default::default());
        }

        fn read(&mut self, array: u16, words: Range<usize>) {
            self.note(array, words, 0);
        }

        fn write(&mut self, array: u16, words: Range<usize>) {
            self.note(array, words, 1);
        }

        fn repeat(&mut self, words: u64) {
            self.0.last_mut().expect("an iteration").1 += words;
        }
    }

    #[test]
    fn without_room_there_are_lengths_alone() {
        let mut recording = Recording::new(2);
        let mut accesses = Accesses::new(&mut recording);
        for word in 0..=ROOM {
            accesses.begin();
            accesses.write((word % 2) as u16, word..word + 1);
        }
        accesses.end();
        recording.end();
        assert!(!recording.is_whole(ROOM as u32 + 1));
        assert_eq!(recording.lengths(), [ROOM + 1, ROOM]);
        assert_eq!(recording.events.capacity(), 0);
    }

    proptest! {
        /// As few or many words are used again.
        #[test]
        fn a_recording_tells_each_use(
            phases in prop::collection::vec((1_usize..400, 1_usize..60, 1_usize..2000), 1..5),
            seed in any::<u64>(),
        ) {
            let mut random = seed | 1;
            let mut below = |end: usize| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random >> 11) as usize % end
            };
            let (mut recording, mut uses) = (Recording::new(2), Uses::default());
            let mut tell = |receivers: &mut [&mut Accesses<'_>; 2]| {
                for &(iterations, most, words) in &phases {
                    for _ in 0..iterations {
                        receivers.iter_mut().for_each(|each| each.begin());
                        for _ in 0..below(most + 1) {
                            let (array, word, how) = (below(2) as u16, below(words), below(6));
                            let range = word..word + 1 + below(3) * usize::from(how == 3);
                            // Words in a row, one by one.
                            let row = word + 1..word + 1 + below(8) * usize::from(how > 3);
                            for each in receivers.iter_mut() {
                                let mut tell = |range| match how {
                                    0 | 4 => each.read(array, range),
                                    1 => each.write(array, range),
                                    _ => each.update(array, range),
                                };
                                tell(range.clone());
                                row.clone().for_each(|word| tell(word..word + 1));
                            }
                        }
                    }
                }
            };
            let mut both = [Accesses::new(&mut recording), Accesses::new(&mut uses)];
            let [a, b] = &mut both;
            tell(&mut [a, b]);
            both.into_iter().for_each(Accesses::end);
            recording.end();
            prop_assert!(recording.is_whole(uses.0.len() as u32));
            let mut all = Uses::default();
            let mut accesses = Accesses::new(&mut all);
            accesses.replay(&recording, 0..uses.0.len() as u32);
            accesses.end();
            prop_assert_eq!(&all, &uses);
            let lengths = [0, 1].map(|array| {
                let words = uses.0.iter().flat_map(|(uses, _)| uses.keys());
                let ends = words.filter(|word| word.0 == array).map(|word| word.1 + 1);
                ends.max().unwrap_or(0)
            });
            prop_assert_eq!(recording.lengths(), lengths);
            // Single iterations, the last first, as passes backwards ask for them.
            for (iteration, uses) in uses.0.into_iter().enumerate().rev().take(50) {
                let iteration = iteration as u32;
                let mut one = Uses::default();
                let mut accesses = Accesses::new(&mut one);
                accesses.replay(&recording, iteration..iteration + 1);
                accesses.end();
                prop_assert_eq!(one.0, [uses]);
            }
        }
    }
}
