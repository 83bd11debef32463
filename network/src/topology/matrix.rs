//! Matrices of numbers between hosts, from files of comma-separated values.

use std::path::Path;

use superstep_files::{FileError, read_text};

/// Square matrix of finite numbers, at least 0, between hosts or ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    names: Vec<String>,
    values: Vec<f64>,
}

/// Largest number of a matrix: as microseconds some eleven days, which fit in nanoseconds.
const LARGEST: f64 = 1e12;

/// Parses a number of a matrix, or says what is wrong with it.
pub(super) fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LARGEST).contains(&number) => Ok(number),
        _ => Err(format!("`{text}` must be a finite number from 0 to 1e12")),
    }
}

impl Matrix {
    /// Most rows: their numbers take 128 MiB.
    pub const MOST_ROWS: usize = 4096;

    /// Reads a matrix as [`from_csv`](Self::from_csv).
    ///
    /// # Errors
    /// When the file cannot be read, or holds no square matrix.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        Self::from_csv(&read_text(path)?, path)
    }

    /// Parses rows of numbers with commas between them; `path` is what errors call it. A first row
    /// in which a name stands has the names of the hosts, which are else called `h0`, `h1` and so
    /// on. Empty lines, and those that begin with `#`, are passed over.
    ///
    /// # Errors
    /// When the rows are not as long as they are many, or an entry is no finite number from 0 to
    /// 1e12. The error names line and entry.
    ///
    /// ```
    /// use superstep_network::topology::Matrix;
    /// use std::path::Path;
    ///
    /// let matrix = Matrix::from_csv("a,b\n0,40.5\n40.5,0\n", Path::new("rtt.csv"))?;
    /// assert_eq!(matrix.names(), ["a", "b"]);
    /// assert_eq!(matrix.get(0, 1), 40.5);
    ///
    /// let error = Matrix::from_csv("0,1\n1,-2\n", Path::new("rtt.csv")).unwrap_err();
    /// assert_eq!(error.to_string(), "rtt.csv:2:2: `-2` must be a finite number from 0 to 1e12");
    /// # Ok::<(), superstep_files::FileError>(())
    /// ```
    pub fn from_csv(text: &str, path: &Path) -> Result<Self, FileError> {
        let wrong = |line, entry, message: String| FileError::at(path, [line, entry], message);
        let mut names: Option<Vec<String>> = None;
        let mut values = Vec::new();
        let (mut rows, mut width, mut last) = (0, None, 1);
        for row in superstep_csv::rows(text) {
            let (line, entries) = (row.line(), row.width());
            last = line;
            let wanted = *width.get_or_insert(entries);
            if wanted > Self::MOST_ROWS {
                let message = format!("a matrix has at most {} rows", Self::MOST_ROWS);
                return Err(wrong(line, Self::MOST_ROWS + 1, message));
            }
            if entries != wanted {
                let message =
                    format!("expected {wanted} entries as in the first row, found {entries}");
                return Err(wrong(line, entries.min(wanted), message));
            }
            let is_name = |entry: &str| entry.parse::<f64>().is_err();
            if rows == 0 && names.is_none() && row.cells().any(is_name) {
                names = Some(row.cells().map(str::to_owned).collect());
                continue;
            }
            if rows == wanted {
                let message = format!("the matrix goes on after {wanted} rows of {wanted} entries");
                return Err(wrong(line, 1, message));
            }
            for (entry, value) in (1..).zip(row.cells()) {
                values.push(number(value).map_err(|message| wrong(line, entry, message))?);
            }
            rows += 1;
        }
        let wanted = width.unwrap_or(0);
        if rows != wanted || rows == 0 {
            let message = match wanted {
                0 => "there are no numbers".to_owned(),
                _ => format!("expected {wanted} rows of {wanted} entries, found {rows}"),
            };
            return Err(wrong(last, 1, message));
        }
        let names = names.unwrap_or_else(|| (0..rows).map(|host| format!("h{host}")).collect());
        Ok(Self { names, values })
    }

    /// Makes a matrix of a function of row and column.
    pub fn from_fn(names: Vec<String>, value: impl Fn(usize, usize) -> f64) -> Self {
        let size = names.len();
        let values = (0..size * size).map(|at| value(at / size, at % size));
        Self {
            values: values.collect(),
            names,
        }
    }

    /// Names of the hosts.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of rows.
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Returns the number in a row and a column, which are below the size.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size() + column]
    }
}
