//! Recorded latencies, and the files that hold them.

use std::path::Path;

use superstep_csv::Row;
use superstep_files::{FileError, read_text};

/// Latencies of some paths, recorded together: one row for each period, each value positive.
///
/// ```
/// use std::path::Path;
/// use superstep_network::latency::Samples;
///
/// let text = "a, b (us)\n41, 52000\n43,\n40.5, 0.05 s\n";
/// let samples = Samples::from_csv(text, Path::new("rtt.csv"))?;
/// assert_eq!(samples.path(1), [52.0, 52.0, 50.0]);
/// assert_eq!((samples.name(1), samples.lost()), ("b".into(), 1));
///
/// let error = Samples::from_csv("41, 52\n43, x", Path::new("rtt.csv")).unwrap_err();
/// assert_eq!(error.to_string(), "rtt.csv:2: column 2: `x` is no latency: a positive number with `us`, `ms` or `s`, or `-` if it is lost");
/// # Ok::<(), superstep_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Names from the header of a file; else empty.
    names: Vec<String>,
    paths: usize,
    periods: usize,
    /// The values of one path after those of another.
    values: Vec<f64>,
    lost: usize,
}

impl Samples {
    /// Makes samples from the values of each path. `None`: there are none, not equally many, or
    /// some are not finite and positive.
    pub fn new(paths: &[Vec<f64>]) -> Option<Self> {
        let periods = paths.first()?.len();
        let even = paths.iter().all(|path| path.len() == periods);
        let values = paths.concat();
        let fine = values.iter().all(|value| value.is_finite() && *value > 0.0);
        (periods > 0 && even && fine).then_some(Self {
            names: Vec::new(),
            paths: paths.len(),
            periods,
            values,
            lost: 0,
        })
    }

    /// Reads a file as [`from_csv`](Self::from_csv) does.
    ///
    /// # Errors
    /// When the file cannot be read, or as `from_csv`.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        Self::from_csv(&read_text(path)?, path)
    }

    /// Parses comma-separated values: a column for each path, a row for each period; `path` is what
    /// errors call the file.
    ///
    /// The first row may name the paths, if it has no value. Values are milliseconds unless a unit
    /// (`us`, `ms`, `s`) follows the value, or stands in parentheses behind the name. A value that
    /// is empty, `-`, `nan` or `timeout` is lost: it counts as the one before it, or as the first
    /// of its path. Empty lines, and those that begin with `#`, are left out.
    ///
    /// # Errors
    /// When a row has another number of columns than the first, a value is no latency, or a path
    /// has none at all.
    pub fn from_csv(text: &str, path: &Path) -> Result<Self, FileError> {
        let empty = || FileError::at(path, [], "there are no samples");
        let mut table = superstep_csv::rows(text).peekable();
        let first = table.peek().ok_or_else(empty)?;
        let paths = first.width();
        let header = header(first);
        if header.is_some() {
            table.next();
        }
        let (names, units) = header.unwrap_or_default();
        let (rows, lost) = latencies(table, paths, &units, path)?;
        let periods = rows.len() / paths;
        if periods == 0 {
            return Err(empty());
        }
        let lost_path =
            |column| FileError::at(path, [], format!("column {column}: all samples are lost"));
        let values = by_path(&rows, paths).map_err(lost_path)?;
        Ok(Self {
            names,
            paths,
            periods,
            values,
            lost,
        })
    }

    /// Returns the number of paths, at least 1.
    pub fn paths(&self) -> usize {
        self.paths
    }

    /// Returns the number of periods, at least 1.
    pub fn periods(&self) -> usize {
        self.periods
    }

    /// Returns the number of lost samples that others stand for.
    pub fn lost(&self) -> usize {
        self.lost
    }

    /// Returns the name of a path: that of the file's header, or its number from 1.
    pub fn name(&self, path: usize) -> String {
        self.names
            .get(path)
            .cloned()
            .unwrap_or_else(|| (path + 1).to_string())
    }

    /// Returns the samples of a path, the oldest first.
    pub fn path(&self, path: usize) -> &[f64] {
        &self.values[path * self.periods..][..self.periods]
    }

    /// Returns the largest latency of a period.
    pub fn maximum(&self, period: usize) -> f64 {
        let row = self.values[period..].iter().step_by(self.periods);
        row.copied().fold(0.0, f64::max)
    }
}

