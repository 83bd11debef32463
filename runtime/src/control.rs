//! Control arguments as bytes: what a program was built for, and whether a call fits it.
//!
//! A program is keyed by *all* control arguments of its kernel: sizes, the contents of
//! `#[structure]` slices, lengths. The build side writes them once with a [`ControlWriter`]. A call
//! feeds the same arguments to a [`ControlMatcher`]. It compares without allocating, at less than a
//! nanosecond for each entry of a slice.
//!
//! The encoding is a list of entries, all numbers signed and with the low byte first.
//!
//! * A scalar is the byte 0 and 16 bytes.
//! * A slice is the byte 1, its length in 16 bytes, and a width in one byte. The width is 0 for no
//!   entries, else 1, 2, 4, 8 or 16. Then follow, in that many bytes each, the differences of each
//!   entry to the one before, of the first to zero.
//!
//! The width is the least that holds all differences. A sorted pattern mostly takes one or two
//! bytes for each entry.
//!
//! ```
//! use superstep_runtime::control::{ControlMatcher, ControlSink, ControlWriter};
//!
//! fn control<S: ControlSink>(sink: &mut S, n: usize, row: &[usize]) {
//!     sink.scalar(n as i128);
//!     sink.slice(row);
//! }
//!
//! let mut writer = ControlWriter::new();
//! control(&mut writer, 3, &[0, 1, 4]);
//! let key = writer.into_bytes();
//!
//! let fits = |n, row: &[usize]| {
//!     let mut matcher = ControlMatcher::new(&key);
//!     control(&mut matcher, n, row);
//!     matcher.matched()
//! };
//! assert!(fits(3, &[0, 1, 4]));
//! assert!(!fits(3, &[0, 2, 4]));
//! assert!(!fits(3, &[0, 1]));
//! ```

const SCALAR: u8 = 0;
const SLICE: u8 = 1;

/// Receiver of a kernel's control arguments, in the order of its parameters.
pub trait ControlSink {
    /// Takes an integer (a size, a length, a flag as 0 or 1).
    fn scalar(&mut self, value: i128);
    /// Takes the entries of a `#[structure]` slice.
    fn slice<T: Entry>(&mut self, entries: &[T]);
}

/// Entry of a `#[structure]` slice: an integer or a flag.
pub trait Entry: Copy {
    /// Returns the entry as a number.
    fn number(self) -> i128;
    /// Set if all numbers of the type have at most 64 bits.
    const FITS: bool;
    /// Returns the low 64 bits of that number.
    fn word(self) -> u64;
}

macro_rules! entries {
    ($($T:ident)*) => {$(
        impl Entry for $T {
            const FITS: bool = size_of::<$T>() <= 8;

            #[inline]
            fn number(self) -> i128 {
                self as i128
            }

            #[inline(always)]
            fn word(self) -> u64 {
                self as u64
            }
        }
    )*};
}
entries! { bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize u128 i128 }

/// Writer of the key of an instance.
#[derive(Clone, Debug, Default)]
pub struct ControlWriter {
    bytes: Vec<u8>,
}

impl ControlWriter {
    /// Makes a writer of an empty key.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes differences of 64 bits in `W` bytes each, which hold them.
    fn words<const W: usize, T: Entry>(&mut self, entries: &[T]) {
        let mut last = 0;
        self.bytes.extend(entries.iter().flat_map(|entry| {
            let difference = entry.word().wrapping_sub(last);
            last = entry.word();
            let bytes = difference.to_le_bytes();
            std::array::from_fn::<u8, W, _>(|at| bytes[at])
        }));
    }

    /// Returns the key of what was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl ControlSink for ControlWriter {
    fn scalar(&mut self, value: i128) {
        self.bytes.push(SCALAR);
        self.bytes.extend(value.to_le_bytes());
    }

    /// Writes the entries. Takes 0.4 to 1.3 nanoseconds for each of at most 64 bits, 5 for others
    /// (one core of 2025).
    fn slice<T: Entry>(&mut self, entries: &[T]) {
        let narrow = narrow(entries);
        let width = narrow.unwrap_or_else(|| differences(entries).map(width).max().unwrap_or(0));
        self.bytes.push(SLICE);
        self.bytes.extend((entries.len() as i128).to_le_bytes());
        self.bytes.push(width as u8);
        match narrow {
            Some(1) => self.words::<1, T>(entries),
            Some(2) => self.words::<2, T>(entries),
            Some(4) => self.words::<4, T>(entries),
            Some(8) => self.words::<8, T>(entries),
            _ => {
                let all = differences(entries);
                all.for_each(|it| self.bytes.extend(&it.to_le_bytes()[..width]));
            }
        }
    }
}

