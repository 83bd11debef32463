//! Output of commands: text or JSON, and files.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::{Failure, InFile, unwritten};

/// Output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the output cannot be written: {0}")]
struct OutputError(#[source] io::Error);

/// Prints figures to the standard output, as JSON or as a text.
pub(crate) fn print(
    figures: &impl Serialize,
    as_json: bool,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    write(&if as_json { json(figures) } else { text() })
}

/// Returns one JSON object, for programs.
pub(crate) fn json(figures: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(figures)
        .expect("figures serialise: their keys are strings and their numbers finite");
    text.push('\n');
    text
}

/// Writes to the standard output.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output.write_all(text.as_bytes());
    written.and_then(|()| output.flush()).map_err(|error| {
        // Whoever reads the output has seen enough.
        let code = u8::from(error.kind() != ErrorKind::BrokenPipe);
        Failure::from(OutputError(error)).with_exit_code(code)
    })
}

/// Writes a file as a whole.
pub(crate) fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), InFile> {
    superstep_files::replace(path, text).map_err(unwritten(path))
}

/// Writes named values, one below the other.
pub(crate) fn rows<N: Display, V: Display>(rows: impl IntoIterator<Item = (N, V)>) -> String {
    let rows = rows.into_iter();
    rows.map(|(name, value)| format!("{name:<18}{value}\n"))
        .collect()
}

/// Writes a figure with six significant digits.
pub(crate) fn figure(value: f64) -> String {
    let magnitude = value.abs().log10().floor();
    if value == 0.0 || !value.is_finite() {
        value.to_string()
    } else if (-5.0..6.0).contains(&magnitude) {
        format!("{value:.*}", (5.0 - magnitude) as usize)
    } else {
        format!("{value:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_have_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (12.0, "12.0000"),
            (61.025_987_6, "61.0260"),
            (123_456.7, "123457"),
            (0.000_123_456_78, "0.000123457"),
            (1.234_567_8e9, "1.23457e9"),
            (-3.5e-9, "-3.50000e-9"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(figure(value), text);
        }
    }
}
