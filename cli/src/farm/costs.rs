//! Files of what items cost.

use std::fs;
use std::path::Path;

use superstep_farm::{Invalid, Items};
use superstep_files::FileError;

use crate::failure::{Failure, unread};

/// Reads a file as [`parse`] does.
pub(super) fn read(path: &Path) -> Result<Items, Failure> {
    let text = fs::read_to_string(path).map_err(unread(path))?;
    Ok(parse(&text, path)?)
}

/// Returns whether a cell of the first row is a name, and no number that is mistyped.
fn is_name(cell: &str) -> bool {
    !cell.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && cell.parse::<f64>().is_err()
}

/// Parses comma-separated values, a row for each item. It has the item's cost in units of work,
/// then if wanted the bytes that are sent for it, then those that are returned.
///
/// A first row of names, none of which begins as a number, is a header. Empty lines, and those that
/// begin with `#`, are left out.
fn parse(text: &str, path: &Path) -> Result<Items, FileError> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut header = true;
    for row in superstep_csv::rows(text) {
        let named = row.cells().all(is_name);
        if std::mem::take(&mut header) && named {
            continue;
        }
        let error = |message: String| FileError::at(path, [row.line()], message);
        let found = row.width();
        let there = match found {
            1 => "there is 1 column".to_owned(),
            _ => format!("there are {found} columns"),
        };
        if columns.is_empty() {
            if found > 3 {
                return Err(error(format!(
                    "{there}, where there are at most cost, bytes, result bytes"
                )));
            }
            columns.resize(found, Vec::new());
        }
        if found != columns.len() {
            let wanted = columns.len();
            return Err(error(format!("{there}, where the first row has {wanted}")));
        }
        for (at, (cell, column)) in row.cells().zip(&mut columns).enumerate() {
            match cell.parse() {
                Ok(value) if value >= 0.0 && f64::is_finite(value) => column.push(value),
                _ => {
                    let shown: String = cell.chars().take(40).collect();
                    return Err(error(format!(
                        "column {}: `{shown}` is no number from 0",
                        at + 1
                    )));
                }
            }
        }
    }
    let Some((costs, bytes)) = columns.split_first() else {
        return Err(FileError::at(path, [], "there are no items"));
    };
    let items = || -> Result<Items, Invalid> {
        let mut items = Items::new(costs)?;
        if let Some(sent) = bytes.first() {
            items = items.with_bytes(sent)?;
        }
        if let Some(returned) = bytes.get(1) {
            items = items.with_results(returned)?;
        }
        Ok(items)
    };
    items().map_err(|error| FileError::at(path, [], error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::parse;

    const FILE: &str = "cost, bytes, results\n# three\n1.5, 100, 8\n\n2e-3, 50, 8\n0, 0, 0\n";

    #[test]
    fn columns_are_costs_bytes_and_results() {
        let items = parse(FILE, Path::new("costs.csv")).unwrap();
        assert_eq!(items.len(), 3);
        assert_eq!(items.total_cost(), 1.502);
        assert_eq!(items.total_bytes(), 150.0);
        assert_eq!(items.results(&(0..2)), 16.0);
    }

    #[test]
    fn rows_that_are_wrong_are_named() {
        let cases = [
            ("", "costs.csv: there are no items"),
            ("cost\n", "costs.csv: there are no items"),
            (
                "1\n\n-2\n",
                "costs.csv:3: column 1: `-2` is no number from 0",
            ),
            (
                "1\nnan\n",
                "costs.csv:2: column 1: `nan` is no number from 0",
            ),
            (
                "1,2\n1\n",
                "costs.csv:2: there is 1 column, where the first row has 2",
            ),
            (
                "1,2,3,4\n",
                "costs.csv:1: there are 4 columns, where there are at most cost, bytes, result bytes",
            ),
            (
                "1e308\n1e308\n",
                "costs.csv: the sum of costs, up to costs[1], is beyond the largest number",
            ),
        ];
        for (text, message) in cases {
            let error = parse(text, Path::new("costs.csv")).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    proptest! {
        #[test]
        fn spoiled_files_are_refused_or_read(at in any::<prop::sample::Index>(), with in "[0-9e.,+\\-#na\n]{0,6}") {
            let mut text = FILE.to_owned();
            let at = at.index(text.len());
            text.replace_range(at..(at + 2).min(text.len()), &with);
            if let Ok(items) = parse(&text, Path::new("costs.csv")) {
                prop_assert!(items.total_cost().is_finite());
                prop_assert!(items.len() <= text.len());
            }
        }
    }
}
