//! Rows of a matrix that a run goes over: several words of each row, the rows at equal distances.

use super::{Row, Words};

/// Part of an array that a run works on when all its components in that array advance by the same
/// step. It is a *row* of words for each iteration, in which each component has a fixed offset.
///
/// One range check for each row replaces one for each word, and words read outside the rows can be
/// loaded once for the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    first: i64,
    step: i64,
    span: usize,
    /// Bounds of all rows, which lie in `low..high`.
    low: i64,
    high: i64,
}

impl Rows {
    /// Returns the rows of a run of `count` iterations that hold the components with these starts,
    /// which advance by `step`.
    #[inline(always)]
    pub fn new(count: usize, starts: &[i64], step: i64) -> Self {
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        for &start in starts {
            first = first.min(start);
            last = last.max(start);
        }
        let way = step.wrapping_mul(count as i64 - 1);
        let span = last.wrapping_sub(first).wrapping_add(1);
        let (low, high) = (
            first.wrapping_add(way.min(0)),
            first.wrapping_add(way.max(0)).wrapping_add(span),
        );
        Self {
            first,
            step,
            span: span as usize,
            low,
            high,
        }
    }

    /// Returns the offset in the row of the component that begins at `slot`.
    ///
    /// # Panics
    /// When it is not in the row.
    #[inline(always)]
    pub fn offset(&self, slot: usize) -> usize {
        let offset = slot.wrapping_sub(self.first as usize);
        assert!(offset < self.span, "components of a row lie in it");
        offset
    }

    /// Returns the word of `array` at `slot`, or `None` where a row may hold it.
    ///
    /// # Panics
    /// When `slot` is beyond the array.
    #[inline(always)]
    pub fn outside<T: Copy>(&self, array: &Words<'_, T>, slot: usize) -> Option<T> {
        let inside = (self.low..self.high).contains(&(slot as i64));
        if inside { None } else { Some(array[slot]) }
    }

    /// Returns the row of iteration `x`.
    ///
    /// # Panics
    /// When it is not all in the array.
    #[inline(always)]
    pub fn row<'a, T>(&self, array: &'a mut Words<'_, T>, x: usize) -> Row<'a, T> {
        let at = self.first.wrapping_add(self.step.wrapping_mul(x as i64)) as usize;
        array.row(at, self.span)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, Words};

    #[test]
    fn rows_hold_their_components_and_nothing_outside_is_in_them() {
        let mut array: Vec<usize> = (0..40).collect();
        let mut array = Words::from(&mut array[..]);
        // Words 23 and 21 of the first row, 13 and 11 of the second.
        let rows = Rows::new(2, &[23, 21], -10);
        let (a, b) = (rows.offset(23), rows.offset(21));
        assert_eq!(
            (rows.row(&mut array, 0)[a], rows.row(&mut array, 1)[b]),
            (23, 11)
        );
        assert_eq!(
            [5, 10, 24].map(|slot| rows.outside(&array, slot)),
            [Some(5), Some(10), Some(24)]
        );
        assert_eq!(
            [11, 13, 17, 21, 23].map(|slot| rows.outside(&array, slot)),
            [None; 5]
        );
    }
}
