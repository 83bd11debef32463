//! Tapes: copies of structure and values in the order in which a processor's grains read them.
//!
//! Grains of a plan jump through the caller's arrays, as neighbouring rows belong to other
//! processors or levels. A tape is recorded once, by evaluating the control of a processor's grains
//! in its order. Each run reads it from the beginning: memory is read in order, and an index takes
//! four bytes. Of values it has places, too, so that new ones are copied (gathered) over the old.

use std::mem;

use super::Proof;

/// Tape of a processor. The macro makes one for each kernel: one of control, and one for each array
/// of values.
pub trait Tape: Default + Send + Sync + 'static {
    /// Returns the part that control is recorded on.
    fn control(&mut self) -> &mut ControlTape;

    /// Ends recording: gives back memory that is not used.
    fn keep(&mut self);

    /// Returns whether a control value or a place does not fit its words.
    fn is_wide(&self) -> bool;

    /// Has recordings be counted, and nothing else.
    fn count(&mut self);

    /// Returns the bytes of all words.
    fn bytes(&self) -> usize;
}

/// Tape of a kernel whose plans are never loaded.
#[derive(Debug, Default)]
pub struct NoTape(ControlTape);

impl Tape for NoTape {
    fn control(&mut self) -> &mut ControlTape {
        &mut self.0
    }

    fn keep(&mut self) {}

    fn is_wide(&self) -> bool {
        false
    }

    fn count(&mut self) {}

    fn bytes(&self) -> usize {
        0
    }
}

/// Control values of a processor's grains.
#[derive(Debug, Default)]
pub struct ControlTape {
    words: Vec<u32>,
    /// Number of words, at most, if there is a bound, and whether there were more.
    most: Option<usize>,
    is_full: bool,
    /// Set if a value does not fit its words.
    is_wide: bool,
    counted: Option<usize>,
}

impl ControlTape {
    /// Records a value, and returns it.
    #[inline]
    pub fn put<T: Taped>(&mut self, value: T) -> T {
        match &mut self.counted {
            Some(counted) => *counted += T::WORDS,
            None if self.most.is_some_and(|most| self.words.len() >= most) => self.is_full = true,
            None => self.is_wide |= value.put(&mut self.words).is_none(),
        }
        value
    }

    /// Begins a loop whose control is recorded. One word is how often it runs its tasks, which is
    /// known at its end.
    #[inline]
    pub fn begin_run(&mut self) -> usize {
        let run = self.words.len();
        self.put(0_u32);
        run
    }

    /// Ends the loop that has begun there, which has run its tasks so often.
    #[inline]
    pub fn end_run(&mut self, run: usize, executed: u32) {
        if self.counted.is_none()
            && let Some(word) = self.words.get_mut(run)
        {
            *word = executed;
        }
    }

    /// Ends recording: gives back memory that is not used.
    pub fn keep(&mut self) {
        self.words.shrink_to_fit();
    }

    /// Lets the tape have so many bytes.
    pub fn limit(&mut self, bytes: usize) {
        self.most = Some(bytes / size_of::<u32>());
    }

    /// Returns whether there were more words than it may have.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Has recordings be counted, and nothing else.
    pub fn count(&mut self) {
        self.counted = Some(0);
    }

    /// Returns whether a value does not fit its words.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Begins to read behind as many words as another tape has counted, if it has.
    pub fn reader(&self, behind: &Self) -> ControlReader<'_> {
        ControlReader(Reader::new(&self.words, behind.counted))
    }

    /// Returns a tape that has counted the words which a reader of this one has read.
    pub fn read_by(&self, reader: &ControlReader<'_>) -> Self {
        Self {
            counted: Some(reader.0.read_of(&self.words)),
            ..Self::default()
        }
    }

    /// Returns the bytes of the words.
    pub fn bytes(&self) -> usize {
        mem::size_of_val(&self.words[..])
    }
}

/// Values of one array that a processor's grains read, and where they stand in it.
#[derive(Debug)]
pub struct ValueTape<T> {
    words: Vec<T>,
    places: Vec<u32>,
    /// Words that an array must have for all places.
    reach: usize,
    /// Set if a place does not fit its word.
    is_wide: bool,
    counted: Option<usize>,
}

impl<T> Default for ValueTape<T> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            places: Vec::new(),
            reach: 0,
            is_wide: false,
            counted: None,
        }
    }
}

