//! Terms of a list: loops and runs, by shape and values.

use superstep_order::Rows;
use superstep_plan::Code;

use super::shapes::Shapes;

/// Terms in order: the shape of each, and its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    pub(super) shapes: Vec<u32>,
    /// Values of each term.
    pub(super) values: Rows<i64>,
}

impl Terms {
    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Iterates over the terms, each as its shape and its values.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[i64])> {
        self.shapes.iter().copied().zip(self.values.iter())
    }

    pub(super) fn values(&self, at: usize) -> &[i64] {
        self.values.row(at)
    }

    /// Ends a term whose values were appended to the items of `values`.
    pub(super) fn end(&mut self, shape: u32) {
        self.shapes.push(shape);
        self.values.end_row();
    }

    /// Returns the terms as code of a plan, in which every body has the number of its shape's
    /// statement sequence.
    pub fn into_code(self, shapes: &Shapes) -> Code {
        let mut terms = Vec::new();
        self.shapes
            .iter()
            .for_each(|&shape| shapes.write(shape, &mut terms));
        Code {
            terms,
            values: self.values.items,
            loose: Vec::new(),
        }
    }
}
