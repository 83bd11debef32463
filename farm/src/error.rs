//! Errors of what a caller gives.

/// Error of an input that no plan can be made of.
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
    /// A quantity of one item or worker is out of its range, or not a number.
    #[error("{name} {index} is {value}, which must be {range}")]
    Item {
        /// Names the quantity.
        name: &'static str,
        /// Is the number of the item or worker, from 0.
        index: usize,
        /// Is the value that was given.
        value: f64,
        /// Says which values are allowed.
        range: &'static str,
    },
    /// A list has another length than there are items or workers.
    #[error("{name} are {found}, where there must be {wanted}")]
    Length {
        /// Names the list.
        name: &'static str,
        /// Is the length of the list.
        found: usize,
        /// Is the number of items or workers.
        wanted: usize,
    },
    /// An item is in no chunk of a deal, or in two.
    #[error("item {item} is not dealt once")]
    NotOnce {
        /// Is the number of the item, from 0.
        item: usize,
    },
    /// Work by speed, or bytes by bandwidth, are more seconds than a number can tell.
    #[error("the makespan is beyond the largest number")]
    Endless,
}
