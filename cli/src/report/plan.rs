//! Reports of plan files, alone or with the matrix that the plan was made for.

use std::path::{Path, PathBuf};

use superstep::plan::{DecodeError, FileError};
use superstep_order::Recording;
use superstep_runtime::planned::{Saved, Whole};
use superstep_sparse::Kernel;

use crate::failure::Failure;
use crate::plan::problem;

/// Errors of plan files.
#[derive(Debug, thiserror::Error)]
enum PlanFileError {
    /// The plan is of a kernel that the command does not have.
    #[error("{}: the plan is of the kernel `{kernel}`, of which no matrix tells the pattern", path.display())]
    Own {
        /// The file.
        path: PathBuf,
        /// Its kernel.
        kernel: String,
    },
    /// The recorded run is of something else.
    #[error("{}: no run of the plan in {}", timeline.display(), path.display())]
    Run {
        /// The file of the run.
        timeline: PathBuf,
        /// The file of the plan.
        path: PathBuf,
    },
}

const OWN: &str = "whoever has the kernel writes all: `plan.report().write_html(..)` in its program; \
                   without --matrix the report has what the file says";

/// Says what to do about a file that cannot be read, or has no plan for the matrix.
pub(crate) fn unread(error: FileError) -> Failure {
    let note = match &error {
        FileError::Decode { source, .. } => match source {
            DecodeError::NotAPlan => Some("`plan.save(FILE)` writes plan files".into()),
            DecodeError::Truncated { .. } | DecodeError::Damaged { .. } => {
                Some("build the plan, and save it again".into())
            }
            DecodeError::Text { kernel } => Some(format!(
                "it is a `{kernel}` of another program, or of another version: {OWN}"
            )),
            DecodeError::Scalar { .. }
            | DecodeError::Length { .. }
            | DecodeError::Pattern { .. } => Some(
                "the plan is of another matrix: give that one, or leave --matrix out for what \
                 the file says"
                    .into(),
            ),
            _ => None,
        },
        _ => None,
    };
    Failure::from(error).with_note(note)
}

/// A plan file, and what was given beside it.
pub(crate) struct Given<'a> {
    pub(crate) file: &'a Path,
    pub(crate) matrix: Option<&'a Path>,
    pub(crate) explain: bool,
    /// A recorded run, and its file.
    pub(crate) run: Option<(&'a Path, &'a Recording)>,
}

impl Given<'_> {
    /// Makes the report: with the matrix all that its plan would say when it was made, else what
    /// the file says.
    pub(crate) fn whole(&self) -> Result<Whole, Failure> {
        let saved = Saved::read(self.file).map_err(unread)?;
        if let Some((timeline, run)) = self.run
            && !saved.is_of(run)
        {
            let other = PlanFileError::Run {
                timeline: timeline.into(),
                path: self.file.into(),
            };
            let note = "record a run of this plan, or save the plan that ran";
            return Err(Failure::from(other).with_note(Some(note.into())));
        }
        let run = self.run.map(|(_, run)| run);
        let mut functions = Kernel::ALL.into_iter();
        let kernel = functions.find(|kernel| kernel.function() == saved.kernel());
        let Some(matrix) = self.matrix else {
            let mut whole = saved.whole(run);
            let how = match kernel {
                Some(_) => "--matrix FILE adds them",
                None => "`plan.report().write_html(..)` in the kernel's program has them",
            };
            whole.notices.push(format!(
                "The file tells neither when chunks are predicted to run nor which words cross: {how}."
            ));
            return Ok(whole);
        };
        let kernel = kernel.ok_or_else(|| {
            let own = PlanFileError::Own {
                path: self.file.into(),
                kernel: saved.kernel().into(),
            };
            Failure::from(own).with_note(Some(OWN.into()))
        })?;
        let problem = problem(kernel, matrix, None)?;
        let plan = problem.open(self.file).map_err(unread)?;
        let report = match self.explain {
            true => plan.report().explained(),
            false => plan.report(),
        };
        let mut whole = report.whole(run)?;
        whole.report.control = saved.control().into();
        if whole.report.times.is_none() {
            whole.notices.push(
                "No chunk has a predicted time: the plan was made by other prices of words and waits."
                    .into(),
            );
        }
        Ok(whole)
    }
}
