//! Control arguments as bytes: what an instance was built for, and whether a call fits it.
//!
//! An instance is keyed by *all* control arguments of its kernel: sizes, the contents of `#[structure]` slices, lengths. The build
//! side writes them once with a [`ControlWriter`]; a call feeds the same arguments to a [`ControlMatcher`], which compares without
//! allocating, at one to three nanoseconds for each entry of a slice.
//!
//! The encoding is a list of entries: a scalar is the byte 0 and the value, a slice is the byte 1, its length, and the difference of
//! each entry to the one before. Values are zigzag varints, so a sorted pattern takes about a byte for each entry.
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
        each_byte(zigzag(value), |byte| self.bytes.push(byte));
    }

    fn slice(&mut self, values: impl ExactSizeIterator<Item = i128> + Clone) {
        self.bytes.push(SLICE);
        each_byte(values.len() as u128, |byte| self.bytes.push(byte));
        let mut last = 0i128;
        for value in values {
            each_byte(zigzag(value.wrapping_sub(last)), |byte| {
                self.bytes.push(byte)
            });
            last = value;
        }
    }
}

/// Compares the control arguments of a call with a key. After the first difference it only waits for the end.
#[derive(Clone, Debug)]
pub struct ControlMatcher<'k> {
    rest: &'k [u8],
    equal: bool,
}

impl<'k> ControlMatcher<'k> {
    /// A matcher for the key that a [`ControlWriter`] wrote.
    pub fn new(key: &'k [u8]) -> Self {
        Self {
            rest: key,
            equal: true,
        }
    }

    /// Whether exactly the arguments of the key were fed.
    pub fn matched(&self) -> bool {
        self.equal && self.rest.is_empty()
    }

    fn byte(&mut self, byte: u8) {
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => self.rest = rest,
            _ => self.equal = false,
        }
    }

    fn varint(&mut self, value: u128) {
        match self.rest.split_first() {
            Some((&first, rest)) if value < 0x80 && u128::from(first) == value => self.rest = rest,
            _ => each_byte(value, |byte| self.byte(byte)),
        }
    }
}

impl ControlSink for ControlMatcher<'_> {
    fn scalar(&mut self, value: i128) {
        if self.equal {
            self.byte(SCALAR);
            self.varint(zigzag(value));
        }
    }

    fn slice(&mut self, values: impl ExactSizeIterator<Item = i128> + Clone) {
        if self.equal {
            self.byte(SLICE);
            self.varint(values.len() as u128);
        }
        let mut last = 0i128;
        for value in values {
            if !self.equal {
                return;
            }
            self.varint(zigzag(value.wrapping_sub(last)));
            last = value;
        }
    }
}

/// 0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ...
fn zigzag(value: i128) -> u128 {
    ((value << 1) ^ (value >> 127)).cast_unsigned()
}

/// The bytes of a varint: seven bits each, low ones first, the high bit set in all but the last.
fn each_byte(mut value: u128, mut byte: impl FnMut(u8)) {
    while value >= 0x80 {
        byte((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    byte(value as u8);
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
    fn a_sorted_pattern_takes_a_byte_for_each_entry() {
        let row: Vec<i128> = (0..1000).map(|i| 5 * i).collect();
        assert_eq!(key(&[Argument::Slice(row)]).len(), 1 + 2 + 1000);
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
