//! Words of arrays as generated code sees them, wherever they are.
//!
//! A processor's private arrays are `Vec`s. An argument of the caller can also be *lent* to all
//! processors at once. Then each reads the others' values where they were written, and no message
//! carries them. Rust's references cannot say that several threads write one slice at different
//! places. So a lent array is a pointer, and the references made from it cover only the words of
//! one run.
//!
//! # Why that is sound
//! *Bounds*: every access is checked, by word or by slice, before a pointer is followed. Those of
//! plans are not: their [proofs](proved) have seen them all.
//!
//! *Lifetime*: a [`Permit`] is what turns a lent array into [`Words`]. Only a `Loan` gives permits:
//! it borrows the caller's arguments mutably, and does not end before every use of a permit has
//! ended.
//!
//! *Races*: of two processors that access a word, one of them to write it, one waits before its
//! superstep. It waits until the other has ended the superstep of its access
//! ([`Synchronisation`](superstep_plan::synchronisation::Synchronisation)), and ending happens
//! before waiting ends. The generator's replay tests that for every access of every program that
//! shares arrays. Who hands the runtime a plan with [shared](superstep_plan::Plan::shared) arrays
//! by another way than a generated file (a test of the runtime) answers for that.
//!
//! Within one thread the borrow checker does the rest: slices are borrowed from the `Words`.
//!
//! [`vectors`] says how many words a loop works on at a time, [`packed`] deals with words that
//! stand apart, `proved` with the words of plans. Three more files have `unsafe` code in this
//! project, and tests of theirs: `fork`, `float_mode` and `library`, which deal with the system and
//! the processor.
//!
//! Miri runs it: `cargo +nightly miri test -p superstep-runtime --lib words`, and with
//! `--test in_place` whole runs that share an array (under `MIRIFLAGS=-Zmiri-ignore-leaks`: idle
//! threads outlive the test).

pub mod packed;
#[cfg(feature = "plan")]
pub mod proved;
mod rows;
pub mod vectors;

pub use rows::Rows;

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::sync::{PoisonError, RwLock};

/// Array of the caller, lent to all processors of a run.
#[derive(Debug)]
pub struct Lent<T> {
    start: *mut T,
    len: usize,
}

impl<T> Clone for Lent<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<T> {}

// SAFETY: what other threads do with the pointer is read and write words of type T, by the rules
// above.
unsafe impl<T: Send + Sync> Send for Lent<T> {}
// SAFETY: as for `Send`; a `Lent` has no state of its own.
unsafe impl<T: Send + Sync> Sync for Lent<T> {}

impl<T> Lent<T> {
    /// Lends an argument that the program may write.
    pub fn new(words: &mut [T]) -> Self {
        Self {
            start: words.as_mut_ptr(),
            len: words.len(),
        }
    }

    /// Returns the array as one processor sees it.
    pub fn words<'v>(&self, _: Permit<'v>) -> Words<'v, T> {
        Words {
            start: self.start,
            len: self.len,
            lifetime: PhantomData,
        }
    }
}

/// Argument that the program only reads, lent to all processors of a run.
#[derive(Debug)]
pub struct LentInput<T> {
    start: *const T,
    len: usize,
}

impl<T> Clone for LentInput<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LentInput<T> {}

// SAFETY: other threads only read words of type T through the pointer.
unsafe impl<T: Sync> Send for LentInput<T> {}
// SAFETY: as for `Send`.
unsafe impl<T: Sync> Sync for LentInput<T> {}

impl<T> LentInput<T> {
    /// Lends an argument.
    pub fn new(words: &[T]) -> Self {
        Self {
            start: words.as_ptr(),
            len: words.len(),
        }
    }

    /// Returns the array.
    pub fn slice<'v>(&self, _: Permit<'v>) -> &'v [T] {
        // SAFETY: pointer and length are of a slice that the permit's loan borrows for 'v at least,
        // and nobody writes it.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// Permit to use the arrays of one loan for the time `'v`.
#[derive(Clone, Copy, Debug)]
pub struct Permit<'v>(PhantomData<&'v ()>);

/// Loan of the arguments of a call to all processors while it runs.
#[derive(Debug)]
pub(crate) struct Loan<L>(RwLock<Option<L>>);

impl<L> Default for Loan<L> {
    fn default() -> Self {
        Self(RwLock::new(None))
    }
}

