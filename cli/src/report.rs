//! How commands print what they say.

use std::io::{self, Write};

use serde::Serialize;
use superstep::build::Report;

use crate::failure::Failure;

/// Prints a report to the standard output.
pub(crate) fn print(report: &Report, as_json: bool) -> Result<(), Failure> {
    write(&if as_json { json(report) } else { report.text() })
}

/// One JSON object, for programs.
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
        .map_err(Failure::Output)
}
