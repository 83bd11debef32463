//! Measured costs, and the files that hold them.

use std::{collections::HashMap, path::Path};

use superstep_csv::Row;
use superstep_files::{FileError, read_text};

use crate::{Invalid, shape};

/// Items that were run, each once, and their costs in seconds. The number of an item is that in
/// its shape, of which the last axis runs fastest (row-major).
///
/// ```
/// use std::path::Path;
/// use superstep_farm::Samples;
///
/// let path = Path::new("samples.csv");
/// let samples = Samples::from_csv("i, j, seconds\n0, 3, 0.25\n2, 1, 1e-3\n", &[4, 5], path)?;
/// assert_eq!((samples.items(), samples.costs()), (&[3, 11][..], &[0.25, 0.001][..]));
///
/// let error = Samples::from_csv("i, seconds\n0, 1\n7, 1\n", &[4], path).unwrap_err();
/// assert_eq!(error.to_string(), "samples.csv:3: column 1: `7` is no index: a whole number below 4");
/// # Ok::<(), superstep_farm::SamplesError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    items: Vec<usize>,
    costs: Vec<f64>,
}

/// Errors of files of samples.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// The file cannot be read, or has a defect.
    #[error(transparent)]
    File(#[from] FileError),
    /// The shape is none.
    #[error(transparent)]
    Shape(#[from] Invalid),
}

impl Samples {
    /// Reads a file as [`from_csv`](Self::from_csv) does.
    ///
    /// # Errors
    ///
    /// [`SamplesError`] when the file cannot be read, or as `from_csv`.
    pub fn read(path: &Path, shape: &[usize]) -> Result<Self, SamplesError> {
        Self::from_csv(&read_text(path)?, shape, path)
    }

    /// Parses comma-separated values; `path` is what errors call the file.
    ///
    /// The first row names the columns. Each other row has an item's index along each axis of the
    /// shape, from 0, and its seconds. Empty lines, and those that begin with `#`, are left out.
    ///
    /// # Errors
    ///
    /// [`SamplesError`] when the names are missing, a row has not a value for each column, or an
    /// index is not of the shape. Also when seconds are no finite number from 0, an item is there
    /// twice, or there is none. Also when the shape has no axis, no items, or too many.
    pub fn from_csv(text: &str, shape: &[usize], path: &Path) -> Result<Self, SamplesError> {
        shape::items(shape)?;
        let wrong = |line, (column, message): Wrong| {
            FileError::at(path, [line], format!("column {column}: {message}"))
        };
        let empty = || FileError::at(path, [], "there are no samples");
        let mut rows = superstep_csv::rows(text);
        let names = rows.next().ok_or_else(empty)?;
        let line = names.line();
        check_columns(&names, shape).map_err(|defect| wrong(line, defect))?;
        let mut named = (1..).zip(names.cells());
        if let Some((column, name)) = named.find(|(_, name)| name.parse::<f64>().is_ok()) {
            let name = shortened(name);
            let message = format!("`{name}` names no column: the first row has names");
            return Err(wrong(line, (column, message)).into());
        }
        let mut samples = Self {
            items: Vec::new(),
            costs: Vec::new(),
        };
        let mut lines = HashMap::new();
        for row in rows {
            let line = row.line();
            let (item, cost) = parse(&row, shape).map_err(|defect| wrong(line, defect))?;
            if let Some(first) = lines.insert(item, line) {
                let message = format!("the item of line {first} again");
                return Err(FileError::at(path, [line], message).into());
            }
            samples.items.push(item);
            samples.costs.push(cost);
        }
        if samples.items.is_empty() {
            return Err(empty().into());
        }
        Ok(samples)
    }

    /// Returns the items, in the order of the file.
    #[must_use]
    pub fn items(&self) -> &[usize] {
        &self.items
    }

    /// Returns their costs in seconds.
    #[must_use]
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }
}

/// Column, and what is wrong there.
type Wrong = (usize, String);

fn check_columns(row: &Row, shape: &[usize]) -> Result<(), Wrong> {
    let (found, expected) = (row.width(), shape.len() + 1);
    if found == expected {
        return Ok(());
    }
    let message =
        format!("{found} columns, in place of {expected}: an index for each axis, and the seconds");
    Err((found.min(expected), message))
}

/// Reads an item and its seconds.
fn parse(row: &Row, shape: &[usize]) -> Result<(usize, f64), Wrong> {
    check_columns(row, shape)?;
    let mut item = 0;
    let mut cells = row.cells();
    for (column, (&length, cell)) in (1..).zip(shape.iter().zip(&mut cells)) {
        let index = cell.parse().ok().filter(|&index: &usize| index < length);
        let no_index = || {
            format!(
                "`{}` is no index: a whole number below {length}",
                shortened(cell)
            )
        };
        item = item * length + index.ok_or_else(|| (column, no_index()))?;
    }
    let cell = cells.next().unwrap_or_default();
    match cell.parse() {
        Ok(seconds) if f64::is_finite(seconds) && seconds >= 0.0 => Ok((item, seconds)),
        _ => {
            let message = format!("`{}` is no time: seconds, 0 or more", shortened(cell));
            Err((shape.len() + 1, message))
        }
    }
}

/// Cuts what a message quotes to 40 characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
