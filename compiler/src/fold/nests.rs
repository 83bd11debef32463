//! Terms to loops over terms: one pass.

use std::ops::Range;

use super::shapes::{Shape, Shapes};
use super::steps::{advance, all_advance, mark};
use super::terms::Terms;

/// Longest body of a loop that is looked for, in terms: more than the columns of a matrix that one
/// processor owns.
const WINDOW: usize = 1024;

/// Longest body of a loop that is looked for when no effort is left, in terms.
const NARROW: usize = 8;

/// Comparisons of shapes per term that a pass may make on average; each takes about a nanosecond.
const EFFORT: usize = 64;

/// Replaces repetitions by loops, from left to right; the shortest body wins that repeats at least
/// three times.
///
/// A list that does not fold stays cheap: long bodies are looked for while the effort so far is in
/// proportion to the terms passed. That lets every sixteenth place or so look through the whole
/// window.
pub(super) fn nest(terms: &Terms, shapes: &mut Shapes) -> Terms {
    let shape = |at: usize| i64::from(terms.shapes[at]);
    let marks = (0..terms.len()).map(|at| mark(shape(at), terms.values(at)));
    let marks: Vec<i64> = marks.collect();
    let marked = Marked {
        terms,
        shapes: &terms.shapes,
        marks: &marks,
    };
    let mut folded = Terms::default();
    let mut effort = 0;
    let mut at = 0;
    while at < terms.len() {
        let window = if effort <= EFFORT * (at + WINDOW) {
            WINDOW
        } else {
            NARROW
        };
        let most = window.min((terms.len() - at) / 3);
        let found = marked.shortest(at, most);
        effort += found.unwrap_or(most);
        if let Some(length) = found {
            at = write(&marked, at, length, shapes, &mut folded);
        } else {
            folded.values.items.extend_from_slice(terms.values(at));
            folded.end(terms.shapes[at]);
            at += 1;
        }
    }
    folded
}

/// Terms with the [mark] of the shape and the values of each.
#[derive(Clone, Copy)]
struct Marked<'a> {
    terms: &'a Terms,
    shapes: &'a [u32],
    marks: &'a [i64],
}

impl Marked<'_> {
    /// Finds the least number of terms at `at`, up to `most`, that are followed by two repetitions
    /// with constant steps.
    fn shortest(self, at: usize, most: usize) -> Option<usize> {
        let marks = &self.marks[at..];
        let mut length = 1;
        // Most lengths fail at the first term: nearly all effort goes into these comparisons.
        while length <= most {
            if advance(marks[0], marks[length], marks[2 * length]) && self.repeats(at, length) {
                return Some(length);
            }
            length += 1;
        }
        None
    }

    /// Returns whether the `length` terms at `at` are followed by two repetitions with constant
    /// steps.
    fn repeats(self, at: usize, length: usize) -> bool {
        (at..at + length).all(|a| self.advances(a, a + length, a + 2 * length))
    }

    /// Returns whether term `c` goes on from terms `a` and `b`.
    fn advances(self, a: usize, b: usize, c: usize) -> bool {
        let shape = self.shapes[a];
        let values = |at| self.terms.values(at);
        self.shapes[b] == shape
            && self.shapes[c] == shape
            && advance(self.marks[a], self.marks[b], self.marks[c])
            && all_advance(values(a), values(b), values(c))
    }
}

/// Appends the loop over the `length` terms at `at`, as often as they repeat; returns where it
/// ends.
fn write(
    marked: &Marked<'_>,
    at: usize,
    length: usize,
    shapes: &mut Shapes,
    folded: &mut Terms,
) -> usize {
    let terms = marked.terms;
    let mut end = at + 3 * length;
    while end < terms.len() && marked.advances(end - 2 * length, end - length, end) {
        end += 1;
    }
    let count = (end - at) / length;
    let values = |range: Range<usize>| {
        let (first, last) = (
            terms.values.range(range.start),
            terms.values.range(range.end - 1),
        );
        &terms.values.items[first.start..last.end]
    };
    let first = values(at..at + length);
    let second = values(at + length..at + 2 * length);
    folded.values.items.push(count as i64);
    folded.values.items.extend_from_slice(first);
    folded
        .values
        .items
        .extend(first.iter().zip(second).map(|(a, b)| b.wrapping_sub(*a)));
    folded.end(shapes.number(Shape::Loop(terms.shapes[at..at + length].to_vec())));
    at + count * length
}