impl<T: Copy> ValueTape<T> {
    /// Records the place of a word.
    #[inline]
    pub fn put(&mut self, at: usize) {
        match &mut self.counted {
            Some(counted) => *counted += 1,
            None => {
                self.is_wide |= u32::try_from(at).is_err();
                self.reach = self.reach.max(at + 1);
                self.places.push(at as u32);
            }
        }
    }

    /// Ends recording: gives back memory that is not used.
    pub fn keep(&mut self) {
        self.places.shrink_to_fit();
    }

    /// Copies the words of an array from their places.
    ///
    /// # Panics
    /// If it has none at a place: lengths are compared before. The words stay as they are then.
    pub fn fill(&mut self, array: &[T]) {
        assert!(self.reach <= array.len(), "the array has all places");
        self.words.clear();
        let words = self.places.iter().map(|&at| array[at as usize]);
        self.words.extend(words);
    }

    /// Returns whether a place does not fit its word.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Has recordings be counted, and nothing else.
    pub fn count(&mut self) {
        self.counted = Some(0);
    }

    /// Begins to read behind as many words as another tape has counted, if it has.
    pub fn reader(&self, behind: &Self) -> Reader<'_, T> {
        Reader::new(&self.words, behind.counted)
    }

    /// Returns a tape that has counted the words which a reader of this one has read.
    pub fn read_by(&self, reader: &Reader<'_, T>) -> Self {
        Self {
            counted: Some(reader.read_of(&self.words)),
            ..Self::default()
        }
    }

    /// Returns the bytes of words and places.
    pub fn bytes(&self) -> usize {
        mem::size_of_val(&self.words[..]) + mem::size_of_val(&self.places[..])
    }
}

/// Reader of a [`ControlTape`].
#[derive(Clone, Debug)]
pub struct ControlReader<'t>(Reader<'t, u32>);

impl ControlReader<'_> {
    /// Returns the next value. The function, which tells its type, is not called.
    ///
    /// # Panics
    /// If there is none, where accesses are tested.
    #[inline(always)]
    pub fn take<T: Taped>(&mut self, proof: Proof<'_>, _: impl FnOnce() -> T) -> T {
        T::take(&mut self.0, proof)
    }

    /// Returns the next value, of the type of an option that is never filled.
    ///
    /// # Panics
    /// If there is none, where accesses are tested.
    #[inline(always)]
    pub fn take_as<T: Taped>(&mut self, proof: Proof<'_>, _: &Option<T>) -> T {
        T::take(&mut self.0, proof)
    }
}

/// Reader of words of one type in order.
#[derive(Clone, Debug)]
pub struct Reader<'t, T>(std::slice::Iter<'t, T>);

impl<'t, T: Copy> Reader<'t, T> {
    fn new(words: &'t [T], from: Option<usize>) -> Self {
        let words = words.get(from.unwrap_or(0)..);
        Self(words.unwrap_or_default().iter())
    }

    /// Returns how many of all words were read.
    fn read_of(&self, words: &[T]) -> usize {
        words.len() - self.0.len()
    }

    /// Returns the next word.
    ///
    /// # Panics
    /// If there is none, where accesses are tested.
    #[inline(always)]
    pub fn next_word(&mut self, proof: Proof<'_>) -> T {
        proof.next(&mut self.0)
    }
}

/// Type of control as words of a tape.
pub trait Taped: Copy {
    /// Number of words of a value.
    const WORDS: usize = 1;

    /// Records the value; none if it does not fit.
    fn put(self, words: &mut Vec<u32>) -> Option<()>;

    /// Reads a value.
    fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self;
}

macro_rules! in_one_word {
    ($Word:ident: $($T:ident)*) => {$(
        impl Taped for $T {
            #[inline]
            fn put(self, words: &mut Vec<u32>) -> Option<()> {
                words.push($Word::try_from(self).ok()? as u32);
                Some(())
            }

            #[inline(always)]
            fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self {
                words.next_word(proof) as $Word as Self
            }
        }
    )*};
}
in_one_word!(u32: u8 u16 u32 u64 u128 usize);
in_one_word!(i32: i8 i16 i32 i64 i128 isize);

impl Taped for bool {
    #[inline]
    fn put(self, words: &mut Vec<u32>) -> Option<()> {
        u32::from(self).put(words)
    }

    #[inline(always)]
    fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self {
        words.next_word(proof) != 0
    }
}

impl Taped for f32 {
    #[inline]
    fn put(self, words: &mut Vec<u32>) -> Option<()> {
        self.to_bits().put(words)
    }

    #[inline(always)]
    fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self {
        Self::from_bits(words.next_word(proof))
    }
}

