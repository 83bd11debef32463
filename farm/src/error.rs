//! Errors of what a caller gives.

/// Error of an input that no plan or prediction can be made of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Invalid {
    /// A quantity is out of its range, or not a number.
    #[error("{name} is {value}, which must be {range}")]
    Quantity {
        /// Name of the quantity, as its field or parameter.
        name: &'static str,
        /// Value that was given.
        value: f64,
        /// Values that are allowed.
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
        /// Name of the list, as its field or parameter.
        name: &'static str,
        /// Position of the entry, from 0.
        position: usize,
        /// Value that was given.
        value: f64,
        /// Values that are allowed.
        range: &'static str,
    },
    /// Entries of a list, each a finite number, add up to an infinite one.
    #[error("the sum of {name}, up to {name}[{position}], is beyond the largest number")]
    Sum {
        /// Name of the list, as its field or parameter.
        name: &'static str,
        /// Position of the first entry with which they do, from 0.
        position: usize,
    },
    /// An item is in no chunk of a deal, or in two.
    #[error("item {item} is not dealt once")]
    NotOnce {
        /// Number of the item, from 0.
        item: usize,
    },
    /// A list does not have as many entries as others ask for.
    #[error("there are {found} {name}, and {expected} are needed: {why}")]
    Count {
        /// Name of the list, as its field or parameter.
        name: &'static str,
        /// Number of its entries.
        found: usize,
        /// Number that is needed.
        expected: usize,
        /// Reason: who needs them.
        why: &'static str,
    },
    /// A cell of the strata has no sample, or more than one.
    #[error(
        "the samples are no strata: {found} of the {samples} samples are among the items from {first:?} to {last:?}, where one is needed"
    )]
    Stratum {
        /// Number of samples.
        samples: usize,
        /// Number of samples in the cell.
        found: usize,
        /// First item of the cell, an index for each axis.
        first: Vec<usize>,
        /// Last item of the cell, an index for each axis.
        last: Vec<usize>,
    },
    /// Items are not the nodes of a product grid.
    #[error(
        "the samples are no grid: {items} items, at as many indices along each axis as {lengths:?}"
    )]
    Nodes {
        /// Number of items.
        items: usize,
        /// Number of different indices along each axis.
        lengths: Vec<usize>,
    },
    /// Work over speed, or bytes over bandwidth, are more seconds than a number can tell.
    #[error("the makespan is beyond the largest number")]
    Endless,
}

/// Checks that a quantity fits its range.
pub(crate) fn check(
    name: &'static str,
    value: f64,
    fits: bool,
    range: &'static str,
) -> Result<(), Invalid> {
    match fits {
        true => Ok(()),
        false => Err(Invalid::Quantity { name, value, range }),
    }
}

/// Checks that a quantity is finite and not negative.
pub(crate) fn check_quantity(name: &'static str, value: f64) -> Result<(), Invalid> {
    let fits = value.is_finite() && value >= 0.0;
    check(name, value, fits, "finite and not negative")
}

/// Checks that a list has as many entries as are needed; `why` says who needs them.
pub(crate) fn check_count(
    name: &'static str,
    found: usize,
    expected: usize,
    why: &'static str,
) -> Result<(), Invalid> {
    match found == expected {
        true => Ok(()),
        false => Err(Invalid::Count {
            name,
            found,
            expected,
            why,
        }),
    }
}

/// Checks that each entry of a list fits its range.
pub(crate) fn check_each(
    name: &'static str,
    values: impl IntoIterator<Item = f64>,
    range: &'static str,
    mut fits: impl FnMut(f64) -> bool,
) -> Result<(), Invalid> {
    let mut entries = values.into_iter().enumerate();
    match entries.find(|&(_, value)| !fits(value)) {
        None => Ok(()),
        Some((position, value)) => Err(Invalid::Entry {
            name,
            position,
            value,
            range,
        }),
    }
}

/// Checks that each item is one of `count`.
pub(crate) fn check_items(items: &[usize], count: usize) -> Result<(), Invalid> {
    let range = "below the number of items of the shape";
    let items = items.iter().map(|&item| item as f64);
    check_each("items", items, range, |item| item < count as f64)
}

/// Checks that each entry is finite and not negative.
pub(crate) fn check_times(name: &'static str, values: &[f64]) -> Result<(), Invalid> {
    let fits = |value: f64| value.is_finite() && value >= 0.0;
    check_each(
        name,
        values.iter().copied(),
        "finite and not negative",
        fits,
    )
}

/// Checks that the sum of finite entries is finite.
pub(crate) fn check_sum(name: &'static str, values: &[f64]) -> Result<(), Invalid> {
    let mut sum = 0.0;
    let is_infinite = |value: &f64| {
        sum += value;
        f64::is_infinite(sum)
    };
    match values.iter().position(is_infinite) {
        None => Ok(()),
        Some(position) => Err(Invalid::Sum { name, position }),
    }
}

/// Checks the relative speeds of workers.
pub(crate) fn check_weights(weights: &[f64]) -> Result<(), Invalid> {
    let fits = |weight: f64| weight.is_finite() && weight > 0.0;
    check_each(
        "weights",
        weights.iter().copied(),
        "finite and above 0",
        fits,
    )?;
    check_sum("weights", weights)
}
