//! Values as options have them: numbers, and names out of a list.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses a number that fits; of others it says what fits.
pub(crate) fn number(
    text: &str,
    fits: impl FnOnce(f64) -> bool,
    what: &str,
) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if fits(number) => Ok(number),
        _ => Err(what.to_owned()),
    }
}

/// Parses a finite number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let fits = |number: f64| number.is_finite() && number > 0.0;
    number(text, fits, "it is a finite number above 0")
}

/// Parses a finite number from 0 on.
pub(crate) fn at_least_0(text: &str) -> Result<f64, String> {
    let fits = |number: f64| number.is_finite() && number >= 0.0;
    number(text, fits, "it is a finite number, at least 0")
}

/// Parses the name of one of a list, and lists all.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    value: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(move |&each| value(each))).map(move |name| {
        let mut all = all.iter().copied();
        all.find(|&each| value(each).get_name() == name)
            .expect("the parser accepts the names of these alone")
    })
}