/// Matcher of a call's control arguments: compares them with a key, up to the first difference.
#[derive(Clone, Debug)]
pub struct ControlMatcher<'k> {
    rest: &'k [u8],
    equal: bool,
    /// Entries of each slice that are compared.
    entries: usize,
    is_whole: bool,
}

/// Entries of a slice at which a [glance](ControlMatcher::glance) looks.
const GLANCE: usize = 16;

impl<'k> ControlMatcher<'k> {
    /// Makes a matcher for the key that a [`ControlWriter`] wrote.
    pub fn new(key: &'k [u8]) -> Self {
        Self {
            rest: key,
            equal: true,
            entries: usize::MAX,
            is_whole: true,
        }
    }

    /// Makes a matcher that compares of each slice the length and the first 16 entries: it may take
    /// others for equal.
    pub(crate) fn glance(key: &'k [u8]) -> Self {
        Self {
            entries: GLANCE,
            ..Self::new(key)
        }
    }

    /// Returns whether nothing was left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether exactly the arguments of the key were fed.
    pub fn matched(&self) -> bool {
        self.equal && self.rest.is_empty()
    }

    /// Goes on behind `bytes` if they are next. Compares so few without a call.
    #[inline]
    fn expect<const N: usize>(&mut self, bytes: [u8; N]) {
        match self.rest.split_first_chunk() {
            Some((first, rest)) if *first == bytes => self.rest = rest,
            _ => self.equal = false,
        }
    }

    /// Goes on behind `count` differences of `W` bytes, if those that are looked at are of these
    /// entries.
    fn expect_all<const W: usize, T: Entry>(&mut self, count: usize, entries: &[T]) {
        let Some((bytes, rest)) = count
            .checked_mul(W)
            .and_then(|size| self.rest.split_at_checked(size))
        else {
            self.equal = false;
            return;
        };
        let (all, _) = bytes.as_chunks();
        self.equal = are_differences::<W, T>(all, entries);
        self.rest = rest;
    }
}

impl ControlSink for ControlMatcher<'_> {
    #[inline]
    fn scalar(&mut self, value: i128) {
        self.expect([SCALAR]);
        self.expect(value.to_le_bytes());
    }

    fn slice<T: Entry>(&mut self, entries: &[T]) {
        let count = entries.len();
        self.expect([SLICE]);
        self.expect((count as i128).to_le_bytes());
        let Some((&width, rest)) = self.rest.split_first().filter(|_| self.equal) else {
            self.equal = false;
            return;
        };
        self.rest = rest;
        self.is_whole &= count <= self.entries;
        let entries = &entries[..count.min(self.entries)];
        match width {
            0 => self.equal = count == 0,
            1 => self.expect_all::<1, T>(count, entries),
            2 => self.expect_all::<2, T>(count, entries),
            4 => self.expect_all::<4, T>(count, entries),
            8 => self.expect_all::<8, T>(count, entries),
            _ => self.expect_all::<16, T>(count, entries),
        }
    }
}

/// Entries that are compared before it is asked whether one differs: a loop that is vectorised.
const BLOCK: usize = 128;

/// Compares the first differences of a key, as many as there are entries, with those of entries.
///
/// In 64 bits they may wrap round. Entry by entry that does no harm: two numbers of one type that
/// have 64 bits in common after equal ones are equal.
fn are_differences<const W: usize, T: Entry>(all: &[[u8; W]], entries: &[T]) -> bool {
    let Some(first) = entries.first().filter(|_| T::FITS && W <= 8) else {
        let numbers = all.iter().map(|&bytes| signed(bytes));
        return differences(entries)
            .zip(numbers)
            .all(|(difference, number)| difference == number);
    };
    // By numbers: `chunks` zipped divide for each slice, which takes longer than a glance at it.
    low(all[0]) == first.word()
        && (1..entries.len()).step_by(BLOCK).all(|start| {
            let count = BLOCK.min(entries.len() - start);
            let (before, after) = (&entries[start - 1..][..count], &entries[start..][..count]);
            let all = &all[start..][..count];
            // No iterators: in a debug build they take ten times as long.
            let (mut any, mut at) = (0, 0);
            while at < count {
                any |= after[at].word().wrapping_sub(before[at].word()) ^ low(all[at]);
                at += 1;
            }
            any == 0
        })
}

/// Returns the low 64 bits of the number that 1, 2, 4, 8 or 16 bytes are.
#[inline(always)]
fn low<const W: usize>(b: [u8; W]) -> u64 {
    match W {
        1 => b[0] as i8 as u64,
        2 => i16::from_le_bytes([b[0], b[1]]) as u64,
        4 => i32::from_le_bytes([b[0], b[1], b[2], b[3]]) as u64,
        _ => u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
    }
}

