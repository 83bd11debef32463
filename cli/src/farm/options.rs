//! Values that options of several commands have: shapes and shares of items.

use std::str::FromStr;

/// Number of items along each axis. At least one number was given; nothing says that they are above
/// 0, or that their product fits.
#[derive(Clone, Debug)]
pub(super) struct Shape(pub(super) Vec<usize>);

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lengths = text.split('x').map(str::parse).collect::<Result<_, _>>();
        lengths
            .map(Self)
            .map_err(|_| "it is the number of items along each axis, as in 1024x1024".to_owned())
    }
}

/// Parses a share of all items, a number or a fraction.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match text.split_once('/') {
        Some((above, below)) => number(above).zip(number(below)).map(|(a, b)| a / b),
        None => number(text),
    };
    share
        .filter(|&share| 0.0 < share && share <= 1.0)
        .ok_or_else(|| "a share is above 0 and at most 1, as in 1/64".to_owned())
}

/// Joins numbers as shapes are written.
pub(super) fn by(lengths: &[usize]) -> String {
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    lengths.join("x")
}
