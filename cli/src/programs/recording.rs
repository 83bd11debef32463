//! Recorded runs of programs, as files.

use std::fs;
use std::path::Path;

use superstep_order::Recording;

use crate::failure::{FileError, in_file, unread};

/// Reads a recorded run, as `superstep::last_timeline()` writes it.
pub(crate) fn read(path: &Path) -> Result<Recording, FileError> {
    let bytes = fs::read(path).map_err(unread(path))?;
    Recording::decode(&bytes).map_err(in_file(path))
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