/// Returns the number that bytes are, the low one first.
fn signed<const W: usize>(bytes: [u8; W]) -> i128 {
    let mut high = [0; 16];
    high[16 - W..].copy_from_slice(&bytes);
    i128::from_le_bytes(high) >> (128 - 8 * W)
}

/// Returns each entry less the one before, the first less zero.
fn differences<T: Entry>(entries: &[T]) -> impl Iterator<Item = i128> {
    let mut last = 0i128;
    let numbers = entries.iter().map(|entry| entry.number());
    numbers.map(move |number| number.wrapping_sub(std::mem::replace(&mut last, number)))
}

/// Returns the bytes that differences take, the largest of all: 1, 2, 4 or 8, and 0 without
/// entries. There are none unless entries and differences are numbers of 64 bits with a sign.
fn narrow<T: Entry>(entries: &[T]) -> Option<usize> {
    let (mut last, mut any) = (0_i64, 0);
    for entry in entries {
        let word = entry.word() as i64;
        let is_itself = T::FITS && i128::from(word) == entry.number();
        let difference = word.checked_sub(last).filter(|_| is_itself)?;
        any |= difference ^ (difference >> 63);
        last = word;
    }
    match entries {
        [] => Some(0),
        _ => Some(width(i128::from(any))),
    }
}

/// Returns the bytes that a number takes: 1, 2, 4, 8 or 16.
fn width(number: i128) -> usize {
    let magnitude = number ^ (number >> 127);
    let bits = 129 - magnitude.leading_zeros();
    bits.div_ceil(8).next_power_of_two() as usize
}

/// Glance at control arguments, which takes no longer for long slices: other arguments mostly have
/// another hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Hash of all scalars, and of each slice's length and four entries.
    pub(crate) hash: u64,
    /// Entries of all slices.
    pub(crate) entries: usize,
}

impl Default for Glance {
    fn default() -> Self {
        Self {
            hash: 0xcbf2_9ce4_8422_2325,
            entries: 0,
        }
    }
}

impl Glance {
    #[inline]
    fn mix(&mut self, word: u64) {
        let mixed = (self.hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.hash = mixed ^ mixed >> 32;
    }
}

impl ControlSink for Glance {
    #[inline]
    fn scalar(&mut self, value: i128) {
        self.mix(value as u64 ^ (value >> 64) as u64);
    }

