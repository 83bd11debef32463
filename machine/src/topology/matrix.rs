//! Matrices of numbers between hosts, from files of comma-separated values, and probes of recorded
//! times.

use std::{
    collections::VecDeque,
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
};

use super::{Finished, Probe, RoundTrip};

/// Square matrix of finite numbers, at least 0, between hosts or ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    names: Vec<String>,
    values: Vec<f64>,
}

/// Most rows of a matrix: its numbers take 128 MiB.
const MOST: usize = 4096;

/// Largest number of a matrix: as microseconds some eleven days, which fit in nanoseconds.
const LARGEST: f64 = 1e12;

/// Why a matrix was not read.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A row is too long or too short, or an entry is no number.
    #[error("{}:{line}:{entry}: {message}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Entry of the line, from 1.
        entry: usize,
        /// The defect.
        message: String,
    },
}

/// Why matrices are no recorded times.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// Fewer than two hosts.
    #[error("a tree has at least 2 hosts, not {0}")]
    Few(usize),
    /// Two times for one pair.
    #[error("the {what} between {a} and {b} is {one} in one direction and {other} in the other")]
    Asymmetric {
        /// Round-trip time or spread.
        what: &'static str,
        /// Name of a host.
        a: String,
        /// Name of the other.
        b: String,
        /// From the first to the second, in microseconds.
        one: f64,
        /// From the second to the first, in microseconds.
        other: f64,
    },
    /// Spreads of other hosts than the times.
    #[error("times are between {times} hosts, and spreads between {spreads}")]
    Sizes {
        /// Number of hosts of the times.
        times: usize,
        /// Number of hosts of the spreads.
        spreads: usize,
    },
}

impl Matrix {
    /// Reads a matrix as [`from_csv`](Self::from_csv).
    ///
    /// # Errors
    /// When the file cannot be read, or holds no square matrix.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MatrixError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|source| MatrixError::Io {
            path: path.into(),
            source,
        })?;
        Self::from_csv(&text, path)
    }

    /// Parses rows of numbers with commas between them; `path` is what errors call it. A first row
    /// in which a name stands has the names of the hosts, which are else called `h0`, `h1` and so
    /// on. Empty lines, and those that begin with `#`, are passed over.
    ///
    /// # Errors
    /// When the rows are not as long as they are many, or an entry is no finite number from 0 to
    /// 1e12; the error names line and entry.
    ///
    /// ```
    /// use superstep_machine::topology::Matrix;
    /// use std::path::Path;
    ///
    /// let matrix = Matrix::from_csv("a,b\n0,40.5\n40.5,0\n", Path::new("rtt.csv"))?;
    /// assert_eq!(matrix.names(), ["a", "b"]);
    /// assert_eq!(matrix.get(0, 1), 40.5);
    ///
    /// let error = Matrix::from_csv("0,1\n1,-2\n", Path::new("rtt.csv")).unwrap_err();
    /// assert_eq!(error.to_string(), "rtt.csv:2:2: `-2` must be a finite number from 0 to 1e12");
    /// # Ok::<(), superstep_machine::topology::MatrixError>(())
    /// ```
    // Rows of numbers need no quotes and no escapes: a library for CSV would add nothing but its
    // own errors.
    pub fn from_csv(text: &str, path: &Path) -> Result<Self, MatrixError> {
        let wrong = |line: usize, entry: usize, message: String| MatrixError::Entry {
            path: path.into(),
            line,
            entry,
            message,
        };
        let mut names: Option<Vec<String>> = None;
        let mut values = Vec::new();
        let (mut rows, mut width, mut last) = (0, None, 1);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = (1..).zip(text.lines().map(str::trim));
        for (line, row) in lines.filter(|(_, row)| !row.is_empty() && !row.starts_with('#')) {
            last = line;
            let entries = row.split(',').count();
            let wanted = *width.get_or_insert(entries);
            if wanted > MOST {
                return Err(wrong(
                    line,
                    MOST + 1,
                    format!("a matrix has at most {MOST} rows"),
                ));
            }
            if entries != wanted {
                let message =
                    format!("expected {wanted} entries as in the first row, found {entries}");
                return Err(wrong(line, entries.min(wanted), message));
            }
            let is_name = |entry: &str| entry.trim().parse::<f64>().is_err();
            if rows == 0 && names.is_none() && row.split(',').any(is_name) {
                names = Some(row.split(',').map(|name| name.trim().to_owned()).collect());
                continue;
            }
            if rows == wanted {
                let message = format!("the matrix goes on after {wanted} rows of {wanted} entries");
                return Err(wrong(line, 1, message));
            }
            for (entry, value) in (1..).zip(row.split(',').map(str::trim)) {
                match value.parse::<f64>() {
                    Ok(number) if (0.0..=LARGEST).contains(&number) => values.push(number),
                    _ => {
                        let message = format!("`{value}` must be a finite number from 0 to 1e12");
                        return Err(wrong(line, entry, message));
                    }
                }
            }
            rows += 1;
        }
        let wanted = width.unwrap_or(0);
        if rows != wanted || rows == 0 {
            let message = format!("expected {wanted} rows of {wanted} entries, found {rows}");
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

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Number in a row and a column, which are below the size.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size() + column]
    }

    fn check_symmetry(&self, what: &'static str) -> Result<(), RecordError> {
        for row in 0..self.size() {
            for column in 0..row {
                let (one, other) = (self.get(column, row), self.get(row, column));
                if one != other {
                    return Err(RecordError::Asymmetric {
                        what,
                        a: self.names[column].clone(),
                        b: self.names[row].clone(),
                        one,
                        other,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Probe of round-trip times that were recorded. Measuring again gives nothing new: spreads that
/// stand out are taken as they are.
#[derive(Clone, Debug)]
pub struct Recorded {
    times: Matrix,
    spreads: Option<Matrix>,
    waiting: VecDeque<(usize, usize)>,
}

impl Recorded {
    /// Makes a probe of round-trip times and their spreads in microseconds; without spreads these
    /// count as 0. Diagonals are not looked at.
    ///
    /// # Errors
    /// When there are fewer than two hosts, a matrix is not symmetric, or both have different
    /// sizes.
    pub fn new(times: Matrix, spreads: Option<Matrix>) -> Result<Self, RecordError> {
        if times.size() < 2 {
            return Err(RecordError::Few(times.size()));
        }
        times.check_symmetry("round-trip time")?;
        if let Some(spreads) = &spreads {
            if spreads.size() != times.size() {
                return Err(RecordError::Sizes {
                    times: times.size(),
                    spreads: spreads.size(),
                });
            }
            spreads.check_symmetry("spread")?;
        }
        Ok(Self {
            times,
            spreads,
            waiting: VecDeque::new(),
        })
    }

    /// Names of the hosts.
    pub fn names(&self) -> &[String] {
        self.times.names()
    }
}

impl Probe for Recorded {
    type Error = Infallible;

    fn begin(&mut self, a: usize, b: usize) {
        self.waiting.push_back((a, b));
    }

    fn finish(&mut self) -> Finished<Infallible> {
        let pair = self
            .waiting
            .pop_front()
            .expect("a measurement is waited for only after it is begun");
        let nanoseconds = |matrix: &Matrix| (matrix.get(pair.0, pair.1) * 1000.0).round() as u64;
        Finished {
            pair,
            result: Ok(RoundTrip {
                minimum: nanoseconds(&self.times),
                spread: self.spreads.as_ref().map_or(0, nanoseconds),
            }),
        }
    }

    fn can_repeat(&self) -> bool {
        false
    }
}
