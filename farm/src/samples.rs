//! Measured costs, and the files that hold them.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs, io,
    path::{Path, PathBuf},
};

use superstep_csv::Row;

use crate::{Invalid, shape};

/// Items that were run, each once, and their costs in seconds.
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
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file has no sample.
    #[error("{}: there are no samples", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line is not as it must be.
    #[error("{}:{line}: column {column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Value of the line, from 1.
        column: usize,
        /// Says what is wrong.
        message: String,
    },
    /// An item is there twice.
    #[error("{}:{line}: the item of line {first} again", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Line of the same item before.
        first: usize,
    },
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
        let text = fs::read_to_string(path).map_err(|source| SamplesError::Io {
            path: path.into(),
            source,
        })?;
        Self::from_csv(&text, shape, path)
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
    /// twice, or there is none.
    pub fn from_csv(text: &str, shape: &[usize], path: &Path) -> Result<Self, SamplesError> {
        shape::items(shape)?;
        let syntax = |line, column, message| SamplesError::Syntax {
            path: path.into(),
            line,
            column,
            message,
        };
        let empty = || SamplesError::Empty { path: path.into() };
        let mut rows = superstep_csv::rows(text);
        let names = rows.next().ok_or_else(empty)?;
        let line = names.line();
        check_columns(&names, shape).map_err(|(column, message)| syntax(line, column, message))?;
        let mut named = (1..).zip(names.cells());
        if let Some((column, name)) = named.find(|(_, name)| name.parse::<f64>().is_ok()) {
            let name = shortened(name);
            let message = format!("`{name}` names no column: the first row has names");
            return Err(syntax(line, column, message));
        }
        let mut samples = Self {
            items: Vec::new(),
            costs: Vec::new(),
        };
        let mut lines = HashMap::new();
        for row in rows {
            let (line, sample) = (row.line(), parse(&row, shape));
            let (item, cost) = sample.map_err(|(column, message)| syntax(line, column, message))?;
            match lines.entry(item) {
                Entry::Vacant(entry) => drop(entry.insert(line)),
                Entry::Occupied(entry) => {
                    return Err(SamplesError::Twice {
                        path: path.into(),
                        line,
                        first: *entry.get(),
                    });
                }
            }
            samples.items.push(item);
            samples.costs.push(cost);
        }
        if samples.items.is_empty() {
            return Err(empty());
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
