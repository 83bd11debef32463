//! Terms to loops over terms: one pass.

use super::{Shape, Shapes, Terms};

/// Longest body of a loop that is looked for, in terms: more than the columns of a matrix that one processor owns.
const WINDOW: usize = 1024;

/// The same when there is no effort left.
const NARROW: usize = 8;

/// Comparisons of shapes per term that a pass may make on average; each takes about a nanosecond.
const EFFORT: usize = 64;

/// Replaces repetitions by loops, from left to right; the shortest body wins that repeats at least three times.
///
/// A list that does not fold stays cheap: long bodies are looked for while the effort so far is in proportion to the terms passed,
/// which lets every sixteenth place or so look through the whole window.
pub(super) fn nest(terms: &Terms, shapes: &mut Shapes) -> Terms {
    let mut folded = Terms::new();
    let mut effort = 0;
    let mut at = 0;
    while at < terms.len() {
        let window = if effort <= EFFORT * (at + WINDOW) {
            WINDOW
        } else {
            NARROW
        };
        let most = window.min((terms.len() - at) / 3);
        let found = (1..=most).find(|&length| repeats(terms, at, length));
        effort += found.unwrap_or(most);
        if let Some(length) = found {
            at = write(terms, at, length, shapes, &mut folded);
        } else {
            folded.values.extend_from_slice(terms.values(at));
            folded.end(terms.shapes[at]);
            at += 1;
        }
    }
    folded
}

/// Whether the `length` terms at `at` are followed by two repetitions with constant steps.
fn repeats(terms: &Terms, at: usize, length: usize) -> bool {
    let shape = terms.shapes[at];
    if terms.shapes[at + length] != shape || terms.shapes[at + 2 * length] != shape {
        return false;
    }
    (at..at + length).all(|a| advances(terms, a, a + length, a + 2 * length))
}

/// Whether term `c` goes on from terms `a` and `b`.
fn advances(terms: &Terms, a: usize, b: usize, c: usize) -> bool {
    let shape = terms.shapes[a];
    if terms.shapes[b] != shape || terms.shapes[c] != shape {
        return false;
    }
    let (a, b, c) = (terms.values(a), terms.values(b), terms.values(c));
    a.iter()
        .zip(b)
        .zip(c)
        .all(|((a, b), c)| c.wrapping_sub(*b) == b.wrapping_sub(*a))
}

/// Appends the loop over the `length` terms at `at`, as often as they repeat; returns where it ends.
fn write(
    terms: &Terms,
    at: usize,
    length: usize,
    shapes: &mut Shapes,
    folded: &mut Terms,
) -> usize {
    let mut end = at + 3 * length;
    while end < terms.len() && advances(terms, end - 2 * length, end - length, end) {
        end += 1;
    }
    let count = (end - at) / length;
    let first = &terms.values[terms.offsets[at]..terms.offsets[at + length]];
    let second = &terms.values[terms.offsets[at + length]..terms.offsets[at + 2 * length]];
    folded.values.push(count as i64);
    folded.values.extend_from_slice(first);
    folded
        .values
        .extend(first.iter().zip(second).map(|(a, b)| b.wrapping_sub(*a)));
    folded.end(shapes.number(Shape::Loop(terms.shapes[at..at + length].to_vec())));
    at + count * length
}
