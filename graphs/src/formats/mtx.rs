//! Matrix Market: the rows of a triangular solve, read by the crate `superstep-matrix`.
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

use std::io::{self, Read, Write};

use superstep_dag::Dag;
use superstep_matrix::ReadError;
use superstep_matrix::market::{self, Asked};

use super::{FormatError, MOST_TASKS};

/// Demands of a triangular solve on a matrix.
const TRIANGULAR: Asked = Asked {
    sizes: |[rows, columns]| match rows == columns {
        true => (rows > MOST_TASKS).then_some("fewer than 2^31 rows"),
        false => Some("a square matrix"),
    },
    place: |[row, column]| {
        let expected = "an entry on or below the diagonal: the matrix of a triangular solve";
        (column > row).then_some(expected)
    },
};

/// Reads the task graph of a lower triangular matrix. It has a task for each row. For each entry
/// `(i, j)` off the diagonal it has an edge from task `j - 1` to task `i - 1`. The work of a task
/// is the number of such entries in its row (0 for none), its value one word. The matrix values are
/// only checked to be numbers. Of a symmetric matrix the lower triangle counts, which is what its
/// file lists.
///
/// # Errors
/// When the file is malformed, or the matrix is not square and lower triangular.
pub fn read(reader: impl Read) -> Result<Dag, FormatError> {
    let matrix = market::read_places(reader, &TRIANGULAR).map_err(error)?;
    let mut edges = Vec::with_capacity(matrix.len());
    let off_diagonal = matrix.places.iter().filter(|[row, column]| row != column);
    edges.extend(off_diagonal.map(|&[row, column]| (column, row)));
    let rows = matrix.height;
    drop(matrix);
    let graph = Dag::from_edges(rows as usize, &edges)?;
    let weights = (0..rows)
        .map(|t| graph.predecessors(t).len() as u32)
        .collect();
    Ok(graph.with_weights(weights)?)
}

/// Returns what is wrong with a matrix as what is wrong with a graph.
fn error(error: ReadError) -> FormatError {
    match error {
        ReadError::Syntax {
            line,
            expected,
            found,
            ..
        } => FormatError::Syntax {
            line,
            expected,
            found,
        },
        ReadError::Io { error, .. } => FormatError::Io(error),
        other => FormatError::Io(io::Error::other(other)),
    }
}

/// Writes the pattern of a triangular matrix with this graph: ones where there is an edge and on
/// the diagonal. The format has no place for weights and words: a task's work is read back as its
/// number of predecessors, its words as 1.
///
/// # Errors
/// [`FormatError::NotTriangular`] when an edge leads from a larger to a smaller task, and when
/// writing fails.
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
