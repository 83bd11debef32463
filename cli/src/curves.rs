//! Curves and tables, as commands write them into files and folders.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::CommandError;

/// A curve or table that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {reason}", path.display())]
pub(crate) struct CurveError {
    path: PathBuf,
    reason: String,
}

impl CommandError for CurveError {}

/// Makes a folder for curves, and those around it.
pub(crate) fn make_folder(path: &Path) -> Result<(), CurveError> {
    fs::create_dir_all(path).map_err(|error| unwritten(path, &error))
}

/// Writes a table.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CurveError> {
    superstep_files::replace(path, text).map_err(|error| unwritten(path, &error))
}

/// Writes a curve, if it could be drawn.
pub(crate) fn write_drawn(
    path: &Path,
    drawn: Result<String, Box<dyn Error>>,
) -> Result<(), CurveError> {
    write(path, drawn.map_err(|error| unwritten(path, &*error))?)
}

fn unwritten(path: &Path, error: &dyn Error) -> CurveError {
    CurveError {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
