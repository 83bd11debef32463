//! Space of iterations: which loop each iteration is of, and the values of its variables.

use std::ops::Range;
use std::panic::resume_unwind;

use superstep_planner::{Accesses, MOST_ITERATIONS};

use super::extents::{Extents, Outside};
use super::list::{Interval, Place};

/// Iterations of a kernel's loops in the order of the run, as its control names them.
///
/// A loop that is run several times, inside others, has a *visit* for each time. Values that
/// advance by equal steps, as those of most loops do, take no memory.
#[derive(Debug, Default)]
pub struct Space {
    level: usize,
    visits: Vec<Visit>,
    /// First iteration of each visit.
    first: Vec<u32>,
    /// Values of the loops around, one visit after the other.
    outer: Vec<i64>,
    iterations: u32,
}

/// Payload with which [`Space::grain`] unwinds where there are more iterations than can be planned:
/// control would go on for hours.
pub(super) struct TooMany;

#[derive(Debug)]
struct Visit {
    number: u16,
    /// Position at which its outer values begin, and their number.
    outer: (usize, usize),
    values: Values,
}

#[derive(Debug)]
pub(super) enum Values {
    /// Values in equal steps from one on.
    Steps {
        start: i64,
        step: i64,
    },
    Listed(Vec<i64>),
}

impl Space {
    /// Returns a space without iterations, for those of a level of the kernel.
    pub(super) fn of_level(level: usize) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Returns the level of the kernel's loops whose iterations are meant.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Begins a visit of a loop inside loops that have these values.
    pub fn enter(&mut self, number: u16, outer: &[i64]) {
        self.first.push(self.iterations);
        self.visits.push(Visit {
            number,
            outer: (self.outer.len(), outer.len()),
            values: Values::Steps { start: 0, step: 0 },
        });
        self.outer.extend_from_slice(outer);
    }

    /// Adds an iteration to the visit.
    ///
    /// # Panics
    /// Beyond the most that can be planned, with a payload that planning takes for that error.
    #[inline]
    pub fn grain(&mut self, value: i64) {
        let Some((visit, first)) = self.visits.last_mut().zip(self.first.last()) else {
            return;
        };
        if self.iterations >= MOST_ITERATIONS {
            resume_unwind(Box::new(TooMany));
        }
        visit.values.push(self.iterations - first, value);
        self.iterations += 1;
    }

    /// Returns the number of iterations.
    pub(super) fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Returns the bytes of all visits.
    pub(super) fn bytes(&self) -> usize {
        let listed = self.visits.iter().map(|visit| match &visit.values {
            Values::Steps { .. } => 0,
            Values::Listed(values) => values.len(),
        });
        let numbers = self.outer.len() + listed.sum::<usize>();
        size_of_val(&self.visits[..]) + size_of_val(&self.first[..]) + numbers * size_of::<i64>()
    }

    /// Calls `f` for all iterations, those of one visit at a time.
    pub(super) fn each(&self, iterations: Range<u32>, mut f: impl FnMut(&Site<'_>)) {
        let (mut first, place) = (iterations.start, Place::default());
        while first < iterations.end {
            let visit = self.visit_of(first);
            let end = self.of_visit(visit).end.min(iterations.end);
            let count = end - first;
            f(&self.site(visit, &[Interval { first, count }], &place));
            first = end;
        }
    }

    /// Returns the visit of an iteration.
    #[inline]
    pub(super) fn visit_of(&self, iteration: u32) -> usize {
        self.first.partition_point(|&first| first <= iteration) - 1
    }

    /// Returns the iterations of a visit.
    #[inline]
    pub(super) fn of_visit(&self, visit: usize) -> Range<u32> {
        let end = self.first.get(visit + 1);
        self.first[visit]..end.map_or(self.iterations, |&end| end)
    }

    /// Returns some intervals of a visit. The place is told how far the run has come.
    #[inline]
    pub(super) fn site<'s>(
        &'s self,
        visit: usize,
        intervals: &'s [Interval],
        place: &'s Place,
    ) -> Site<'s> {
        let Visit {
            number,
            outer: (from, count),
            values,
        } = &self.visits[visit];
        Site {
            number: *number,
            outer: &self.outer[*from..from + count],
            values,
            first: self.first[visit],
            intervals,
            place,
        }
    }
}

