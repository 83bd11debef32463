//! Two recorded runs side by side.

use std::fs;
use std::path::Path;

use superstep_order::Recording;
use superstep_report::{RecordedError, Report};

use super::arguments::Arguments;
use super::error::CompareError;
use super::programs::{Side, write};
use crate::failure::Failure;
use crate::report::build::Kernel;

pub(super) fn run(arguments: &Arguments, files: [&String; 2]) -> Result<(), Failure> {
    let [first, second] = files.map(|file| Path::new(&file[..]));
    let recordings = [read(first)?, read(second)?];
    let kernels = arguments.build.kernels()?;
    let (kernel, before) = side(arguments, &kernels, first, &recordings[0])?;
    let (other, after) = side(arguments, &kernels, second, &recordings[1])?;
    if !std::ptr::eq(kernel, other) || before.report.control != after.report.control {
        let name = |kernel: &Kernel, report: &Report| match &report.control[..] {
            "" => kernel.report.kernel.clone(),
            control => format!("{} ({control})", kernel.report.kernel),
        };
        let (first, second) = (name(kernel, &before.report), name(other, &after.report));
        return Err(CompareError::Instances(first, second).into());
    }
    write(arguments, kernel, [before, after])
}

fn read(path: &Path) -> Result<Recording, CompareError> {
    let bytes = fs::read(path).map_err(|source| CompareError::Read {
        path: path.to_path_buf(),
        source,
    })?;
    Recording::decode(&bytes).map_err(|source| CompareError::Timeline {
        path: path.to_path_buf(),
        source,
    })
}

/// Finds the program of a recorded run among those that fit.
fn side<'k>(
    arguments: &Arguments,
    kernels: &'k [Kernel],
    path: &Path,
    recording: &Recording,
) -> Result<(&'k Kernel, Side), Failure> {
    let mut refused = RecordedError::Other {
        kernel: recording.kernel.clone(),
    };
    let own = kernels
        .iter()
        .filter(|kernel| kernel.report.kernel == recording.kernel);
    for kernel in own {
        let programs = kernel.report.programs.iter().enumerate();
        for (program, report) in programs.filter(|(_, report)| arguments.wants(report)) {
            let (mut report, mut details) = (report.clone(), kernel.details(program)?);
            match report.add_recorded(&mut details, recording) {
                Ok(()) => {
                    let name = path.file_name().unwrap_or_default();
                    let name = name.to_string_lossy().into_owned();
                    let notices = notices(&name, recording);
                    return Ok((
                        kernel,
                        Side {
                            name,
                            report,
                            details,
                            notices,
                        },
                    ));
                }
                Err(source) => refused = source,
            }
        }
    }
    Err(CompareError::Recorded {
        path: path.to_path_buf(),
        source: refused,
    }
    .into())
}

/// Says what was not as usual in a recorded run.
fn notices(name: &str, recording: &Recording) -> Vec<String> {
    let mut notices = Vec::new();
    if recording.has_failed {
        notices.push(format!(
            "{name}: the run panicked, and steps behind that have no times."
        ));
    }
    if !recording.reason.is_empty() {
        notices.push(format!("{name}: the call fell back: {}.", recording.reason));
    }
    notices
}
