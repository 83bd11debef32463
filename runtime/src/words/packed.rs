//! Packing of words that stand apart.
//!
//! Compilers make vectors of words that lie one after the other. Words at equal distances they take
//! one at a time, or by instructions that take as long. So a loop that reads some copies a piece of
//! them first, and goes on with slices. The factors of a transform stand so: for one processor, one
//! of 8192 points takes 0.73 of the time with them packed.
//!
//! The `unsafe` block spares each call of a loop the filling of the room for its words. That takes
//! 8 % of the time of programs of many short runs (that transform for seven processors).

use std::mem::MaybeUninit;
use std::ops::{Index, Range};

use superstep_plan::loops::PIECE;

/// Piece of the words that an operand has in the iterations of a loop.
///
/// ```
/// use superstep_runtime::words::packed::{Packed, pieces};
///
/// let array: Vec<u32> = (0..400).collect();
/// let mut packed = Packed::new();
/// let mut found: Vec<u32> = Vec::new();
/// for piece in pieces(100) {
///     found.extend(packed.words(&array[..], 3 + 2 * piece.start as i64, 2, piece.len()));
/// }
/// assert_eq!(found, (0..100).map(|x| 3 + 2 * x).collect::<Vec<u32>>());
/// ```
#[derive(Debug)]
pub struct Packed<T> {
    words: [MaybeUninit<T>; PIECE],
    /// Request that came last: place of the first word, how far each stands behind the one before,
    /// and how many. So many have been written.
    last: (i64, i64, usize),
}

impl<T> Default for Packed<T> {
    #[inline(always)]
    fn default() -> Self {
        Self {
            words: [const { MaybeUninit::uninit() }; PIECE],
            last: (0, 0, 0),
        }
    }
}

impl<T: Copy> Packed<T> {
    /// Makes a room without words yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the `count` words of `array` from `first`, each `step` places behind the one before.
    /// Words that were asked for last are not copied again: they must be the same since.
    ///
    /// # Panics
    /// When there are more than a [`PIECE`], or some are not in the array.
    #[inline(always)]
    pub fn words<A>(&mut self, array: &A, first: i64, step: i64, count: usize) -> &[T]
    where
        A: Index<usize, Output = T> + ?Sized,
    {
        let words = &mut self.words[..count];
        if self.last != (first, step, count) {
            // Should one of them not be in the array, these are the words of no place.
            self.last.2 = 0;
            let mut place = first;
            for word in words.iter_mut() {
                word.write(array[place as usize]);
                place = place.wrapping_add(step);
            }
            self.last = (first, step, count);
        }
        // SAFETY: all of these `count` words have been written, by this call or by the one that set
        // `last`. And no word is ever taken away.
        unsafe { &*(std::ptr::from_ref::<[MaybeUninit<T>]>(words) as *const [T]) }
    }
}

/// Returns the iterations of a run, a [`PIECE`] at a time.
#[inline(always)]
pub fn pieces(count: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..count).step_by(PIECE);
    starts.map(move |start| start..count.min(start + PIECE))
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Packed, pieces};

    #[test]
    fn pieces_are_all_iterations_in_order() {
        for count in [0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE, 1000] {
            assert!(pieces(count).flatten().eq(0..count));
            assert!(pieces(count).all(|piece| (1..=PIECE).contains(&piece.len())));
        }
    }

    #[test]
    fn words_are_those_of_the_place_asked_for_last() {
        let array: Vec<i64> = (0..100).collect();
        let mut packed = Packed::new();
        for (first, step, count) in [
            (0, 0, 0),
            (0, 1, 64),
            (0, 1, 63),
            (99, -3, 30),
            (98, -3, 30),
            (98, -2, 30),
            (98, -2, 30),
            (5, 0, 7),
            (7, i64::MAX, 1),
        ] {
            let expected: Vec<i64> = (0..count).map(|x| first + step * x).collect();
            assert_eq!(
                packed.words(&array[..], first, step, count as usize),
                expected
            );
        }
    }

    /// More words of the same place, of a new room, too, are not those that were there.
    #[test]
    fn more_words_of_a_place_are_copied() {
        let array: Vec<i64> = (0..100).collect();
        let mut packed = Packed::new();
        assert_eq!(packed.words(&array[..], 0, 0, 5), [0; 5]);
        assert_eq!(packed.words(&array[..], 0, 1, 2), [0, 1]);
        assert_eq!(packed.words(&array[..], 0, 1, 5), [0, 1, 2, 3, 4]);
    }

    /// Words that a piece began with, and did not find all of, pass neither for it nor for the one
    /// before.
    #[test]
    fn a_piece_that_ends_outside_leaves_nothing() {
        let array: Vec<usize> = (0..10).collect();
        let mut packed = Packed::new();
        packed.words(&array[..], 0, 1, 4);
        for _ in 0..2 {
            let outside = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                packed.words(&array[..], 5, 2, 7).len()
            }));
            assert!(outside.is_err());
        }
        assert_eq!(packed.words(&array[..], 0, 1, 4), [0, 1, 2, 3]);
    }

    #[test]
    fn words_outside_are_none() {
        for (first, step, count) in [
            (100, 0, 1),
            (-1, 1, 2),
            (0, 2, 51),
            (1, -1, 3),
            (3, i64::MIN, 2),
            (0, 1, PIECE + 1),
        ] {
            let array = [0; 100];
            let outside = std::panic::catch_unwind(|| {
                Packed::new().words(&array[..], first, step, count).len()
            });
            assert!(outside.is_err(), "{first} {step} {count}");
        }
    }
}
