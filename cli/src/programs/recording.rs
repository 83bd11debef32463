//! Recorded runs of programs, as files.

use std::fs;
use std::path::Path;

use superstep_order::Recording;
use superstep_report::{Details, Report};

use super::build::Kernel;
use crate::failure::{Failure, InFile, in_file, unread};

/// Reads a recorded run, as `superstep::last_timeline()` writes it.
pub(crate) fn read(path: &Path) -> Result<Recording, InFile> {
    let bytes = fs::read(path).map_err(unread(path))?;
    Recording::decode(&bytes).map_err(in_file(path))
}

/// Finds the program that a file's run was recorded of, and adds the run to its report; `none` is
/// the failure where there is no program.
pub(crate) fn added<'k>(
    programs: impl IntoIterator<Item = (&'k Kernel, usize)>,
    (path, run): (&Path, &Recording),
    none: impl Into<Failure>,
) -> Result<(&'k Kernel, Report, Details), Failure> {
    let mut refused = none.into();
    for (kernel, program) in programs {
        let mut report = kernel.report.programs[program].clone();
        let mut details = kernel.details(program)?;
        match report.add_recorded(&mut details, run) {
            Ok(()) => return Ok((kernel, report, details)),
            Err(error) => refused = in_file(path)(error).into(),
        }
    }
    Err(refused)
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
