//! Operands of a reduction: where they come from.

use std::ops::{Mul, Range};
use std::sync::Arc;

/// List of operands.
pub(crate) trait Operands<T> {
    /// Returns the operands of `range`, by their places in it. A list that lies in memory checks
    /// here, once, that it has all of them.
    fn within(&self, range: Range<usize>) -> impl Fn(usize) -> T;
}

impl<T, F: Fn(usize) -> T> Operands<T> for F {
    fn within(&self, range: Range<usize>) -> impl Fn(usize) -> T {
        move |at| self(range.start + at)
    }
}

/// Elements of a slice.
pub(crate) struct Elements<T>(pub(crate) Arc<[T]>);

impl<T: Copy> Operands<T> for Elements<T> {
    fn within(&self, range: Range<usize>) -> impl Fn(usize) -> T {
        let x = &self.0[range];
        move |at| x[at]
    }
}

/// Products of the elements of two slices of one length.
pub(crate) struct Products<T>(pub(crate) Arc<[T]>, pub(crate) Arc<[T]>);

impl<T: Copy + Mul<Output = T>> Operands<T> for Products<T> {
    fn within(&self, range: Range<usize>) -> impl Fn(usize) -> T {
        let (x, y) = (&self.0[range.clone()], &self.1[range]);
        move |at| x[at] * y[at]
    }
}
