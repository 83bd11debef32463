//! Plan files whose kernels are not at hand: reports of what they say by themselves. Nothing runs.

use std::path::Path;

use superstep_order::Recording;
use superstep_planner::{Account, file};
use superstep_report::Location;

use super::file::{FileError, read};
use super::program::is_run_of;
use super::report::whole::{Subject, Whole};

/// Plan of a file, which is reported and never run.
#[derive(Debug)]
pub struct Saved(file::Saved);

impl Saved {
    /// Reads a plan file of any kernel.
    ///
    /// # Errors
    /// If the file can't be read, or is no plan file that could be of a kernel.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let saved = file::read(&read(path)?).map_err(|source| FileError::Decode {
            path: path.into(),
            source,
        })?;
        Ok(Self(saved))
    }

    /// Returns the name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.0.kernel
    }

    /// Returns the control arguments in words.
    pub fn control(&self) -> &str {
        &self.0.control
    }

    /// Returns whether a recorded run is of this plan.
    pub fn is_of(&self, run: &Recording) -> bool {
        is_run_of(&self.0.plan, &self.0.kernel, run)
    }

    /// Makes the report of all that the file says, with a recorded run, if it is of this plan. Only
    /// the kernel tells when chunks run, and which words cross: these are not in it.
    pub fn whole(&self, run: Option<&Recording>) -> Whole {
        let subject = Subject {
            kernel: Location {
                name: self.0.kernel.clone(),
                ..Location::default()
            },
            control: self.0.control.clone(),
            plan: &self.0.plan,
            planned: &self.0.report,
            account: Account::default(),
            answers: Vec::new(),
        };
        subject.whole(run)
    }
}
