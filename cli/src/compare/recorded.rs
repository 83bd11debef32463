//! Comparison of two recorded runs (timelines) of generated programs.

use std::path::Path;

use superstep_order::Recording;
use superstep_report::Report;

use super::arguments::Arguments;
use super::error::CompareError;
use super::programs::{Side, write};
use crate::failure::{Failure, in_file};
use crate::programs::build::Kernel;
use crate::programs::recording;

/// Compares two runs of one kernel with the same control arguments, as text, JSON or a page.
pub(super) fn run(
    arguments: &Arguments,
    [first, second]: [&Path; 2],
    recordings: &[Recording; 2],
) -> Result<(), Failure> {
    let kernels = arguments.build.kernels()?;
    let (kernel, before) = side(arguments, &kernels, first, &recordings[0])?;
    let (other, after) = side(arguments, &kernels, second, &recordings[1])?;
    if !std::ptr::eq(kernel, other) || before.report.control != after.report.control {
        let (first, second) = (instance(&before.report), instance(&after.report));
        return Err(CompareError::Instances(first, second).into());
    }
    let sources = kernel.sources(&before.report);
    write(arguments, &kernel.report, &sources, [before, after])
}

/// Finds the program that a run was recorded of, among those that `-P` and `--control` leave, and
/// adds the run to its report.
fn side<'k>(
    arguments: &Arguments,
    kernels: &'k [Kernel],
    path: &Path,
    run: &Recording,
) -> Result<(&'k Kernel, Side), Failure> {
    let mut refused = None;
    let own = kernels
        .iter()
        .filter(|kernel| kernel.report.kernel == run.kernel);
    for kernel in own {
        let programs = kernel.report.programs.iter().enumerate();
        for (program, report) in programs.filter(|(_, report)| arguments.wants(report)) {
            let (mut report, mut details) = (report.clone(), kernel.details(program)?);
            match report.add_recorded(&mut details, run) {
                Ok(()) => {
                    let side = Side {
                        name: name(path),
                        report,
                        details,
                        identity: None,
                        notices: notices(path, run),
                    };
                    return Ok((kernel, side));
                }
                Err(source) => refused = Some(source),
            }
        }
    }
    Err(match refused {
        Some(error) => in_file(path)(error).into(),
        None => CompareError::NoProgram {
            path: path.to_path_buf(),
            kernel: run.kernel.clone(),
        }
        .into(),
    })
}

/// Names the kernel of a report, or a farm, with its control arguments.
pub(super) fn instance(report: &Report) -> String {
    match &report.control[..] {
        "" => report.name().to_owned(),
        control => format!("{} ({control})", report.name()),
    }
}

/// Returns what was unusual in a file's recorded run (a panic, a fallback), with the file's name.
pub(super) fn notices(path: &Path, run: &Recording) -> Vec<String> {
    let name = name(path);
    let all = recording::notices(run).into_iter();
    all.map(|notice| format!("{name}: {notice}")).collect()
}

/// Returns the name of a file.
pub(super) fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
