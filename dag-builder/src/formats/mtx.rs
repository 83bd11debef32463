//! Matrix Market: the rows of a triangular solve.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real general
//! % a comment
//! 3 3 4          rows, columns, entries
//! 1 1 2.0        row, column, value; numbers from 1
//! 2 1 0.5        row 2 needs row 1: an edge from task 0 to task 1
//! 2 2 1.0
//! 3 3 1.0
//! ```
//! Entries that are given twice count once. Rows may be empty, but a file of `n` bytes has at most
//! `n + 2^16` rows: memory stays in proportion to the file.

use std::io::{BufRead, Write};

use superstep_dag::Dag;

use super::lines::{Line, Lines};
use super::{FREE, FormatError, MOST_TASKS};

const BANNER: &str = "`%%MatrixMarket matrix coordinate <real|integer|complex|pattern> <general|symmetric|skew-symmetric|hermitian>`";
const SIZES: &str = "`rows columns entries`";

/// Reads the task graph of a lower triangular matrix: a task for each row, an edge from task `j - 1` to task `i - 1` for each entry `(i, j)` off the
/// diagonal. The work of a task is the number of such entries in its row (0 for none), its value one word. The matrix values are only checked to
/// be numbers. Of a symmetric matrix the lower triangle counts, which is what its file lists.
///
/// # Errors
/// When the file is malformed, or the matrix is not square and lower triangular.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut lines = Lines::new(reader, true);
    let kind = match lines.any()? {
        Some(line) => Kind::of(line)?,
        None => return Err(super::syntax(1, BANNER, None)),
    };
    let line = lines.next(SIZES)?;
    let mut fields = line.fields();
    let (rows, columns) = (fields.number(SIZES)?, fields.number(SIZES)?);
    let entries = fields.number(SIZES)?;
    if rows != columns {
        return Err(line.unexpected("a square matrix"));
    }
    if rows > MOST_TASKS {
        return Err(line.unexpected("fewer than 2^31 rows"));
    }
    fields.end(SIZES)?;
    let sizes = line.number;

    let mut edges = Vec::new();
    for at in 0..entries {
        let (row, column) = kind.entry(lines.nth(kind.expected, at, entries)?, rows)?;
        if row != column {
            edges.push((column - 1, row - 1));
        }
    }
    lines.end()?;
    let most = lines.bytes() + FREE;
    if u64::from(rows) > most {
        return Err(FormatError::Syntax {
            line: sizes,
            expected: format!(
                "at most {most} rows in a file of {} bytes (leave out empty rows)",
                lines.bytes()
            ),
            found: format!("{rows} rows"),
        });
    }
    let graph = Dag::from_edges(rows as usize, &edges)?;
    let weights = (0..rows)
        .map(|t| graph.predecessors(t).len() as u32)
        .collect();
    Ok(graph.with_weights(weights)?)
}

/// Entries, as the first line of a file declares them.
struct Kind {
    /// Numbers of a value.
    values: usize,
    /// The form of an entry.
    expected: &'static str,
    /// Set if entries may stand on the diagonal.
    diagonal: bool,
}

impl Kind {
    fn of(banner: Line<'_>) -> Result<Self, FormatError> {
        let text = String::from_utf8_lossy(banner.text).to_ascii_lowercase();
        // One word more than there should be.
        let words: Vec<&str> = text.split_ascii_whitespace().take(6).collect();
        let (field, symmetry) = match words[..] {
            ["%%matrixmarket", "matrix", "coordinate", field, symmetry] => (field, symmetry),
            ["%%matrixmarket", "matrix", "array", ..] => {
                return Err(
                    banner.unexpected("the format `coordinate` (an `array` lists no pattern)")
                );
            }
            _ => return Err(banner.unexpected(BANNER)),
        };
        let (values, expected) = match field {
            "real" | "double" | "integer" | "unsigned-integer" => (1, "`row column value`"),
            "complex" => (2, "`row column real-part imaginary-part`"),
            "pattern" => (0, "`row column` (a `pattern` has no values)"),
            _ => return Err(banner.unexpected(BANNER)),
        };
        let fits = match symmetry {
            "general" | "symmetric" => true,
            "skew-symmetric" => values > 0,
            "hermitian" => values == 2,
            _ => return Err(banner.unexpected(BANNER)),
        };
        if !fits {
            return Err(banner.unexpected(
                "`general` or `symmetric` (`skew-symmetric` needs values, `hermitian` complex ones)",
            ));
        }
        Ok(Self {
            values,
            expected,
            diagonal: symmetry != "skew-symmetric",
        })
    }

    /// Returns row and column, from 1, of an entry of the lower triangle of a matrix of that many
    /// rows.
    fn entry(&self, line: Line<'_>, rows: u32) -> Result<(u32, u32), FormatError> {
        let mut fields = line.fields();
        let (row, column) = (fields.number(self.expected)?, fields.number(self.expected)?);
        for _ in 0..self.values {
            if !fields.word().is_some_and(is_number) {
                return Err(line.unexpected(self.expected));
            }
        }
        fields.end(self.expected)?;
        if row == 0 || row > rows || column == 0 || column > rows {
            return Err(line.unexpected(format!(
                "a row and a column from 1 to {rows} (the first is 1, not 0)"
            )));
        }
        if column > row {
            return Err(line.unexpected(
                "an entry on or below the diagonal: the matrix of a triangular solve",
            ));
        }
        if column == row && !self.diagonal {
            return Err(line.unexpected("an entry below the diagonal of a skew-symmetric matrix"));
        }
        Ok((row, column))
    }
}

fn is_number(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok())
}

/// Writes the pattern of a triangular matrix with this graph: ones where there is an edge and on the diagonal. The format has no place for weights
/// and words: a task's work is read back as its number of predecessors, its words as 1.
///
/// # Errors
/// [`FormatError::NotTriangular`] when an edge leads from a larger to a smaller task, and when writing fails.
pub fn write(graph: &Dag, mut writer: impl Write) -> Result<(), FormatError> {
    if let Some((from, to)) = graph.edge_list().find(|(from, to)| from > to) {
        return Err(FormatError::NotTriangular { from, to });
    }
    let tasks = graph.tasks();
    writeln!(writer, "%%MatrixMarket matrix coordinate real general")?;
    writeln!(writer, "{tasks} {tasks} {}", graph.edges() + tasks)?;
    for task in 0..tasks as u32 {
        for before in graph.predecessors(task) {
            writeln!(writer, "{} {} 1", task + 1, before + 1)?;
        }
        writeln!(writer, "{} {} 1", task + 1, task + 1)?;
    }
    Ok(writer.flush()?)
}