impl<L> Loan<L> {
    /// Lends what `lend` makes of `arguments` while `run` runs, and until all uses have ended.
    pub(crate) fn during<A, R>(
        &self,
        arguments: &mut A,
        lend: impl FnOnce(&mut A) -> Option<L>,
        run: impl FnOnce() -> R,
    ) -> R {
        /// Ends the loan even if `run` unwinds.
        struct End<'a, L>(&'a RwLock<Option<L>>);
        impl<L> Drop for End<'_, L> {
            fn drop(&mut self) {
                *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
        let lent = lend(arguments);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = lent;
        let _end = End(&self.0);
        run()
    }

    /// Uses what is lent at the moment, if anything is.
    pub(crate) fn with<R>(&self, using: impl FnOnce(Option<(&L, Permit<'_>)>) -> R) -> R {
        let lent = self.0.read().unwrap_or_else(PoisonError::into_inner);
        using(lent.as_ref().map(|lent| (lent, Permit(PhantomData))))
    }
}

/// Array of one processor, or one that all processors have in common.
#[derive(Debug)]
pub struct Words<'v, T> {
    start: *mut T,
    len: usize,
    lifetime: PhantomData<&'v mut [T]>,
}

impl<'v, T> From<&'v mut [T]> for Words<'v, T> {
    fn from(words: &'v mut [T]) -> Self {
        Self {
            start: words.as_mut_ptr(),
            len: words.len(),
            lifetime: PhantomData,
        }
    }
}

impl<T> Index<usize> for Words<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        self.check(at, 1);
        // SAFETY: in bounds, and no other processor writes the word now.
        unsafe { &*self.start.add(at) }
    }
}

impl<T> IndexMut<usize> for Words<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        self.check(at, 1);
        // SAFETY: in bounds, and no other processor accesses the word now.
        unsafe { &mut *self.start.add(at) }
    }
}

/// Word of a nested array by the number of its block, which has `N` words, and its place there.
///
/// Two tests stand for one of the flat index. Compilers know the number of words and leave the
/// second one out, and the first one is the same for all words of a block. So a plan of cosine
/// transforms of 8 x 8 pixels takes 0.4 of the time.
#[derive(Clone, Copy, Debug)]
pub struct Inside<const N: usize>(pub usize, pub usize);

impl<const N: usize> Inside<N> {
    /// Returns the flat index in an array of that length.
    ///
    /// # Panics
    /// When the block is not all in the array, or the place not in the block.
    #[inline(always)]
    fn flat(self, len: usize) -> usize {
        let Self(block, place) = self;
        if len.checked_div(N).is_none_or(|blocks| block >= blocks) || place >= N {
            outside(block.saturating_mul(N).saturating_add(place), 1, len);
        }
        block * N + place
    }
}

impl<T, const N: usize> Index<Inside<N>> for Words<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, at: Inside<N>) -> &T {
        let flat = at.flat(self.len);
        // SAFETY: in bounds, and no other processor writes the word now.
        unsafe { &*self.start.add(flat) }
    }
}

impl<T, const N: usize> IndexMut<Inside<N>> for Words<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, at: Inside<N>) -> &mut T {
        let flat = at.flat(self.len);
        // SAFETY: in bounds, and no other processor accesses the word now.
        unsafe { &mut *self.start.add(flat) }
    }
}

