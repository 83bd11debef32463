//! Errors of farms.

use superstep_farm::Invalid;
use thiserror::Error;

use crate::error::Payload;

/// Error of a farm.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FarmError {
    /// An item panicked. If several did, this is the first of them, whatever the timing.
    #[error("item {item} panicked: {message}")]
    Panicked {
        /// Number of the item, from 0.
        item: usize,
        /// Message of the panic, if it had one.
        message: String,
        /// Payload with which the item panicked.
        payload: Payload,
    },
    /// A number that the farm was given is out of its range. Nothing has run but a sample.
    #[error("the farm cannot be planned: {0}")]
    Invalid(#[from] Invalid),
    /// The shape does not have as many items as there are.
    #[error("a shape of {shape:?} does not have the {items} items that there are")]
    Shape {
        /// Shape that was given.
        shape: Vec<usize>,
        /// Number of items.
        items: usize,
    },
    /// There is no clock for a sample or for reports of the progress.
    #[error("a farm with a sample or reports needs a clock, and this system has none")]
    NoClock,
    /// There are more items than a farm can count.
    #[error("{0} items are more than a farm takes, which is 2^31")]
    TooMany(usize),
}

impl FarmError {
    pub(super) fn panicked(item: usize, payload: Payload) -> Self {
        Self::Panicked {
            item,
            message: payload.message(),
            payload,
        }
    }
}
