//! Errors of files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A file that could not be read or written, or has a defect.
///
/// ```
/// use std::path::Path;
/// use superstep_files::FileError;
///
/// let error = FileError::at(Path::new("rtt.csv"), [2, 7], "`x` is no time");
/// assert_eq!(error.to_string(), "rtt.csv:2:7: `x` is no time");
/// let error = FileError::at(Path::new("rtt.csv"), [], "there are no times");
/// assert_eq!(error.to_string(), "rtt.csv: there are no times");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file has a defect.
    #[error("{}{}: {message}", path.display(), colons(place))]
    Defect {
        /// The file.
        path: PathBuf,
        /// Line, and column of it, each from 1, as far as there are such.
        place: Vec<usize>,
        /// The defect.
        message: String,
    },
}

impl FileError {
    /// Makes the error of a file that could not be read or written.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.into(),
            source,
        }
    }

    /// Makes the error of a defect: of a file, of a line or of a place in a line.
    pub fn at<const N: usize>(path: &Path, place: [usize; N], message: impl Into<String>) -> Self {
        Self::Defect {
            path: path.into(),
            place: place.into(),
            message: message.into(),
        }
    }
}

/// Reads a file of text.
///
/// # Errors
/// When the file cannot be read, or is no text.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(FileError::io(path))
}

fn colons(place: &[usize]) -> String {
    place.iter().map(|at| format!(":{at}")).collect()
}