impl<T> Words<'_, T> {
    /// Borrows the array, as a value that a compiler keeps in registers. Behind a reference, where
    /// an array is may have changed with each word that is written.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Words<'_, T> {
        Words {
            start: self.start,
            len: self.len,
            lifetime: PhantomData,
        }
    }

    #[inline(always)]
    fn check(&self, at: usize, count: usize) {
        if at > self.len || count > self.len - at {
            outside(at, count, self.len);
        }
    }

    /// Returns the `count` words from `at`, which the run only reads.
    ///
    /// # Panics
    /// When they are not all in the array.
    #[inline(always)]
    pub fn slice(&self, at: usize, count: usize) -> &[T] {
        self.check(at, count);
        // SAFETY: in bounds, and no processor writes these words now.
        unsafe { std::slice::from_raw_parts(self.start.add(at), count) }
    }

    /// Splits the array: the words that a run writes, as (start, count) of each part, and the
    /// [`Window`] around them. None if the parts overlap.
    ///
    /// # Panics
    /// When a part is not all in the array.
    #[inline(always)]
    pub fn window<const PARTS: usize>(
        &mut self,
        parts: [(usize, usize); PARTS],
    ) -> Option<([&mut [T]; PARTS], Window<'_, T, PARTS>)> {
        let start = self.start;
        let window = self.around(parts)?;
        // SAFETY: in bounds, disjoint from each other and from what the window gives out, all
        // borrowed from `self`. And no other processor accesses these words now.
        let written = parts
            .map(|(at, count)| unsafe { std::slice::from_raw_parts_mut(start.add(at), count) });
        Some((written, window))
    }

    /// Splits the array as [`window`](Self::window) does, into disjoint [`Row`]s. Each is (start,
    /// span, first place that is written, their number). The window has what is only read of them,
    /// too, and other processors may read it.
    ///
    /// # Panics
    /// When a row is not all in the array, or what is written not all in the row.
    #[inline(always)]
    pub fn rows<const PARTS: usize>(
        &mut self,
        rows: [(usize, usize, usize, usize); PARTS],
    ) -> Option<([Row<'_, T>; PARTS], Window<'_, T, PARTS>)> {
        let start = self.start;
        let window = self.around(rows.map(|(at, span, ..)| (at, span)))?;
        for (_, span, first, written) in rows {
            if first > span || written > span - first {
                outside(first, written, span);
            }
        }
        let window = Window {
            parts: rows.map(|(at, _, first, written)| (at + first, written)),
            ..window
        };
        let rows = rows.map(|(at, span, first, written)| Row {
            start: start.wrapping_add(at),
            span,
            first,
            written,
            lifetime: PhantomData,
        });
        Some((rows, window))
    }

    /// Returns the window around parts, if they are disjoint.
    #[inline(always)]
    fn around<const PARTS: usize>(
        &mut self,
        parts: [(usize, usize); PARTS],
    ) -> Option<Window<'_, T, PARTS>> {
        for (n, &(at, count)) in parts.iter().enumerate() {
            self.check(at, count);
            if parts[..n].iter().any(|&part| overlap(part, (at, count))) {
                return None;
            }
        }
        Some(Window {
            words: self.reborrow(),
            parts,
        })
    }

    /// Returns the row of `span` words from `at`, of which single ones are used.
    ///
    /// # Panics
    /// When they are not all in the array.
    #[inline(always)]
    pub fn row(&mut self, at: usize, span: usize) -> Row<'_, T> {
        self.check(at, span);
        Row {
            start: self.start.wrapping_add(at),
            span,
            first: 0,
            written: span,
            lifetime: PhantomData,
        }
    }
}

/// Panics for words outside an array. Takes values, not references, so that what is checked can
/// stay in registers.
#[cold]
#[inline(never)]
fn outside(at: usize, count: usize, len: usize) -> ! {
    panic!("{count} words from {at} are not in an array of {len}")
}

#[inline(always)]
fn overlap((a, a_count): (usize, usize), (b, b_count): (usize, usize)) -> bool {
    a < b + b_count && b < a + a_count
}

/// Window of the words of an array around those that a run writes.
#[derive(Debug)]
pub struct Window<'a, T, const PARTS: usize> {
    words: Words<'a, T>,
    parts: [(usize, usize); PARTS],
}

