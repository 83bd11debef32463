//! Shapes: how many items there are along each axis, the last running fastest.

use crate::{Invalid, error::check};

/// Most items of a shape: their predicted costs take 2 GiB.
pub(crate) const MOST_ITEMS: usize = 1 << 28;

/// Returns the number of items of a shape.
///
/// # Errors
///
/// [`Invalid`] if there is no axis, one without items, or more than 2^28 items.
pub(crate) fn items(shape: &[usize]) -> Result<usize, Invalid> {
    if shape.is_empty() {
        return Err(Invalid::Count {
            name: "axes",
            found: 0,
            expected: 1,
            why: "items are numbered along at least one",
        });
    }
    let product = |sum: f64, &length: &usize| sum * length as f64;
    let count = shape.iter().fold(1.0, product);
    let fits = 1.0 <= count && count <= MOST_ITEMS as f64;
    check("items", count, fits, "from 1 to 268435456")?;
    Ok(shape.iter().product())
}

/// Returns an item's index along each axis.
pub(crate) fn indices(shape: &[usize], item: usize) -> Vec<usize> {
    let mut rest = item;
    let mut indices = vec![0; shape.len()];
    for (index, &length) in indices.iter_mut().zip(shape).rev() {
        *index = rest % length;
        rest /= length;
    }
    indices
}

/// Returns the number of the item that has this index along each axis (row-major).
pub(crate) fn item(shape: &[usize], indices: impl IntoIterator<Item = usize>) -> usize {
    let step = |item, (&length, index)| item * length + index;
    shape.iter().zip(indices).fold(0, step)
}
