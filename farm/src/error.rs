//! Errors of what a caller gives.

/// Error of an input that no plan or prediction can be made of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Invalid {
    /// A quantity is out of its range, or not a number.
    #[error("{name} is {value}, which must be {range}")]
    Quantity {
        /// Names the quantity as its field or parameter.
        name: &'static str,
        /// Is the value that was given.
        value: f64,
        /// Says which values are allowed.
        range: &'static str,
    },
    /// There are no items.
    #[error("there are no items")]
    NoItems,
    /// There are no workers.
    #[error("there are no workers")]
    NoWorkers,
    /// An entry of a list is out of its range, or not a number.
    #[error("{name}[{position}] is {value}, which must be {range}")]
    Entry {
        /// Names the list as its field or parameter.
        name: &'static str,
        /// Is the entry's position, from 0.
        position: usize,
        /// Is the value that was given.
        value: f64,
        /// Says which values are allowed.
        range: &'static str,
    },
    /// An item is in no chunk of a deal, or in two.
    #[error("item {item} is not dealt once")]
    NotOnce {
        /// Is the number of the item, from 0.
        item: usize,
    },
    /// A list does not have as many entries as others ask for.
    #[error("there are {found} {name}, and {expected} are needed: {why}")]
    Count {
        /// Names the list as its field or parameter.
        name: &'static str,
        /// Is the number of its entries.
        found: usize,
        /// Is the number that is needed.
        expected: usize,
        /// Says who needs them.
        why: &'static str,
    },
    /// A cell of the strata has no sample, or more than one.
    #[error(
        "the samples are no strata: {found} of the {samples} samples are among the items from {first:?} to {last:?}, where one is needed"
    )]
    Stratum {
        /// Is the number of samples.
        samples: usize,
        /// Is the number of samples in the cell.
        found: usize,
        /// Is the cell's first item, an index for each axis.
        first: Vec<usize>,
        /// Is the cell's last item, an index for each axis.
        last: Vec<usize>,
    },
    /// Items are not the nodes of a product grid.
    #[error(
        "the samples are no grid: {items} items, at as many indices along each axis as {lengths:?}"
    )]
    Nodes {
        /// Is the number of items.
        items: usize,
        /// Is the number of different indices along each axis.
        lengths: Vec<usize>,
    },
    /// Work by speed, or bytes by bandwidth, are more seconds than a number can tell.
    #[error("the makespan is beyond the largest number")]
    Endless,
}

/// Checks that each item is one of `count`.
pub(crate) fn check_items(items: &[usize], count: usize) -> Result<(), Invalid> {
    match items.iter().position(|&item| item >= count) {
        None => Ok(()),
        Some(position) => Err(Invalid::Entry {
            name: "items",
            position,
            value: items[position] as f64,
            range: "below the number of items of the shape",
        }),
    }
}

/// Checks that each entry is finite and not negative.
pub(crate) fn check_times(name: &'static str, values: &[f64]) -> Result<(), Invalid> {
    match values
        .iter()
        .position(|&value| !(value.is_finite() && value >= 0.0))
    {
        None => Ok(()),
        Some(position) => Err(Invalid::Entry {
            name,
            position,
            value: values[position],
            range: "finite and not negative",
        }),
    }
}
