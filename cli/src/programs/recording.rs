//! Recorded runs of programs, as files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use superstep_order::{Recording, RecordingError};
use superstep_report::{Details, RecordedError, Report};

use crate::failure::CommandError;

/// Errors of recorded runs.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TimelineError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is of something else.
    #[error("{}: {source}", path.display())]
    Decode {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: RecordingError,
    },
    /// The run is of another program.
    #[error("{}: {source}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: RecordedError,
    },
}

impl CommandError for TimelineError {}

/// Reads a recorded run, as `superstep::last_timeline()` writes it.
pub(crate) fn read(path: &Path) -> Result<Recording, TimelineError> {
    let path = || path.to_path_buf();
    let bytes = fs::read(path());
    let bytes = bytes.map_err(|source| TimelineError::Read {
        path: path(),
        source,
    })?;
    let recording = Recording::decode(&bytes);
    recording.map_err(|source| TimelineError::Decode {
        path: path(),
        source,
    })
}

/// Adds the recorded run of a file to the report of its program.
pub(crate) fn add(
    report: &mut Report,
    details: &mut Details,
    recording: &Recording,
    path: &Path,
) -> Result<(), TimelineError> {
    let added = report.add_recorded(details, recording);
    added.map_err(|source| TimelineError::Other {
        path: path.to_path_buf(),
        source,
    })
}

/// Says what was not as usual in a recorded run.
pub(crate) fn notices(recording: &Recording) -> Vec<String> {
    let mut notices = Vec::new();
    if recording.has_failed {
        notices.push("the recorded run panicked, and steps behind that have no times".to_owned());
    }
    if !recording.reason.is_empty() {
        notices.push(format!("the recorded call fell back: {}", recording.reason));
    }
    notices.extend(recording.alone());
    notices
}
