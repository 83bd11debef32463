//! From a list of task instances to nested loops (nested loop recognition).
//!
//! Every task instance is a *row*: its statement, and its *components*, numbers (the slots that it touches and the control values that it
//! reads). Three steps, all greedy from left to right, deterministic and near-linear:
//!
//! 1. `runs`: rows of one statement, or of a short sequence of statements, whose components advance by constant steps become a run.
//! 2. `nests`: terms (runs at first) whose sequence repeats, with *all* values (counts, starts, steps) advancing by constant steps,
//!    become a loop; repeated until nothing folds any more. As counts advance as well, triangular nests fold.
//!
//! 3. `phrases`: what stays alone is put together into records of a few rows.
//!
//! Each term is flat: a *shape* (which loops around which bodies) and a vector of values, in the layout of [`runtime`'s
//! `Code`](superstep_plan::Code), so that "everything advances by constant steps" is one comparison of vectors.
pub(crate) mod lists;
mod nests;
mod phrases;
mod runs;
mod shapes;

use superstep_plan::Code;

pub use runs::Rows;
pub use shapes::{Shape, Shapes};

/// Longest sequence of statements that becomes one body without many repetitions: longer ones take functions that other loops around them would
/// not share.
const USUAL: usize = 8;

/// Longest sequence of statements that becomes one body: a row of the panel of an elimination by eight pivots, each word divided after up to
/// seven updates; three stages of butterflies, of three statements each, on eight words.
pub(crate) const MOST_STATEMENTS: usize = 36;

/// Terms in order: the shape of each, and its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    shapes: Vec<u32>,
    /// Start of each term's values, and the end of the last.
    offsets: Vec<usize>,
    values: Vec<i64>,
}

impl Terms {
    fn new() -> Self {
        Self {
            shapes: Vec::new(),
            offsets: vec![0],
            values: Vec::new(),
        }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The shape and the values of each term.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[i64])> {
        (0..self.len()).map(|at| (self.shapes[at], self.values(at)))
    }

    fn values(&self, at: usize) -> &[i64] {
        &self.values[self.offsets[at]..self.offsets[at + 1]]
    }

    /// Ends a term whose values were appended to `values`.
    fn end(&mut self, shape: u32) {
        self.shapes.push(shape);
        self.offsets.push(self.values.len());
    }

    /// The terms as code of a plan, in which every body has the number of its shape's statement sequence.
    pub fn into_code(self, shapes: &Shapes) -> Code {
        let mut terms = Vec::new();
        self.shapes
            .iter()
            .for_each(|&shape| shapes.write(shape, &mut terms));
        Code {
            terms,
            values: self.values,
            listed: Vec::new(),
        }
    }
}

/// Sums up values, beginning with a `first` one, so that the marks of equally many that advance by
/// constant steps do so, too: one comparison tells nearly all others.
fn mark(first: i64, values: &[i64]) -> i64 {
    /// Factor by which a value weighs more than the next one: odd, so that none is lost, and no
    /// number that the steps of kernels have to do with. It is 2^64 by the golden ratio.
    const WEIGHT: i64 = 0x9e37_79b9_7f4a_7c15_u64.cast_signed();
    let mut sum = first;
    for value in values {
        sum = sum.wrapping_mul(WEIGHT).wrapping_add(*value);
    }
    sum
}

/// Returns whether `c` goes on from `a` and `b`.
#[inline(always)]
fn advance(a: i64, b: i64, c: i64) -> bool {
    c.wrapping_sub(b) == b.wrapping_sub(a)
}

/// Returns whether each of `c` goes on from those of `a` and `b`, which are as many.
fn all_advance(a: &[i64], b: &[i64], c: &[i64]) -> bool {
    let (b, c) = (&b[..a.len()], &c[..a.len()]);
    let mut at = 0;
    while at < a.len() && advance(a[at], b[at], c[at]) {
        at += 1;
    }
    at == a.len()
}

/// Folds a list of rows. Cost: 20 to 60 ns per row when it folds, a few times as much when it does not.
pub fn fold(rows: &mut impl Rows, shapes: &mut Shapes) -> Terms {
    let mut terms = runs::runs(rows, shapes);
    loop {
        let folded = nests::nest(&terms, shapes);
        if folded.len() == terms.len() {
            return phrases::join(&terms, shapes);
        }
        terms = folded;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_where_marks_are_alike() {
        let (still, moved) = ([0, 0], [1, mark(0, &[-1, 0])]);
        let marks = [still, still, moved].map(|values| mark(3, &values));
        assert!(advance(marks[0], marks[1], marks[2]));
        assert!(!all_advance(&still, &still, &moved));
        assert!(all_advance(&[1, 7], &[3, 7], &[5, 7]));
        assert!(!all_advance(&[1, 7], &[3, 7], &[5, 8]));
    }
}
