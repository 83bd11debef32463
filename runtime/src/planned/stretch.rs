//! Stretches: values of a loop's variable as ranges like the loop's own.
//!
//! Compilers know ranges: they vectorise a loop over one, which they don't for a loop over values
//! that somebody hands out. So a kernel gets as many neighbouring values as there are in one range,
//! and runs its loop over that.
//!
//! 47 of the collection's kernels have parallel plans at their real sizes. Insisted on for two
//! processors, they take 0.86 of the functions in the mean, and 1.01 with values one by one. (These
//! are the shortest of six runs of 60 calls, alternating.) Loops without inner ones gain most:
//! `gain` 5.7 to 0.9, `wavelet` 1.3 to 0.9, `life` 0.97 to 0.51.

use std::iter::{Rev, StepBy};
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use std::slice;

use super::list::{Interval, Place};
use super::space::{Site, Values, nth};

/// Range of integers that a kernel's loop may run over.
#[diagnostic::on_unimplemented(
    message = "a planned kernel's loop runs over a range of integers of up to 64 bits, not `{Self}`"
)]
pub trait Stretch: IntoIterator + Sized {
    /// Step in which any number of values is a range of this type; 0 where the type tells none.
    const STEP: i64;

    /// Returns the range of one value.
    fn of_one(value: i64) -> Self;

    /// Returns the range of `count` values in equal steps, at least one, if there is one of this
    /// type.
    fn of(first: i64, step: i64, count: u32) -> Option<Self>;
}

macro_rules! ranges {
    ($($T:ident)*) => {$(
        impl Stretch for Range<$T> {
            const STEP: i64 = 1;

            #[inline(always)]
            fn of_one(value: i64) -> Self {
                // The loop's own range ends behind the value, so that this is no overflow.
                value as $T..value.wrapping_add(1) as $T
            }

            #[inline(always)]
            fn of(first: i64, step: i64, count: u32) -> Option<Self> {
                let end = first.wrapping_add(i64::from(count));
                (step == 1).then_some(first as $T..end as $T)
            }
        }

        impl Stretch for RangeInclusive<$T> {
            const STEP: i64 = 1;

            #[inline(always)]
            fn of_one(value: i64) -> Self {
                value as $T..=value as $T
            }

            #[inline(always)]
            fn of(first: i64, step: i64, count: u32) -> Option<Self> {
                let last = first.wrapping_add(i64::from(count) - 1);
                (step == 1).then_some(first as $T..=last as $T)
            }
        }
    )*};
}
ranges!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<R: Stretch + DoubleEndedIterator> Stretch for Rev<R> {
    const STEP: i64 = R::STEP.wrapping_neg();

    #[inline(always)]
    fn of_one(value: i64) -> Self {
        R::of_one(value).rev()
    }

    #[inline(always)]
    fn of(first: i64, step: i64, count: u32) -> Option<Self> {
        let last = first.wrapping_add(step.wrapping_mul(i64::from(count) - 1));
        Some(R::of(last, step.wrapping_neg(), count)?.rev())
    }
}

impl<R: Stretch + Iterator> Stretch for StepBy<R>
where
    Self: Iterator,
{
    const STEP: i64 = 0;

    #[inline(always)]
    fn of_one(value: i64) -> Self {
        R::of_one(value).step_by(1)
    }

    #[inline(always)]
    fn of(first: i64, step: i64, count: u32) -> Option<Self> {
        let steps = step.unsigned_abs();
        let more = steps.checked_mul(u64::from(count.checked_sub(1)?))?;
        let count = u32::try_from(more.checked_add(1)?).ok()?;
        let range = R::of(first, step.signum(), count)?;
        let steps = usize::try_from(steps).ok().filter(|&steps| steps > 0)?;
        Some(range.step_by(steps))
    }
}

/// Returns the values of some iterations as ranges. The function is never called, and tells the
/// type of the loop's own range.
#[inline(always)]
pub fn stretches<'a, R: Stretch>(_: impl FnOnce() -> R, site: &Site<'a>) -> Stretches<'a, R> {
    let base = match *site.values {
        Values::Steps { start, step } if step == R::STEP && step != 0 => {
            Some(nth(start, step.wrapping_neg(), site.first))
        }
        _ => None,
    };
    Stretches {
        intervals: site.intervals.iter(),
        base: base.unwrap_or(0),
        is_plain: base.is_some(),
        values: site.values,
        first: site.first,
        at: 0,
        left: 0,
        place: site.place,
        ranges: PhantomData,
    }
}

/// Ranges of a loop's variable, which say how far they have come. There is one for each interval,
/// or for each value where these are no range of that type.
///
/// By level most intervals have few iterations, and a row of a grid takes some 30 instructions. So
/// each one counts that an interval takes, and each register. Mostly values have the step of the
/// range's type, and all that changes is the interval. With an address in place of a position, and
/// one base for all, loaded solves by level take 0.69 of the function, before 0.82. It is the mean
/// of 13 real matrices on one processor.
#[derive(Debug)]
pub struct Stretches<'a, R> {
    intervals: slice::Iter<'a, Interval>,
    /// Value of iteration 0, if the values have the type's own step.
    base: i64,
    is_plain: bool,
    /// Values of the visit, whose first iteration this is.
    values: &'a Values,
    first: u32,
    /// Iterations of an interval that runs value by value, from the first of the visit: the next
    /// one, and how many are left.
    at: u32,
    left: u32,
    place: &'a Place,
    ranges: PhantomData<R>,
}

