//! Schedule files: a JSON form for people and tools, and a compact binary form for 10^7 tasks.
//!
//! The JSON form is `{"processors": P, "supersteps": [[[task, ...] per processor] ...]}`. It is
//! also the serde form of [`Schedule`].
//!
//! The binary form is the eight bytes `superBSP`, a version byte (1), and then unsigned LEB128
//! numbers: processors, supersteps, and for each (superstep, processor), superstep-major, the
//! length of the list and its tasks, each as the zigzag difference from the one before it (the
//! first: from 0). Lists in trace order take one to two bytes per task.

mod binary;
mod json;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::Schedule;

/// The two forms of a schedule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleForm {
    /// Nested lists, readable by anything.
    Json,
    /// One to two bytes per task.
    Binary,
}

impl ScheduleForm {
    /// The form of a file of this name: JSON for the ending `.json`, else binary.
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

    /// What a file of that form holds.
    pub fn to_bytes(&self, form: ScheduleForm) -> Vec<u8> {
        match form {
            ScheduleForm::Json => json::encode(self),
            ScheduleForm::Binary => binary::encode(self),
        }
    }

    /// The schedule that a file of that form holds.
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

/// Why a schedule file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleFileError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds no schedule.
    #[error("{}: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ScheduleParseError,
    },
}

/// Why bytes are no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleParseError {
    /// Not the JSON form.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// Not the binary form.
    #[error("byte {offset}: {message}")]
    Binary {
        /// Where the bytes stop making sense, from 0.
        offset: usize,
        /// What is wrong.
        message: &'static str,
    },
}