impl<'a, T: Copy, const PARTS: usize> Window<'a, T, PARTS> {
    /// Returns the `count` words from `at`, or `None` where one of them is written.
    ///
    /// # Panics
    /// When they are not all in the array.
    #[inline(always)]
    pub fn slice(&self, at: usize, count: usize) -> Option<&'a [T]> {
        self.words.check(at, count);
        if self.parts.iter().any(|&part| overlap(part, (at, count))) {
            return None;
        }
        // SAFETY: in bounds, none of the words that the window's run writes, and no other processor
        // writes them now.
        Some(unsafe { std::slice::from_raw_parts(self.words.start.add(at), count) })
    }

    /// Returns the word at `at`, or `None` where it is written.
    ///
    /// # Panics
    /// When it is not in the array.
    #[inline(always)]
    pub fn word(&self, at: usize) -> Option<T> {
        self.slice(at, 1).map(|words| words[0])
    }

    /// Returns the `count` words from each of several places, or `None` where one of them is
    /// written.
    ///
    /// One test of all that lies between the places is enough for most runs.
    ///
    /// # Panics
    /// When they are not all in the array.
    #[inline(always)]
    pub fn slices<const N: usize>(&self, at: [usize; N], count: usize) -> Option<[&'a [T]; N]> {
        let (first, last) = at.iter().fold((usize::MAX, 0), |(first, last), &at| {
            (first.min(at), last.max(at))
        });
        // Without overflow, so that a span that fits has nothing outside.
        let span = last.saturating_sub(first).saturating_add(count);
        if N == 0 || self.slice(first, span).is_none() {
            self.apart(&at, count)?;
        }
        // A loop, as `map` is a call where `N` is large.
        let mut slices: [&[T]; N] = [&[]; N];
        for (slice, at) in slices.iter_mut().zip(at) {
            // SAFETY: it lies in a slice that `slice` has given, here or in `apart`.
            *slice = unsafe { std::slice::from_raw_parts(self.words.start.add(at), count) };
        }
        Some(slices)
    }

    /// Returns the words at several places, or `None` where one of them is written.
    ///
    /// # Panics
    /// When they are not all in the array.
    #[inline(always)]
    pub fn words<const N: usize>(&self, at: [usize; N]) -> Option<[T; N]> {
        let slices = self.slices(at, 1)?;
        let Some(first) = slices.first() else {
            return Some(slices.map(|words| words[0]));
        };
        // As in `slices`.
        let mut words = [first[0]; N];
        for (word, slice) in words.iter_mut().zip(slices) {
            *word = slice[0];
        }
        Some(words)
    }

    /// Checks each of these slices by itself: `None` where one cannot be given.
    #[cold]
    #[inline(never)]
    fn apart(&self, at: &[usize], count: usize) -> Option<()> {
        at.iter()
            .try_for_each(|&at| self.slice(at, count).map(|_| ()))
    }
}

/// Row of an array: some of its words, by their places in it. Other processors may have the words
/// between.
#[derive(Debug)]
pub struct Row<'a, T> {
    start: *mut T,
    span: usize,
    /// First place that may be written, and the number of such places.
    first: usize,
    written: usize,
    lifetime: PhantomData<&'a mut [T]>,
}

impl<T> Index<usize> for Row<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: usize) -> &T {
        if place >= self.span {
            outside(place, 1, self.span);
        }
        // SAFETY: the row is in bounds, and no other processor writes the word now.
        unsafe { &*self.start.add(place) }
    }
}

impl<T> IndexMut<usize> for Row<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, place: usize) -> &mut T {
        if place.wrapping_sub(self.first) >= self.written {
            outside(place, 1, self.first + self.written);
        }
        // SAFETY: the row is in bounds. Nothing else of the run refers to the word, as no window
        // has it, and no other processor accesses it now.
        unsafe { &mut *self.start.add(place) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lent, LentInput, Loan, Words};

    #[test]
    fn reads_around_but_never_inside_what_is_written() {
        let mut array = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut words = Words::from(&mut array[..]);
        let ([written], window) = words.window([(3, 2)]).expect("one part overlaps nothing");
        assert_eq!(written, [3, 4]);
        assert_eq!(window.slice(0, 3), Some(&[0, 1, 2][..]));
        assert_eq!(window.slice(5, 3), Some(&[5, 6, 7][..]));
        assert_eq!(window.slice(2, 2), None);
        assert_eq!(window.slice(4, 2), None);
        assert_eq!(window.slice(2, 4), None);
        let around = [2, 3, 5].map(|at| window.word(at));
        assert_eq!(around, [Some(2), None, Some(5)]);
        written[0] += around[0].unwrap_or(0);
        assert_eq!((words[3], words.slice(6, 2)), (5, &[6, 7][..]));
    }