    fn slice<T: Entry>(&mut self, entries: &[T]) {
        self.entries += entries.len();
        self.mix(entries.len() as u64);
        if let [first, .., last] = entries {
            let third = entries.len() / 3;
            for entry in [first, &entries[third], &entries[2 * third], last] {
                self.mix(entry.word());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Argument {
        Scalar(i128),
        Slice(Vec<i128>),
    }

    fn feed<S: ControlSink>(sink: &mut S, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Scalar(value) => sink.scalar(*value),
                Argument::Slice(values) => sink.slice(values),
            }
        }
    }

    fn key(arguments: &[Argument]) -> Vec<u8> {
        let mut writer = ControlWriter::new();
        feed(&mut writer, arguments);
        writer.into_bytes()
    }

    fn fits(key: &[u8], arguments: &[Argument]) -> bool {
        let mut matcher = ControlMatcher::new(key);
        feed(&mut matcher, arguments);
        matcher.matched()
    }

    fn values() -> impl Strategy<Value = i128> {
        prop_oneof![-3..300i128, any::<i128>(), Just(i128::MIN), Just(i128::MAX)]
    }

    fn arguments() -> impl Strategy<Value = Vec<Argument>> {
        let argument = prop_oneof![
            values().prop_map(Argument::Scalar),
            proptest::collection::vec(values(), 0..4).prop_map(Argument::Slice)
        ];
        proptest::collection::vec(argument, 0..4)
    }

    proptest! {
        #[test]
        fn equal_arguments_match_and_others_do_not(a in arguments(), b in arguments()) {
            let key_a = key(&a);
            prop_assert!(fits(&key_a, &a));
            prop_assert_eq!(fits(&key_a, &b), a == b);
            prop_assert_eq!(key_a == key(&b), a == b);
        }
    }

    /// Returns entries of a type, many of them beside each other, and others that differ in one at
    /// least.
    fn near<T>() -> impl Strategy<Value = (Vec<T>, Vec<T>)>
    where
        T: Entry + Arbitrary + PartialEq + 'static,
    {
        let entries = proptest::collection::vec(any::<T>(), 1..3 * BLOCK);
        let other = (entries, any::<proptest::sample::Index>(), any::<T>());
        other.prop_filter_map("another entry", |(entries, at, entry)| {
            let mut others = entries.clone();
            let at = at.index(others.len());
            let is_other = others[at] != entry;
            others[at] = entry;
            is_other.then_some((entries, others))
        })
    }

    fn fits_itself_alone<T: Entry>((entries, others): (Vec<T>, Vec<T>)) -> bool {
        let mut writer = ControlWriter::new();
        writer.slice(&entries);
        let key = writer.into_bytes();
        let numbers: Vec<i128> = entries.iter().map(|entry| entry.number()).collect();
        let mut of_numbers = ControlWriter::new();
        of_numbers.slice(&numbers);
        assert_eq!(key, of_numbers.into_bytes(), "whatever the type");
        let fits = |entries: &[T]| {
            let mut matcher = ControlMatcher::new(&key);
            matcher.slice(entries);
            matcher.matched()
        };
        fits(&entries) && !fits(&others) && !fits(&entries[1..])
    }

    proptest! {
        #[test]
        fn entries_of_every_type_fit_themselves_alone(
            flags in near::<bool>(), bytes in near::<u8>(), signed in near::<i8>(),
            short in near::<u16>(), words in near::<u64>(), whole in near::<i64>(),
            sizes in near::<usize>(), wide in near::<u128>(), short_signed in near::<i16>(),
            half in near::<u32>(), half_signed in near::<i32>(), offsets in near::<isize>(),
            widest in near::<i128>(),
        ) {
            let fit = [
                fits_itself_alone(flags), fits_itself_alone(bytes), fits_itself_alone(signed),
                fits_itself_alone(short), fits_itself_alone(short_signed), fits_itself_alone(half),
                fits_itself_alone(half_signed), fits_itself_alone(words), fits_itself_alone(whole),
                fits_itself_alone(sizes), fits_itself_alone(offsets), fits_itself_alone(wide),
                fits_itself_alone(widest),
            ];
            prop_assert_eq!(fit, [true; 13]);
        }

        /// As `row` and `col` of a matrix are: in all widths.
        #[test]
        fn one_entry_of_many_counts(
            width in 0..5u32, length in 1..3 * BLOCK, at in any::<proptest::sample::Index>(),
            by in 1..100usize,
        ) {
            let step = (1usize << (8 * width)) - 1;
            let entries: Vec<usize> = (0..length).map(|i| i * step).collect();
            let mut others = entries.clone();
            others[at.index(length)] += by;
            prop_assert!(fits_itself_alone((entries, others)));
        }
    }

    #[test]
    fn a_glance_sees_lengths_and_first_entries() {
        let pattern = |length: i128, at: usize| {
            let mut values: Vec<i128> = (0..length).collect();
            values[at] += 1;
            [Argument::Scalar(3), Argument::Slice(values)]
        };
        let glances = |key: &[u8], arguments: &[Argument]| {
            let mut matcher = ControlMatcher::glance(key);
            feed(&mut matcher, arguments);
            (matcher.matched(), matcher.is_whole())
        };
        let long = key(&pattern(40, 30));
        assert_eq!(glances(&long, &pattern(40, 30)), (true, false));
        assert_eq!(glances(&long, &pattern(40, 31)), (true, false));
        assert!(!glances(&long, &pattern(40, 15)).0);
        assert!(!glances(&long, &pattern(41, 30)).0);
        let short = key(&pattern(16, 8));
        assert_eq!(glances(&short, &pattern(16, 8)), (true, true));
        assert!(!glances(&short, &pattern(16, 15)).0);
    }

    #[test]
    fn a_sorted_pattern_takes_a_byte_for_each_entry() {
        let row: Vec<i128> = (0..1000).map(|i| 5 * i).collect();
        assert_eq!(key(&[Argument::Slice(row)]).len(), 1 + 16 + 1 + 1000);
    }

    #[test]
    fn differences_take_the_least_width() {
        for (number, bytes) in [
            (0, 1),
            (127, 1),
            (-128, 1),
            (128, 2),
            (-129, 2),
            (i128::MAX, 16),
            (i128::MIN, 16),
        ] {
            assert_eq!(width(number), bytes, "{number}");
        }
    }

    #[test]
    fn a_prefix_does_not_match() {
        let long = [Argument::Scalar(7), Argument::Slice(vec![1, 2, 3])];
        assert!(!fits(&key(&long), &long[..1]));
        assert!(!fits(&key(&long[..1]), &long));
        assert!(!fits(
            &key(&long),
            &[Argument::Scalar(7), Argument::Slice(vec![1, 2])]
        ));
    }
}