impl Taped for f64 {
    const WORDS: usize = 2;

    #[inline]
    fn put(self, words: &mut Vec<u32>) -> Option<()> {
        let bits = self.to_bits();
        words.extend([bits as u32, (bits >> 32) as u32]);
        Some(())
    }

    #[inline(always)]
    fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self {
        let low = u64::from(words.next_word(proof));
        Self::from_bits(low | u64::from(words.next_word(proof)) << 32)
    }
}

impl Taped for char {
    #[inline]
    fn put(self, words: &mut Vec<u32>) -> Option<()> {
        u32::from(self).put(words)
    }

    #[inline(always)]
    fn take(words: &mut Reader<'_, u32>, proof: Proof<'_>) -> Self {
        Self::from_u32(words.next_word(proof)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROOF: Proof<'_> = Proof::of_nothing();

    #[test]
    fn values_come_back_in_order() {
        let mut tape = ControlTape::default();
        assert_eq!(tape.put(7_usize), 7);
        tape.put(-3_i64);
        tape.put(true);
        tape.put(-0.1_f64);
        tape.put(1.5_f32);
        tape.put('ß');
        tape.put(u32::MAX);
        assert!(!tape.is_wide());
        assert_eq!(tape.bytes(), 4 * 8);
        tape.keep();
        let mut reader = tape.reader(&ControlTape::default());
        assert_eq!(reader.take(PROOF, || 0_usize), 7);
        assert_eq!(reader.take(PROOF, || 0_i64), -3);
        assert!(reader.take(PROOF, || false));
        assert_eq!(reader.take(PROOF, || 0.0_f64), -0.1);
        assert_eq!(reader.take(PROOF, || 0.0_f32), 1.5);
        assert_eq!(reader.take(PROOF, || ' '), 'ß');
        assert_eq!(reader.take(PROOF, || 0_u32), u32::MAX);
        let end = std::panic::catch_unwind(move || reader.take(PROOF, || 0_u8));
        assert!(end.is_err(), "all were taken");
    }

    #[test]
    fn reading_begins_behind_what_was_counted() {
        let (mut control, mut values) = (ControlTape::default(), ValueTape::default());
        let (mut skipped, mut left_out) = (ControlTape::default(), ValueTape::default());
        skipped.count();
        left_out.count();
        for tape in [&mut control, &mut skipped] {
            tape.put(0.5_f64);
            tape.put(3_u8);
        }
        for tape in [&mut values, &mut left_out] {
            tape.put(2);
        }
        control.put(9_usize);
        values.put(1);
        values.fill(&[5, 6, 7]);
        let (mut controls, mut words) = (control.reader(&skipped), values.reader(&left_out));
        let read = (control.read_by(&controls), values.read_by(&words));
        assert_eq!((read.0.counted, read.1.counted), (Some(3), Some(1)));
        assert_eq!(controls.take(PROOF, || 0_usize), 9);
        assert_eq!(words.next_word(PROOF), 6);
        // All was read.
        let mut controls = control.reader(&control.read_by(&controls));
        let all = values.read_by(&words);
        assert_eq!(all.counted, Some(2));
        assert!(std::panic::catch_unwind(move || controls.take(PROOF, || 0_u8)).is_err());
    }

    #[test]
    fn a_loop_tells_how_often_it_ran_and_a_tape_that_it_is_full() {
        let mut tape = ControlTape::default();
        tape.limit(20);
        let run = tape.begin_run();
        for place in [7_usize, 9] {
            tape.put(place);
        }
        tape.end_run(run, 2);
        assert!(!tape.is_full());
        let mut reader = tape.reader(&ControlTape::default());
        assert_eq!(reader.take(PROOF, || 0_u32), 2);
        let place: Option<usize> = None;
        assert_eq!(reader.take_as(PROOF, &place), 7);
        assert_eq!(reader.take_as(PROOF, &place), 9);
        let run = tape.begin_run();
        tape.put(0.5);
        tape.put(1_u8);
        tape.end_run(run, 1);
        assert!(tape.is_full());
    }

    #[test]
    fn values_that_do_not_fit_are_told() {
        for is_wide in [
            |tape: &mut ControlTape| {
                tape.put(1_u64 << 32);
            },
            |tape: &mut ControlTape| {
                tape.put(1_i64 << 31);
            },
            |tape: &mut ControlTape| {
                tape.put(-1_i128 << 40);
            },
        ] {
            let mut tape = ControlTape::default();
            is_wide(&mut tape);
            assert!(tape.is_wide());
        }
    }
}