impl<R: Stretch> Iterator for Stretches<'_, R> {
    type Item = R;

    #[inline(always)]
    fn next(&mut self) -> Option<R> {
        if !self.is_plain {
            return self.next_of_any();
        }
        let interval = self.intervals.next()?;
        self.place.go_to(interval);
        let first = nth(self.base, R::STEP, interval.first);
        let range = R::of(first, R::STEP, interval.count);
        Some(range.expect("values in the type's own step are a range"))
    }
}

impl<R: Stretch> Stretches<'_, R> {
    /// Returns the next range where values have any steps, or none.
    #[inline(always)]
    fn next_of_any(&mut self) -> Option<R> {
        if self.left == 0 {
            let interval = self.intervals.next()?;
            self.place.begin(interval);
            let at = interval.first - self.first;
            if let Some(all) = self.values.range(at, interval.count) {
                return Some(all);
            }
            (self.at, self.left) = (at, interval.count);
        } else {
            self.place.go_on();
        }
        let value = self.values.value(self.at);
        self.at += 1;
        self.left -= 1;
        Some(R::of_one(value))
    }
}

impl Values {
    /// Returns `count` values from a position on as a range, if they are one.
    #[inline(always)]
    fn range<R: Stretch>(&self, at: u32, count: u32) -> Option<R> {
        match *self {
            Self::Steps { start, step } => R::of(nth(start, step, at), step, count),
            Self::Listed(_) => None,
        }
    }

    /// Returns the value at a position.
    #[inline(always)]
    fn value(&self, at: u32) -> i64 {
        match self {
            Self::Steps { start, step } => nth(*start, *step, at),
            Self::Listed(values) => values[at as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values of ranges that are taken one after the other, and the number of ranges.
    fn taken<R: Stretch<Item: Into<i128>>>(
        range: impl FnOnce() -> R,
        values: &Values,
        count: u32,
    ) -> (Vec<i128>, usize) {
        let place = Place::default();
        let site = Site {
            number: 0,
            outer: &[],
            values,
            first: 0,
            intervals: &[Interval { first: 0, count }],
            place: &place,
        };
        let ranges = stretches(range, &site).map(|range| range.into_iter().map(Into::into));
        let ranges: Vec<Vec<i128>> = ranges.map(Iterator::collect).collect();
        (ranges.concat(), ranges.len())
    }

    fn in_steps<R: Stretch<Item: Into<i128>>>(
        range: impl FnOnce() -> R,
        (start, step, count): (i64, i64, u32),
    ) -> (Vec<i128>, usize) {
        taken(range, &Values::Steps { start, step }, count)
    }

    #[test]
    fn values_in_the_steps_of_the_loop_are_one_range() {
        assert_eq!(in_steps(|| 0..9u32, (3, 1, 4)), (vec![3, 4, 5, 6], 1));
        assert_eq!(in_steps(|| 0..=9u8, (253, 1, 3)), (vec![253, 254, 255], 1));
        assert_eq!(
            in_steps(|| (0..9i8).rev(), (-3, -1, 3)),
            (vec![-3, -4, -5], 1)
        );
        assert_eq!(
            in_steps(|| (0..9i64).step_by(3), (-3, 3, 3)),
            (vec![-3, 0, 3], 1)
        );
        assert_eq!(
            in_steps(|| (0..9u16).rev().step_by(2), (6, -2, 3)),
            (vec![6, 4, 2], 1)
        );
        assert_eq!(
            in_steps(|| (0..9u16).step_by(2).rev(), (6, -2, 3)),
            (vec![6, 4, 2], 1)
        );
        let most = u64::MAX - 3;
        assert_eq!(
            in_steps(|| 0..u64::MAX, (most as i64, 1, 3)),
            ((most..u64::MAX).map(Into::into).collect(), 1)
        );
    }

    #[test]
    fn other_values_are_ranges_of_one() {
        assert_eq!(in_steps(|| 0..9u32, (3, 2, 3)), (vec![3, 5, 7], 3));
        assert_eq!(in_steps(|| 0..9i32, (3, -1, 3)), (vec![3, 2, 1], 3));
        assert_eq!(in_steps(|| (0..9i32).rev(), (3, 1, 2)), (vec![3, 4], 2));
        assert_eq!(
            in_steps(|| (0..9i32).step_by(2), (3, 0, 2)),
            (vec![3, 3], 2)
        );
        let listed = Values::Listed(vec![1, 2, 4, 8]);
        assert_eq!(taken(|| 0..=9i32, &listed, 4), (vec![1, 2, 4, 8], 4));
    }
}