impl Values {
    #[inline]
    fn push(&mut self, count: u32, value: i64) {
        match self {
            Self::Steps { start, .. } if count == 0 => *start = value,
            Self::Steps { start, step } if count == 1 => *step = value.wrapping_sub(*start),
            Self::Steps { start, step } => {
                let expected = nth(*start, *step, count);
                if value != expected {
                    let (start, step) = (*start, *step);
                    let steps = (0..count).map(|count| nth(start, step, count));
                    *self = Self::Listed(steps.chain([value]).collect());
                }
            }
            Self::Listed(values) => values.push(value),
        }
    }
}

/// Returns a value of equal steps.
#[inline(always)]
pub(super) fn nth(start: i64, step: i64, count: u32) -> i64 {
    start.wrapping_add(step.wrapping_mul(i64::from(count)))
}

/// Site of some iterations: they are of one visit.
#[derive(Debug)]
pub struct Site<'a> {
    /// Number of the loop.
    pub number: u16,
    /// Values of the loops around that have a variable, outermost first.
    pub outer: &'a [i64],
    /// Values of the visit's own variable, and its first iteration.
    pub(super) values: &'a Values,
    pub(super) first: u32,
    pub(super) intervals: &'a [Interval],
    pub(super) place: &'a Place,
}

/// Integer that a loop's variable may be, or a flag.
#[diagnostic::on_unimplemented(
    message = "control that changes between the loops of a planned kernel is an integer or a flag, not `{Self}`"
)]
pub trait Item {
    /// Returns the value that casts to this `i64`.
    fn from_value(value: i64) -> Self;
}

macro_rules! items {
    ($($T:ident)*) => {$(
        impl Item for $T {
            #[inline(always)]
            fn from_value(value: i64) -> Self {
                value as Self
            }
        }
    )*};
}
items!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Item for bool {
    #[inline(always)]
    fn from_value(value: i64) -> Self {
        value != 0
    }
}

/// Returns a value as an item of a range. The function is never called, and tells the range's type.
#[inline(always)]
pub fn item<R: IntoIterator<Item: Item>>(_: impl FnOnce() -> R, value: i64) -> R::Item {
    R::Item::from_value(value)
}

/// Returns a value as a number or a flag. The function is never called, and tells the type.
#[inline(always)]
pub fn carried<T: Item>(_: impl FnOnce() -> T, value: i64) -> T {
    T::from_value(value)
}

/// Tells that a word is read: an element of a (nested) array of those dimensions.
#[inline]
pub fn read<const D: usize>(
    accesses: &mut Accesses<'_>,
    array: u16,
    dimensions: [usize; D],
    at: [usize; D],
) {
    let word = flat(array, dimensions, at);
    accesses.read(array, word..word.saturating_add(1));
}

/// Tells that a word is written.
#[inline]
pub fn write<const D: usize>(
    accesses: &mut Accesses<'_>,
    array: u16,
    dimensions: [usize; D],
    at: [usize; D],
) {
    let word = flat(array, dimensions, at);
    accesses.write(array, word..word.saturating_add(1));
}

/// Tells that a word is read and written then.
#[inline]
pub fn update<const D: usize>(
    accesses: &mut Accesses<'_>,
    array: u16,
    dimensions: [usize; D],
    at: [usize; D],
) {
    let word = flat(array, dimensions, at);
    accesses.update(array, word..word.saturating_add(1));
}

/// Tells how far an array that is only read reaches, by a word of it.
#[inline]
pub fn reach<const D: usize>(
    extents: &mut Extents,
    array: u16,
    dimensions: [usize; D],
    at: [usize; D],
) {
    let word = flat(array, dimensions, at);
    extents.reach(array, word..word.saturating_add(1));
}

/// Tells how far an array that is only read reaches, by words next to each other.
#[inline]
pub fn reach_all(extents: &mut Extents, array: u16, words: Range<usize>) {
    extents.reach(array, words);
}

/// Tells that words next to each other are read.
#[inline]
pub fn read_all(accesses: &mut Accesses<'_>, array: u16, words: Range<usize>) {
    accesses.read(array, words);
}

