//! Numbers as options have them.

/// Parses a finite number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("it is a finite number above 0".to_owned()),
    }
}

/// Parses a finite number from 0 on.
pub(crate) fn at_least_0(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("it is a finite number, at least 0".to_owned()),
    }
}
