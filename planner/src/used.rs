//! The words that a kernel uses, where it uses few of those up to the last one.

use std::ops::Range;

use crate::track::Asked;
use crate::{Receiver, Track};

/// Words of a page. A word that stands alone takes 4 bytes for each in a table: 256.
const PAGE: usize = 64;
/// Ranges of pages that are kept before they are sorted, at least.
const FEW: usize = 1024;

/// Ranges of words that hold all that a kernel uses of each array, and few others.
///
/// A single index far behind the others, as of padding, would else have tables with entries for all
/// words before it.
///
/// Memory: 16 bytes for each range, and up to as much again while they are found.
#[derive(Clone, Debug, Default)]
pub struct Used {
    arrays: Vec<Pages>,
}

/// Ranges of the pages of an array.
#[derive(Clone, Debug, Default)]
struct Pages {
    ranges: Vec<Range<usize>>,
    /// Number of ranges that are sorted and apart from each other.
    sorted: usize,
}

impl Used {
    /// Finds the words that a kernel uses, up to its first fault.
    pub fn of(track: &dyn Track) -> Self {
        let mut used = Self {
            arrays: vec![Pages::default(); track.lengths().len()],
        };
        // Whoever plans then finds the fault, too, and tells where it is.
        let _ = Asked::new(track).tell(0..track.iterations(), &mut used);
        used.arrays.iter_mut().for_each(Pages::sort);
        used
    }

    /// Returns the ranges of words of an array, ascending. The last one may end behind the array.
    pub(crate) fn ranges(&self, array: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let ranges = self.arrays.get(array).into_iter();
        let words = |page: usize| page.saturating_mul(PAGE);
        ranges
            .flat_map(|pages| &pages.ranges)
            .map(move |range| words(range.start)..words(range.end))
    }
}

impl Pages {
    fn insert(&mut self, pages: Range<usize>) {
        if let Some(last) = self.ranges.last_mut()
            && (last.start..=last.end).contains(&pages.start)
        {
            last.end = pages.end.max(last.end);
            return;
        }
        if self.ranges.len() >= 2 * self.sorted + FEW {
            self.sort();
        }
        self.ranges.push(pages);
    }

    /// Sorts the ranges, and joins those that touch.
    fn sort(&mut self) {
        self.ranges.sort_unstable_by_key(|range| range.start);
        self.ranges.dedup_by(|next, before| {
            let touches = next.start <= before.end;
            if touches {
                before.end = next.end.max(before.end);
            }
            touches
        });
        self.sorted = self.ranges.len();
    }
}

impl Receiver for Used {
    fn read(&mut self, array: u16, words: Range<usize>) {
        if let Some(pages) = self.arrays.get_mut(usize::from(array))
            && words.start < words.end
        {
            pages.insert(words.start / PAGE..words.end.div_ceil(PAGE));
        }
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }

    fn update(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }
}