/// Tells that words next to each other are written.
#[inline]
pub fn write_all(accesses: &mut Accesses<'_>, array: u16, words: Range<usize>) {
    accesses.write(array, words);
}

/// Tells that words next to each other are read and written then.
#[inline]
pub fn update_all(accesses: &mut Accesses<'_>, array: u16, words: Range<usize>) {
    accesses.update(array, words);
}

/// Length of a slice that is known only when the plan runs.
pub const UNKNOWN: usize = usize::MAX;

/// Returns the number of words of an array of these dimensions, if all are known.
pub fn words_of<const D: usize>(dimensions: [usize; D]) -> Option<usize> {
    let is_known = dimensions.iter().all(|&length| length != UNKNOWN);
    is_known.then(|| {
        dimensions
            .iter()
            .fold(1, |words: usize, &length| words.saturating_mul(length))
    })
}

/// Returns the number of a word. Unwinds as [`Outside`] if the array is too short.
///
/// # Panics
/// If an index is not within a dimension inside.
#[inline]
fn flat<const D: usize>(array: u16, dimensions: [usize; D], at: [usize; D]) -> usize {
    let mut flat = 0usize;
    for depth in 0..D {
        let (length, index) = (dimensions[depth], at[depth]);
        assert!(
            depth == 0 || index < length,
            "index {index} of a dimension of length {length}"
        );
        let before = if depth == 0 {
            0
        } else {
            flat.saturating_mul(length)
        };
        flat = before.saturating_add(index);
    }
    if D > 0 && at[0] >= dimensions[0] {
        Outside::unwind(array, flat);
    }
    flat
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::planned::stretch::stretches;

    /// Number of the loop, values of those around it, and that of its variable.
    pub(in super::super) type Iteration = (u16, Vec<i64>, i64);

    /// Visits with steps, without iterations, with listed values, and with steps of a range.
    pub(in super::super) fn visits() -> (Space, Vec<Iteration>) {
        let mut space = Space::default();
        let mut expected = Vec::new();
        let visits: [(u16, &[i64], &[i64]); 6] = [
            (0, &[], &[5, 4, 3, 2]),
            (1, &[7], &[]),
            (1, &[8], &[1, 2, 4, 8]),
            (2, &[8, -1], &[0]),
            (0, &[], &[3, 3, 3]),
            (0, &[], &[7, 8, 9]),
        ];
        for (number, outer, values) in visits {
            space.enter(number, outer);
            for &value in values {
                space.grain(value);
                expected.push((number, outer.to_vec(), value));
            }
        }
        (space, expected)
    }

    #[test]
    fn iterations_lead_back_to_loops_and_values() {
        let (space, expected) = visits();
        let all = space.iterations();
        assert_eq!(all as usize, expected.len());
        for start in 0..all {
            for end in start..=all {
                let [mut found, mut backwards] = [const { Vec::new() }; 2];
                space.each(start..end, |site| {
                    let iteration = |value| (site.number, site.outer.to_vec(), value);
                    let values = stretches(|| 0..0i64, site).flatten();
                    found.extend(values.map(iteration));
                    let values = stretches(|| (0..0i64).rev(), site).flatten();
                    backwards.extend(values.map(iteration));
                });
                let expected = &expected[start as usize..end as usize];
                assert_eq!([&found[..], &backwards], [expected; 2]);
            }
        }
    }

    #[test]
    fn counting_ends_with_more_iterations_than_can_be_planned() {
        let mut space = Space {
            iterations: MOST_ITERATIONS - 1,
            ..Space::default()
        };
        space.enter(0, &[]);
        space.grain(0);
        assert_eq!(space.iterations(), MOST_ITERATIONS);
        let one_more = std::panic::AssertUnwindSafe(|| space.grain(1));
        let payload = std::panic::catch_unwind(one_more).unwrap_err();
        assert!(payload.is::<TooMany>());
    }

    #[test]
    fn words_of_nested_arrays_have_flat_numbers() {
        assert_eq!(flat(0, [UNKNOWN, 3], [4, 2]), 14);
        assert_eq!(flat(0, [], []), 0);
        let outside = std::panic::catch_unwind(|| flat(0, [UNKNOWN, 3], [4, 3]));
        assert!(outside.is_err());
    }
}
