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

use std::io::{BufRead, Write};

use superstep_dag::Dag;

use super::FormatError;
use super::lines::{Fields, Lines};

const BANNER: &str = "`%%MatrixMarket matrix coordinate <real|integer|complex|pattern> <general|symmetric|skew-symmetric|hermitian>`";
const SIZES: &str = "`rows columns entries`";
const ENTRY: &str = "`row column value`";

/// Reads the task graph of a lower triangular matrix: a task for each row, an edge from task `j - 1` to task `i - 1` for each entry `(i, j)` off the
/// diagonal. The work of a task is the number of such entries in its row (0 for none), its value one word. The matrix values are only checked to
/// be numbers.
///
/// # Errors
/// When the file is malformed, or the matrix is not square and lower triangular.
pub fn read(reader: impl BufRead) -> Result<Dag, FormatError> {
    let mut lines = Lines::new(reader, true);
    let values = match lines.any()? {
        Some(line) => values(line.text).ok_or_else(|| line.unexpected(BANNER))?,
        None => return Err(super::syntax(1, BANNER, None)),
    };
    let line = lines.next(SIZES)?;
    let mut fields = line.fields();
    let (rows, columns) = (fields.number(SIZES)?, fields.number(SIZES)?);
    let entries = fields.number(SIZES)?;
    if rows != columns {
        return Err(line.unexpected("a square matrix"));
    }
    fields.end(SIZES)?;

    let mut edges = Vec::new();
    for _ in 0..entries {
        let line = lines.next(ENTRY)?;
        let mut fields = line.fields();
        let (row, column) = (fields.number(ENTRY)?, fields.number(ENTRY)?);
        for _ in 0..values {
            if !fields.word().is_some_and(is_number) {
                return Err(line.unexpected(ENTRY));
            }
        }
        finish(fields, rows, row, column)?;
        if row != column {
            edges.push((column - 1, row - 1));
        }
    }
    lines.end()?;
    let graph = Dag::from_edges(rows as usize, &edges)?;
    let weights = (0..rows)
        .map(|t| graph.predecessors(t).len() as u32)
        .collect();
    Ok(graph.with_weights(weights)?)
}

/// How many values an entry has, by the file's first line; `None` when that line is no banner.
fn values(banner: &[u8]) -> Option<usize> {
    let banner = std::str::from_utf8(banner).ok()?.to_ascii_lowercase();
    let mut words = banner.split_ascii_whitespace();
    let matrix = ["%%matrixmarket", "matrix", "coordinate"]
        .iter()
        .all(|&w| words.next() == Some(w));
    let values = match words.next()? {
        "real" | "double" | "integer" => 1,
        "complex" => 2,
        "pattern" => 0,
        _ => return None,
    };
    let symmetry = words.next()?;
    let known = ["general", "symmetric", "skew-symmetric", "hermitian"].contains(&symmetry);
    (matrix && known && words.next().is_none()).then_some(values)
}

fn is_number(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok())
}

/// Checks that the entry's line ends, and that the entry is in the lower triangle.
fn finish(fields: Fields<'_>, rows: u32, row: u32, column: u32) -> Result<(), FormatError> {
    let line = fields.line();
    fields.end(ENTRY)?;
    if row == 0 || row > rows || column == 0 {
        return Err(line.unexpected(format!("a row and a column from 1 to {rows}")));
    }
    if column > row {
        return Err(line.unexpected("an entry on or below the diagonal"));
    }
    Ok(())
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
