//! Rows of items, one after the other in flat arrays.

use std::ops::Range;

/// Rows of any length, one after the other: 4 bytes for each row beside its items.
///
/// Offsets ascend from 0 to the number of items; whoever reads rows from a file
/// [looks](Self::are_consistent) at that.
///
/// ```
/// use superstep_order::Rows;
///
/// let mut rows = Rows::default();
/// for row in [&[3, 1][..], &[], &[4]] {
///     rows.items.extend(row);
///     rows.end_row();
/// }
/// assert_eq!((rows.len(), rows.row(0), rows.row(1)), (3, &[3, 1][..], &[][..]));
/// assert_eq!(rows, Rows::sorted(3, [(2, 4), (0, 3), (0, 1)].into_iter()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<T> {
    /// First item of each row, and the number of items behind the last.
    pub offsets: Vec<u32>,
    /// Items of all rows.
    pub items: Vec<T>,
}

impl<T> Default for Rows<T> {
    /// Returns no rows.
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

impl<T> Rows<T> {
    /// Returns no rows, with room for so many.
    pub fn with_capacity(rows: usize, items: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self {
            offsets,
            items: Vec::with_capacity(items),
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the range of a row's items.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// Returns the items of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// Returns the items of each row.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator + Clone {
        (0..self.len()).map(|row| self.row(row))
    }

    /// Ends a row behind the items that were added last.
    #[inline]
    pub fn end_row(&mut self) {
        self.offsets.push(self.items.len() as u32);
    }

    /// Returns whether offsets ascend from 0 to the number of items, as all other functions take
    /// for granted.
    pub fn are_consistent(&self) -> bool {
        let end = self.offsets.last().map(|&end| end as usize);
        self.offsets.first() == Some(&0)
            && end == Some(self.items.len())
            && self.offsets.is_sorted()
    }
}

impl<T: Copy + Default> Rows<T> {
    /// Sorts pairs of a row and an item by row, stably. Linear in rows and pairs.
    ///
    /// # Panics
    /// If a row is out of range.
    pub fn sorted(rows: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        // Counts stand two places on, so that starts stand one place on, where they turn into ends
        // as the rows fill.
        let mut offsets = vec![0_u32; rows + 2];
        for (row, _) in pairs.clone() {
            offsets[row + 2] += 1;
        }
        for at in 2..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut items = vec![T::default(); offsets[rows + 1] as usize];
        for (row, item) in pairs {
            let end = &mut offsets[row + 1];
            items[*end as usize] = item;
            *end += 1;
        }
        offsets.pop();
        Self { offsets, items }
    }
}

impl Rows<u32> {
    /// Returns the rows whose row `b` has an `a` for each `b` in row `a`, ascending: of
    /// predecessors the successors. There are as many rows. Linear in rows and items.
    ///
    /// ```
    /// use superstep_order::Rows;
    ///
    /// let predecessors = Rows::sorted(3, [(1, 0), (2, 0), (2, 1)].into_iter());
    /// let successors = predecessors.turned();
    /// assert_eq!((successors.row(0), successors.row(1)), (&[1, 2][..], &[2][..]));
    /// ```
    ///
    /// # Panics
    /// If an item is no row.
    #[must_use]
    pub fn turned(&self) -> Self {
        let rows = self.iter().zip(0_u32..);
        let pairs =
            rows.flat_map(|(row, owner)| row.iter().map(move |&item| (item as usize, owner)));
        Self::sorted(self.len(), pairs)
    }
}

impl<T: Copy + PartialEq> Rows<T> {
    /// Keeps one of equal neighbours in each row: of ascending rows, one of each item.
    pub fn dedup(&mut self) {
        let (mut kept, mut start) = (0, 0);
        for offset in &mut self.offsets[1..] {
            let first = kept;
            for at in start..*offset as usize {
                if kept == first || self.items[kept - 1] != self.items[at] {
                    self.items[kept] = self.items[at];
                    kept += 1;
                }
            }
            start = *offset as usize;
            *offset = kept as u32;
        }
        self.items.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_consistent_if_their_offsets_divide_the_items() {
        let are = |offsets: &[u32]| {
            Rows {
                offsets: offsets.to_vec(),
                items: vec![(); 3],
            }
            .are_consistent()
        };
        assert!(are(&[0, 3]) && are(&[0, 0, 2, 3, 3]));
        for wrong in [&[][..], &[0], &[1, 3], &[0, 2], &[0, 2, 1, 3], &[0, 4]] {
            assert!(!are(wrong), "{wrong:?}");
        }
        assert!(Rows::<u8>::default().are_consistent());
    }
}
