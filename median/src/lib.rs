//! The median of measurements: the figure of which most is told where others disturb.

/// Returns the middle value, the upper one of two. In linear time.
///
/// # Panics
/// Without values.
///
/// ```
/// use superstep_median::median;
///
/// assert_eq!(median([3.0, 1.0, 100.0]), 3.0);
/// assert_eq!(median([4.0, 3.0, 1.0, 100.0]), 4.0);
/// ```
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    assert!(!values.is_empty(), "a median is one of some values");
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
