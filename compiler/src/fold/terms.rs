//! Terms of a list: loops and runs, by shape and values.

use superstep_plan::Code;

use super::shapes::Shapes;

/// Terms in order: the shape of each, and its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    pub(super) shapes: Vec<u32>,
    /// Start of each term's values, and the end of the last.
    pub(super) offsets: Vec<usize>,
    pub(super) values: Vec<i64>,
}

impl Terms {
    pub(super) fn new() -> Self {
        Self {
            shapes: Vec::new(),
            offsets: vec![0],
            values: Vec::new(),
        }
    }

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
        (0..self.len()).map(|at| (self.shapes[at], self.values(at)))
    }

    pub(super) fn values(&self, at: usize) -> &[i64] {
        &self.values[self.offsets[at]..self.offsets[at + 1]]
    }

    /// Ends a term whose values were appended to `values`.
    pub(super) fn end(&mut self, shape: u32) {
        self.shapes.push(shape);
        self.offsets.push(self.values.len());
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
            values: self.values,
            loose: Vec::new(),
        }
    }
}