    #[test]
    fn rows_reach_the_words_behind_those_that_are_written() {
        let mut array = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut words = Words::from(&mut array[..]);
        let rows = words.rows([(0, 3, 0, 2), (5, 2, 1, 1)]);
        let ([mut low, mut high], around) = rows.expect("they are apart");
        // What is only read of a row is around what is written, too.
        assert_eq!(around.slice(2, 4), Some(&[2, 3, 4, 5][..]));
        assert_eq!((around.slice(1, 2), around.slice(5, 2)), (None, None));
        for x in 0..2 {
            low[x] = 10 * low[x + 1];
            high[1] += low[x];
        }
        assert_eq!((low[2], high[0], high[1]), (2, 5, 36));
        let fails = |access: &mut dyn FnMut()| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(access)).is_err()
        };
        assert!(
            fails(&mut || assert_eq!(high[2], 7)),
            "it has no more words"
        );
        assert!(fails(&mut || high[0] = 0), "it may not write this one");
        assert!(fails(&mut || low[2] = 0), "nor this one");
        assert!(words.rows([(0, 3, 0, 1), (2, 1, 0, 1)]).is_none());
        for row in [(0, 3, 2, 2), (0, 3, 4, 0)] {
            assert!(
                fails(&mut || assert!(words.rows([row]).is_some())),
                "{row:?}"
            );
        }
        assert_eq!(array, [10, 20, 2, 3, 4, 5, 36, 7]);
    }

    #[test]
    fn several_slices_are_given_whatever_lies_between_them() {
        let mut array = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut words = Words::from(&mut array[..]);
        let ([written], window) = words.window([(3, 2)]).expect("one part overlaps nothing");
        // On one side of what is written, on both, and over it.
        assert_eq!(window.slices([6, 5], 2), Some([&[6, 7][..], &[5, 6]]));
        let around = window.slices([0, 6], 2);
        assert_eq!(around, Some([&[0, 1][..], &[6, 7]]));
        assert_eq!(window.slices([0, 4], 2), None);
        assert_eq!(window.words([7, 2, 0]), Some([7, 2, 0]));
        assert_eq!(window.words([7, 3, 0]), None);
        assert_eq!(window.slices([], 2), Some([]));
        written[0] = around.map_or(0, |[first, _]| first[1]);
        assert_eq!(words[3], 1);
        for at in [[0, 7], [usize::MAX, 0]] {
            let outside = std::panic::catch_unwind(move || {
                let mut array = [0; 8];
                let mut words = Words::from(&mut array[..]);
                let (_, window) = words.window([(3, 1)]).expect("one part");
                window.slices(at, 2).map(|_| ())
            });
            assert!(outside.is_err(), "{at:?}");
        }
    }

    #[test]
    fn parts_that_overlap_are_no_window() {
        let mut array = [0; 8];
        let mut words = Words::from(&mut array[..]);
        assert!(words.window([(0, 3), (2, 1)]).is_none());
        let ([first, second], window) = words.window([(0, 3), (5, 2)]).expect("they are apart");
        first[0] = 1;
        second[1] = 2;
        assert_eq!(
            (window.slice(3, 2), window.slice(3, 3)),
            (Some(&[0, 0][..]), None)
        );
        assert_eq!(array, [1, 0, 0, 0, 0, 0, 2, 0]);
    }

    #[test]
    fn a_row_reaches_its_own_places_only() {
        let mut array = [0, 1, 2, 3, 4, 5];
        let mut words = Words::from(&mut array[..]);
        let mut row = words.row(2, 3);
        row[2] = row[0] + 7;
        assert_eq!(array, [0, 1, 2, 3, 9, 5]);
        for (at, span, place) in [(2, 3, 3), (4, 3, 0), (7, 0, 0), (2, usize::MAX, 0)] {
            let mut array = [0; 6];
            let outside =
                std::panic::catch_unwind(move || Words::from(&mut array[..]).row(at, span)[place]);
            assert!(outside.is_err(), "{at} {span} {place}");
        }
    }

    /// Two threads write one array at places that alternate, and read each other's after a barrier:
    /// what a program does. For Miri.
    #[test]
    fn processors_share_an_array_between_barriers() {
        let mut array = [0_u64; 8];
        let input = [10, 20];
        let (loan, barrier) = (Loan::default(), std::sync::Barrier::new(2));
        let run = |processor: usize| {
            loan.with(|lent: Option<(&(Lent<u64>, LentInput<u64>), _)>| {
                let ((array, input), permit) = lent.expect("a run");
                let (mut words, input) = (array.words(permit), input.slice(permit));
                for at in (processor..4).step_by(2) {
                    words[at] = input[processor] + at as u64;
                }
                barrier.wait();
                let ([own], window) = words.window([(4 + 2 * processor, 2)]).expect("one part");
                let all = window.slice(0, 4).expect("nobody writes these now");
                own.copy_from_slice(&[all[0] + all[1], all[2] + all[3]]);
            });
        };
        let lend = |array: &mut [u64; 8]| Some((Lent::new(&mut array[..]), LentInput::new(&input)));
        loan.during(&mut array, lend, || {
            std::thread::scope(|scope| {
                scope.spawn(|| run(1));
                run(0);
            });
        });
        assert!(loan.with(|lent| lent.is_none()));
        assert_eq!(array, [10, 21, 12, 23, 31, 35, 31, 35]);
    }
}
