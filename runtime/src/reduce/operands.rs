//! Where the operands of a reduction come from.

use std::ops::{Mul, Range};
use std::sync::Arc;

/// A list of operands, asked for by chains: a list that knows how its operands lie in memory checks an index once for a chain.
pub(super) trait Operands<T> {
    /// The operands of `range`, which is not empty, combined from left to right.
    fn chain(&self, range: Range<usize>, combine: &impl Fn(T, T) -> T) -> T;
}

impl<T, F: Fn(usize) -> T> Operands<T> for F {
    fn chain(&self, range: Range<usize>, combine: &impl Fn(T, T) -> T) -> T {
        let mut value = self(range.start);
        for i in range.start + 1..range.end {
            value = combine(value, self(i));
        }
        value
    }
}

/// The elements of a slice.
pub(super) struct Elements<T>(pub(super) Arc<[T]>);

impl<T: Copy> Operands<T> for Elements<T> {
    fn chain(&self, range: Range<usize>, combine: &impl Fn(T, T) -> T) -> T {
        let values = self.0[range].iter().copied();
        values.reduce(combine).expect("a chain is not empty")
    }
}

/// The products of the elements of two slices of one length.
pub(super) struct Products<T>(pub(super) Arc<[T]>, pub(super) Arc<[T]>);

impl<T: Copy + Mul<Output = T>> Operands<T> for Products<T> {
    fn chain(&self, range: Range<usize>, combine: &impl Fn(T, T) -> T) -> T {
        let pairs = self.0[range.clone()].iter().zip(&self.1[range]);
        let values = pairs.map(|(&x, &y)| x * y);
        values.reduce(combine).expect("a chain is not empty")
    }
}
