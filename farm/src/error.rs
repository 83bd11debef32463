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
}
