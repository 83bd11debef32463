//! Two plans, or two recorded runs of plans or farms, side by side.

use std::fs;
use std::path::Path;

use superstep::plan::{DecodeError, FileError};
use superstep_order::{CallForm, Recording};
use superstep_report::page::Source;
use superstep_report::{KernelReport, Report};
use superstep_runtime::planned::{Saved, Whole};

use super::arguments::Arguments;
use super::error::CompareError;
use super::programs::{Side, write};
use super::recorded::{self, name, notices};
use crate::failure::{Failure, in_file, unread};
use crate::report::plan::{self, Given};

/// A file that is compared with another.
enum File {
    Plan,
    Run(Recording),
}

impl File {
    fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path).map_err(unread(path))?;
        let refused = match Recording::decode(&bytes) {
            Ok(run) => return Ok(Self::Run(run)),
            Err(refused) => in_file(path)(refused),
        };
        match Saved::read(path) {
            Ok(_) => Ok(Self::Plan),
            Err(FileError::Decode {
                source: DecodeError::NotAPlan,
                ..
            }) => Err(refused.into()),
            Err(error) => Err(plan::unread(error)),
        }
    }

    /// Names the kind.
    fn kind(&self) -> &'static str {
        match self {
            Self::Plan => "a plan",
            Self::Run(run) if run.form == CallForm::Plan => "a recorded run of a plan",
            Self::Run(run) if run.form == CallForm::Farm => "a recorded run of a farm",
            Self::Run(_) => "a recorded run of a program",
        }
    }
}

/// Compares what two files have: plans, or recorded runs.
pub(super) fn run(arguments: &Arguments, paths: [&Path; 2]) -> Result<(), Failure> {
    let files = [File::read(paths[0])?, File::read(paths[1])?];
    let [first, second] = files.each_ref().map(File::kind);
    if first != second {
        return Err(CompareError::Kinds(first, second).into());
    }
    let (is_run, is_program) = match &files[0] {
        File::Plan => (false, false),
        File::Run(run) => (true, !matches!(run.form, CallForm::Plan | CallForm::Farm)),
    };
    if is_run && arguments.matrix.is_some() {
        return Err(CompareError::idle("--matrix", "plans"));
    }
    if let (false, Some(option)) = (is_program, arguments.choice()) {
        return Err(CompareError::idle(option, "programs and their runs"));
    }
    match files {
        [File::Run(before), File::Run(after)] => match before.form {
            CallForm::Plan | CallForm::Farm => {
                let before = of_run(paths[0], &before)?;
                of_two(arguments, [before, of_run(paths[1], &after)?], &[])
            }
            _ => recorded::run(arguments, paths, &[before, after]),
        },
        _ => {
            let (before, sources) = of_plan(arguments, paths[0])?;
            of_two(
                arguments,
                [before, of_plan(arguments, paths[1])?.0],
                &sources,
            )
        }
    }
}

/// Compares two sides of one kernel and choice of control arguments, or two farms.
fn of_two(arguments: &Arguments, sides: [Side; 2], sources: &[Source]) -> Result<(), Failure> {
    let [first, second] = sides.each_ref().map(|side| side.report.instance());
    if first != second {
        return Err(CompareError::Instances(first, second).into());
    }
    let place = sides[0].report.kernel.clone().unwrap_or_default();
    let kernel = KernelReport {
        kernel: sides[0].report.name().into(),
        file: place.file,
        line: place.line,
        ..KernelReport::default()
    };
    write(arguments, &kernel, sources, sides)
}

/// Reads what a plan file says; with the matrix also when chunks are predicted to run, and which
/// words cross.
fn of_plan(arguments: &Arguments, file: &Path) -> Result<(Side, Vec<Source>), Failure> {
    let given = Given {
        file,
        matrix: arguments.matrix.as_deref(),
        explain: false,
        run: None,
    };
    let Whole {
        report,
        details,
        sources,
        notices,
    } = given.whole()?;
    let side = Side {
        name: name(file),
        report,
        details: details.ok_or_else(|| CompareError::Proportion(file.into()))?,
        identity: None,
        notices,
    };
    Ok((side, sources))
}

/// Makes the side of a recorded run alone, without a program.
fn of_run(path: &Path, run: &Recording) -> Result<Side, Failure> {
    let (report, details) = Report::of_recording(run).map_err(in_file(path))?;
    Ok(Side {
        name: name(path),
        notices: notices(path, run),
        report,
        details: details.ok_or_else(|| CompareError::Proportion(path.into()))?,
        identity: Some(run.identity),
    })
}
