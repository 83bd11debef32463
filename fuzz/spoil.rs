//! Spoiled files, and the memory that reading them takes: for the tests of each parser and decoder.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Numbers at which parsers stumble.
const EXTREMES: [&[u8]; 15] = [
    b"0",
    b"-1",
    b"+5",
    b"1e3",
    b"1e400",
    b"nan",
    b"2147483647",
    b"2147483648",
    b"4294967295",
    b"4294967296",
    b"9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"",
];

/// LEB128 forms of such numbers: 2^31, 2^32 - 1, 2^32, 2^63, 2^64 - 1, 2^70 and a number without an
/// end.
const WIDE: [&[u8]; 7] = [
    b"\x80\x80\x80\x80\x08",
    b"\xff\xff\xff\xff\x0f",
    b"\x80\x80\x80\x80\x10",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
];

/// Mutation of a file at a place of it.
#[derive(Clone, Debug)]
pub(crate) enum Spoil {
    /// Sets a byte.
    Set(u8),
    /// Flips a bit.
    Flip(u8),
    /// Inserts bytes.
    Insert(Vec<u8>),
    /// Cuts out so many bytes.
    Cut(usize),
    /// Cuts off the rest.
    End,
    /// Repeats a line so often.
    Repeat(usize),
    /// Cuts out a line.
    Drop,
    /// Replaces the number in digits that comes next.
    Number(&'static [u8]),
}

/// Makes files from `valid` by up to four mutations.
pub(crate) fn spoiled(valid: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let noise = prop::collection::vec(any::<u8>(), 1..20);
    let signs = select(&b"0 \n%[]{};=->\"\\/*<+:,"[..]);
    let spoil = prop_oneof![
        1 => any::<u8>().prop_map(Spoil::Set),
        1 => signs.prop_map(Spoil::Set),
        1 => (0..8_u8).prop_map(Spoil::Flip),
        1 => noise.prop_map(Spoil::Insert),
        1 => select(&WIDE[..]).prop_map(|bytes| Spoil::Insert(bytes.to_vec())),
        1 => (1..20_usize).prop_map(Spoil::Cut),
        1 => Just(Spoil::End),
        1 => (1..4_usize).prop_map(Spoil::Repeat),
        1 => Just(Spoil::Drop),
        4 => select(&EXTREMES[..]).prop_map(Spoil::Number),
    ];
    prop::collection::vec((any::<Index>(), spoil), 1..5).prop_map(move |spoils| {
        let mut bytes = valid.clone();
        for (place, spoil) in spoils {
            apply(&mut bytes, place.index(valid.len() + 1), &spoil);
        }
        bytes
    })
}

fn apply(bytes: &mut Vec<u8>, at: usize, spoil: &Spoil) {
    let at = at.min(bytes.len());
    let line = || {
        let start = bytes[..at].iter().rposition(|&b| b == b'\n');
        let end = bytes[at..].iter().position(|&b| b == b'\n');
        start.map_or(0, |s| s + 1)..end.map_or(bytes.len(), |e| at + e + 1)
    };
    match spoil {
        Spoil::Set(byte) => bytes.iter_mut().skip(at).take(1).for_each(|b| *b = *byte),
        Spoil::Flip(bit) => bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|b| *b ^= 1 << bit),
        Spoil::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
        Spoil::Cut(count) => drop(bytes.drain(at..(at + count).min(bytes.len()))),
        Spoil::End => bytes.truncate(at),
        Spoil::Repeat(times) => {
            let line = line();
            let more = bytes[line.clone()].repeat(*times);
            drop(bytes.splice(line.end..line.end, more));
        }
        Spoil::Drop => drop(bytes.drain(line())),
        Spoil::Number(extreme) => {
            let digits = |b: &u8| b.is_ascii_digit();
            if let Some(start) = bytes[at..].iter().position(digits).map(|s| at + s) {
                let length = bytes[start..].iter().position(|b| !digits(b));
                let end = length.map_or(bytes.len(), |length| start + length);
                drop(bytes.splice(start..end, extreme.iter().copied()));
            }
        }
    }
}

/// Allocator of the system that counts for each thread the bytes in use.
pub(crate) struct Counting;

thread_local! {
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    let in_use = IN_USE.get() + bytes;
    IN_USE.set(in_use);
    PEAK.set(PEAK.get().max(in_use));
}

// SAFETY: each call goes to the system's allocator as it is, and its result comes back as it is.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, bytes: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(bytes, layout) }
    }

    /// Counts old and new at once: the system may have to copy.
    unsafe fn realloc(&self, bytes: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize);
        count(-(layout.size() as isize));
        unsafe { System.realloc(bytes, layout, size) }
    }
}

/// Returns what `run` gives, and the most bytes that it had in use at a time.
pub(crate) fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.get();
    PEAK.set(before);
    let result = run();
    (result, (PEAK.get() - before) as usize)
}
