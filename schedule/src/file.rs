//! Schedule files: a JSON form for people and tools, and a compact binary form for 10^7 tasks.
//!
//! The JSON form is `{"processors": P, "supersteps": [[[task, ...] per processor] ...]}`. It is
//! also the serde form of [`Schedule`].
//!
//! The binary form is the eight bytes `superBSP`, a version byte (1), and then unsigned LEB128
//! numbers. These are processors, supersteps, and the lists of each (superstep, processor),
//! superstep-major. A list is its length and its tasks, each as the zigzag difference from the one
//! before it (the first: from 0). Lists in trace order take one to two bytes per task.

mod binary;
mod json;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::Schedule;

/// Forms of a schedule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleForm {
    /// Nested lists in JSON, readable by anything.
    Json,
    /// Binary form: one to two bytes per task.
    Binary,
}

impl ScheduleForm {
    /// Returns the form of a file of this name: JSON for the ending `.json`, else binary.
    pub fn of(path: &Path) -> Self {
        let json = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if json { Self::Json } else { Self::Binary }
    }
}

impl Schedule {
    /// Reads a schedule file, in the form that its [ending says](ScheduleForm::of).
    ///
    /// # Errors
    /// When the file cannot be read, or holds no schedule.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScheduleFileError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|source| ScheduleFileError::Io {
            path: path.into(),
            source,
        })?;
        Self::from_bytes(&bytes, ScheduleForm::of(path)).map_err(|source| {
            ScheduleFileError::Parse {
                path: path.into(),
                source,
            }
        })
    }

    /// Writes a schedule file, in the form that its [ending says](ScheduleForm::of).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ScheduleFileError> {
        let path = path.as_ref();
        let bytes = self.to_bytes(ScheduleForm::of(path));
        superstep_files::replace(path, bytes).map_err(|source| ScheduleFileError::Io {
            path: path.into(),
            source,
        })
    }

    /// Returns the bytes of a file of that form.
    pub fn to_bytes(&self, form: ScheduleForm) -> Vec<u8> {
        match form {
            ScheduleForm::Json => json::encode(self),
            ScheduleForm::Binary => binary::encode(self),
        }
    }

    /// Reads the schedule that a file of that form holds.
    ///
    /// # Errors
    /// When `bytes` is not of that form. Memory stays in proportion to `bytes` whatever they claim.
    pub fn from_bytes(bytes: &[u8], form: ScheduleForm) -> Result<Self, ScheduleParseError> {
        match form {
            ScheduleForm::Json => json::decode(bytes),
            ScheduleForm::Binary => binary::decode(bytes),
        }
    }
}

/// Errors of reading and writing a schedule file.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleFileError {
    /// Failure to read or write the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// File that holds no schedule.
    #[error("{}: {source}", path.display())]
    Parse {
        /// Path of the file.
        path: PathBuf,
        /// Error in its bytes.
        source: ScheduleParseError,
    },
}

/// Errors of bytes that are no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleParseError {
    /// Error in the JSON form.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Text of the error.
        message: String,
    },
    /// Error in the binary form.
    #[error("byte {offset}: {message}")]
    Binary {
        /// Offset at which the bytes stop making sense, from 0.
        offset: usize,
        /// Text of the error.
        message: &'static str,
    },
}
