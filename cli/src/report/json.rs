//! Reports for programs: one JSON object.

use super::Report;

pub(super) fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report)
        .expect("a report serialises: its keys are strings and its numbers finite");
    text.push('\n');
    text
}
