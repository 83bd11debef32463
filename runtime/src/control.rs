//! Control arguments as bytes: what an instance was built for, and whether a call fits it.
//!
//! An instance is keyed by *all* control arguments of its kernel: sizes, the contents of `#[structure]` slices, lengths. The build
//! side writes them once with a [`ControlWriter`]; a call feeds the same arguments to a [`ControlMatcher`], which compares without
//! allocating, at a nanosecond or two for each entry of a slice.
//!
//! The encoding is a list of entries, all numbers signed and with the low byte first. A scalar is the byte 0 and 16 bytes. A slice is
//! the byte 1, its length in 16 bytes, a width in one byte (0 for no entries, else 1, 2, 4, 8 or 16), and then, in that many bytes each,
//! the difference of each entry to the one before, of the first to zero. The width is the least that holds all differences: a sorted
//! pattern mostly takes one or two bytes for each entry.
//!
//! ```
//! use superstep_runtime::control::{ControlMatcher, ControlSink, ControlWriter};
//!
//! fn control<S: ControlSink>(sink: &mut S, n: usize, row: &[usize]) {
//!     sink.scalar(n as i128);
//!     sink.slice(row.iter().map(|&entry| entry as i128));
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

/// Where a kernel's control arguments go, in the order of its parameters.
pub trait ControlSink {
    /// An integer (a size, a length, a flag as 0 or 1).
    fn scalar(&mut self, value: i128);
    /// The entries of a `#[structure]` slice.
    fn slice(&mut self, values: impl ExactSizeIterator<Item = i128> + Clone);
}

/// Writes the key of an instance.
#[derive(Clone, Debug, Default)]
pub struct ControlWriter {
    bytes: Vec<u8>,
}

impl ControlWriter {
    /// A writer of an empty key.
    pub fn new() -> Self {
        Self::default()
    }

    /// The key of what was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl ControlSink for ControlWriter {
    fn scalar(&mut self, value: i128) {
        self.bytes.push(SCALAR);
        self.bytes.extend(value.to_le_bytes());
    }

    fn slice(&mut self, values: impl ExactSizeIterator<Item = i128> + Clone) {
        let width = differences(values.clone()).map(width).max().unwrap_or(0);
        self.bytes.push(SLICE);
        self.bytes.extend((values.len() as i128).to_le_bytes());
        self.bytes.push(width as u8);
        for difference in differences(values) {
            self.bytes.extend(&difference.to_le_bytes()[..width]);
        }
    }
}

/// Compares the control arguments of a call with a key, up to the first difference.
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
    /// A matcher for the key that a [`ControlWriter`] wrote.
    pub fn new(key: &'k [u8]) -> Self {
        Self {
            rest: key,
            equal: true,
            entries: usize::MAX,
            is_whole: true,
        }
    }

    /// A matcher that compares of each slice the length and the first 16 entries: it may take others
    /// for equal.
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

    /// Whether exactly the arguments of the key were fed.
    pub fn matched(&self) -> bool {
        self.equal && self.rest.is_empty()
    }

    /// Goes on behind `bytes` if they are next. So few are compared without a call.
    #[inline]
    fn expect<const N: usize>(&mut self, bytes: [u8; N]) {
        match self.rest.split_first_chunk() {
            Some((first, rest)) if *first == bytes => self.rest = rest,
            _ => self.equal = false,
        }
    }

    /// Goes on behind `count` numbers of `W` bytes if they are those.
    fn expect_all<const W: usize>(&mut self, count: usize, numbers: impl Iterator<Item = i128>) {
        let Some((bytes, rest)) = count
            .checked_mul(W)
            .and_then(|size| self.rest.split_at_checked(size))
        else {
            self.equal = false;
            return;
        };
        self.equal = bytes.chunks_exact(W).zip(numbers).all(|(bytes, number)| {
            let mut high = [0; 16];
            high[16 - W..].copy_from_slice(bytes);
            i128::from_le_bytes(high) >> (128 - 8 * W) == number
        });
        self.rest = rest;
    }
}

impl ControlSink for ControlMatcher<'_> {
    #[inline]
    fn scalar(&mut self, value: i128) {
        self.expect([SCALAR]);
        self.expect(value.to_le_bytes());
    }

    fn slice(&mut self, values: impl ExactSizeIterator<Item = i128> + Clone) {
        let count = values.len();
        self.expect([SLICE]);
        self.expect((count as i128).to_le_bytes());
        let Some((&width, rest)) = self.rest.split_first().filter(|_| self.equal) else {
            self.equal = false;
            return;
        };
        self.rest = rest;
        self.is_whole &= count <= self.entries;
        let differences = differences(values).take(self.entries);
        match width {
            0 => self.equal = count == 0,
            1 => self.expect_all::<1>(count, differences),
            2 => self.expect_all::<2>(count, differences),
            4 => self.expect_all::<4>(count, differences),
            8 => self.expect_all::<8>(count, differences),
            _ => self.expect_all::<16>(count, differences),
        }
    }
}

/// Each value less the one before, the first less zero.
fn differences(values: impl Iterator<Item = i128>) -> impl Iterator<Item = i128> {
    let mut last = 0i128;
    values.map(move |value| value.wrapping_sub(std::mem::replace(&mut last, value)))
}

/// Bytes that a number takes: 1, 2, 4, 8 or 16.
fn width(number: i128) -> usize {
    let magnitude = number ^ (number >> 127);
    let bits = 129 - magnitude.leading_zeros();
    bits.div_ceil(8).next_power_of_two() as usize
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
                Argument::Slice(values) => sink.slice(values.iter().copied()),
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
