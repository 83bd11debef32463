//! Output of commands: text or JSON.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;
use superstep_report::Report;

use crate::failure::{CommandError, Failure};

/// Output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the output cannot be written: {0}")]
pub(crate) struct OutputError(#[source] io::Error);

impl CommandError for OutputError {
    fn exit_code(&self) -> u8 {
        // Whoever reads the output has seen enough.
        u8::from(self.0.kind() != ErrorKind::BrokenPipe)
    }
}

/// Prints a report to the standard output.
pub(crate) fn print(report: &Report, as_json: bool) -> Result<(), Failure> {
    write(&if as_json { json(report) } else { report.text() })
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
    output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
        .map_err(|error| OutputError(error).into())
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
