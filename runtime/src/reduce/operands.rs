//! Operands of a reduction: where they come from.

use std::ops::Mul;
use std::sync::Arc;

/// List of operands.
pub(crate) trait Operands<T> {
    /// Returns `count` operands from the first one on, by their places behind it. A list that lies
    /// in memory checks here, once, that it has all of them. Their number is a constant of loops,
    /// which the two ends of a range would hide.
    fn within(&self, first: usize, count: usize) -> impl Fn(usize) -> T;
}

impl<T, F: Fn(usize) -> T> Operands<T> for F {
    fn within(&self, first: usize, _: usize) -> impl Fn(usize) -> T {
        move |at| self(first + at)
    }
}

/// Elements of a slice.
pub(crate) struct Elements<T>(pub(crate) Arc<[T]>);

impl<T: Copy> Operands<T> for Elements<T> {
    fn within(&self, first: usize, count: usize) -> impl Fn(usize) -> T {
        let x = &self.0[first..][..count];
        move |at| x[at]
    }
}

/// Products of the elements of two slices of one length.
pub(crate) struct Products<T>(pub(crate) Arc<[T]>, pub(crate) Arc<[T]>);

impl<T: Copy + Mul<Output = T>> Operands<T> for Products<T> {
    fn within(&self, first: usize, count: usize) -> impl Fn(usize) -> T {
        let (x, y) = (&self.0[first..][..count], &self.1[first..][..count]);
        move |at| x[at] * y[at]
    }
}
