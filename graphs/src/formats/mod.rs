//! Graph files: `.hdag` (HyperdagDB), `.dot` (Graphviz) and `.mtx` (Matrix Market).
//!
//! Reading is one pass with a buffer of one line or word, 0.1 µs (`.mtx`) to 0.6 µs (`.dot`) per
//! edge. A malformed file is an error that names the line and what was expected there. Memory stays
//! in proportion to the file, whatever sizes it declares: at most 64 bytes for each of its bytes,
//! besides 4 MiB.
//!
//! Files are ASCII or UTF-8, with or without a byte order mark. Lines end in LF or CRLF, the last
//! one as it likes.
//!
//! ```
//! use superstep_graphs::formats::{dot, hdag};
//!
//! let graph = dot::read(&b"digraph { 0 [work_weight=3]; 0->1; 0->2; }"[..])?;
//! assert_eq!(graph.weight(0), 3);
//!
//! let mut file = Vec::new();
//! hdag::write(&graph, &mut file)?;
//! assert_eq!(hdag::read(&file[..])?, graph);
//! # Ok::<(), superstep_graphs::formats::FormatError>(())
//! ```
pub mod dot;
pub mod hdag;
mod lexer;
mod lines;
pub mod mtx;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use superstep_dag::{Dag, GraphError};
use superstep_files::replace_with;

/// Byte order mark of UTF-8, which may begin a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Tasks that a graph may have.
const MOST_TASKS: u32 = (1 << 31) - 1;

/// Rows of a matrix, or edges between subgraphs, that a file may stand for whatever its size: 2
/// MiB. Beyond that it may have one for each of its bytes.
const FREE: u64 = 1 << 16;

/// Why a graph file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file could not be opened, read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not as its format asks.
    #[error("line {line}: expected {expected}, found {found}")]
    Syntax {
        /// Line, from 1.
        line: u64,
        /// Text that should stand there.
        expected: String,
        /// Text that stands there.
        found: String,
    },
    /// The file is well formed, but what it describes is no task graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph has an edge from a later to an earlier task, which a triangular matrix cannot
    /// hold.
    #[error("edge {from} -> {to}: a triangular matrix has only edges from smaller to larger tasks")]
    NotTriangular {
        /// Source of the edge.
        from: u32,
        /// Sink of the edge.
        to: u32,
    },
    /// The file's ending says nothing about its format.
    #[error("unknown kind of file: graph files end in .hdag, .dot or .mtx")]
    Ending,
    /// One of the above, in that file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The first fault of the file.
        #[source]
        error: Box<FormatError>,
    },
}

/// Reads a graph file; its ending (`.hdag`, `.dot`, `.mtx`) tells the format.
///
/// # Errors
/// [`FormatError::File`] with the path and what is wrong.
pub fn read(path: impl AsRef<Path>) -> Result<Dag, FormatError> {
    let path = path.as_ref();
    let open = || Ok(BufReader::with_capacity(1 << 16, File::open(path)?));
    match ending(path) {
        "hdag" => open().and_then(hdag::read),
        "dot" => open().and_then(dot::read),
        "mtx" => open().and_then(mtx::read),
        _ => Err(FormatError::Ending),
    }
    .map_err(|error| in_file(path, error))
}

/// Writes a graph file; its ending (`.hdag`, `.dot`, `.mtx`) tells the format. Parts that a format
/// cannot hold are lost: see [`hdag::write`] and [`mtx::write`].
///
/// # Errors
/// [`FormatError::File`] with the path and what is wrong.
pub fn write(path: impl AsRef<Path>, graph: &Dag) -> Result<(), FormatError> {
    let path = path.as_ref();
    let written = match ending(path) {
        "hdag" => replace_with(path, |file| hdag::write(graph, file)),
        "dot" => replace_with(path, |file| dot::write(graph, file)),
        "mtx" => replace_with(path, |file| mtx::write(graph, file)),
        _ => Err(FormatError::Ending),
    };
    written.map_err(|error| in_file(path, error))
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn in_file(path: &Path, error: FormatError) -> FormatError {
    FormatError::File {
        path: path.to_owned(),
        error: Box::new(error),
    }
}

/// Makes a syntax error. Long or unreadable text is cut short.
fn syntax(line: u64, expected: impl Into<String>, found: Option<&[u8]>) -> FormatError {
    let found = match found {
        None => "the end of the file".into(),
        Some([]) => "an empty line".into(),
        Some(text) => {
            let shown = String::from_utf8_lossy(&text[..text.len().min(80)]);
            let dots = if text.len() > 80 { "..." } else { "" };
            let escaped = shown.escape_debug().to_string().replace("\\\"", "\"");
            format!("`{escaped}{dots}`")
        }
    };
    FormatError::Syntax {
        line,
        expected: expected.into(),
        found,
    }
}