/// Returns the names and the units of a header. A row with a latency is none, whatever else it has.
fn header(row: &Row) -> Option<(Vec<String>, Vec<f64>)> {
    let cells = || row.cells().map(|cell| Cell::parse(cell, 1.0));
    let has_latency = cells().any(|cell| matches!(cell, Some(Cell::Latency(_))));
    if has_latency || cells().all(|cell| cell.is_some()) {
        return None;
    }
    let headings = row.cells().map(heading);
    Some(headings.map(|(name, unit)| (name.to_owned(), unit)).unzip())
}

/// Parses rows of latencies, in order, and counts the lost ones. `NAN` stands for those that are
/// lost before the first of their path.
fn latencies(
    table: impl Iterator<Item = Row>,
    paths: usize,
    units: &[f64],
    path: &Path,
) -> Result<(Vec<f64>, usize), FileError> {
    let error = |line, column: usize, message: String| {
        FileError::at(path, [line], format!("column {column}: {message}"))
    };
    let mut rows: Vec<f64> = Vec::with_capacity(paths);
    let mut lost = 0;
    for row in table {
        let before = rows.len();
        let mut column = 0;
        for cell in row.cells() {
            column += 1;
            if column > paths {
                break;
            }
            let unit = units.get(column - 1).copied().unwrap_or(1.0);
            match Cell::parse(cell, unit) {
                Some(Cell::Latency(value)) => rows.push(value),
                Some(Cell::Lost) => {
                    lost += 1;
                    let last = before
                        .checked_sub(paths)
                        .map_or(f64::NAN, |start| rows[start + column - 1]);
                    rows.push(last);
                }
                None => {
                    let message = format!("`{}` is no latency: {LATENCY}", shortened(cell));
                    return Err(error(row.line(), column, message));
                }
            }
        }
        if column != paths {
            let columns = row.width();
            let message = format!("the row has {columns} columns, and the first row has {paths}");
            return Err(error(row.line(), column.min(paths + 1), message));
        }
    }
    Ok((rows, lost))
}

/// Returns the values of one path after those of another, the first of each path in place of those
/// lost before it.
///
/// # Errors
/// The number of a path that has no value, from 1.
fn by_path(rows: &[f64], paths: usize) -> Result<Vec<f64>, usize> {
    let mut values = Vec::with_capacity(rows.len());
    for column in 0..paths {
        let path = || rows[column..].iter().step_by(paths);
        let Some(&first) = path().find(|value| !value.is_nan()) else {
            return Err(column + 1);
        };
        values.extend(path().map(|&value| if value.is_nan() { first } else { value }));
    }
    Ok(values)
}

/// Value of a cell.
enum Cell {
    /// Milliseconds.
    Latency(f64),
    Lost,
}

const LATENCY: &str = "a positive number with `us`, `ms` or `s`, or `-` if it is lost";

/// Milliseconds in units of time.
const UNITS: [(&str, f64); 3] = [("us", 1e-3), ("ms", 1.0), ("s", 1e3)];

impl Cell {
    /// Reads a cell; `unit` is that of a bare number, in milliseconds.
    fn parse(cell: &str, unit: f64) -> Option<Self> {
        let cell = cell.trim().trim_matches('"').trim();
        if ["", "-", "nan", "timeout"]
            .iter()
            .any(|lost| cell.eq_ignore_ascii_case(lost))
        {
            return Some(Self::Lost);
        }
        let own = UNITS
            .iter()
            .find_map(|(name, unit)| cell.strip_suffix(name).map(|number| (number, *unit)));
        let (number, unit) = own.unwrap_or((cell, unit));
        let value = number.trim_end().parse::<f64>().ok()? * unit;
        // What is multiplied later stays finite.
        (value > 1e-30 && value < 1e30).then_some(Self::Latency(value))
    }
}

/// Splits a cell of the header into the name and the unit, in milliseconds.
fn heading(cell: &str) -> (&str, f64) {
    let cell = cell.trim().trim_matches('"').trim();
    for (name, unit) in UNITS {
        for [open, close] in [["(", ")"], ["[", "]"]] {
            let inner = cell
                .strip_suffix(close)
                .and_then(|rest| rest.strip_suffix(name));
            if let Some(rest) = inner.and_then(|rest| rest.strip_suffix(open)) {
                return (rest.trim_end(), unit);
            }
        }
    }
    (cell, 1.0)
}

/// Returns the first characters of a cell, without what a terminal does not show.
fn shortened(cell: &str) -> String {
    cell.trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(20)
        .collect()
}
