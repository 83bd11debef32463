//! Comparison of two recorded runs (timelines) of generated programs.

use std::path::Path;

use superstep_order::Recording;

use super::arguments::Arguments;
use super::error::CompareError;
use super::programs::{Side, write};
use crate::failure::Failure;
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
        let (first, second) = (before.report.instance(), after.report.instance());
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
    let own = kernels
        .iter()
        .filter(|kernel| kernel.report.kernel == run.kernel);
    let programs = own.flat_map(|kernel| kernel.programs(|report| arguments.wants(report)));
    let none = CompareError::NoProgram {
        path: path.to_path_buf(),
        kernel: run.kernel.clone(),
    };
    let (kernel, report, details) = recording::added(programs, (path, run), none)?;
    let side = Side {
        name: name(path),
        report,
        details,
        identity: None,
        notices: notices(path, run),
    };
    Ok((kernel, side))
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
