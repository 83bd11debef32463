//! Plans in files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use superstep_planner::file::{DecodeError, Identity};
use superstep_planner::file::{Digest, decode, encode};
use superstep_planner::prove;

use super::{Control, Grains, Planned, PlanningError, Settings, tracked};

/// Errors of saving and opening plans.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file can't be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Reason of the system.
        source: io::Error,
    },
    /// The file can't be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Reason of the system.
        source: io::Error,
    },
    /// The file has no plan for this kernel and these control arguments.
    #[error("{}: {source}", path.display())]
    Decode {
        /// The file.
        path: PathBuf,
        /// The part that differs: the kernel, the structure, or the machine's word size.
        source: DecodeError,
    },
    /// The plan is for another number of processors than was asked for.
    #[error("{}: a plan for {found} processors, not for {wanted}", path.display())]
    Processors {
        /// The file.
        path: PathBuf,
        /// Processors in the file.
        found: usize,
        /// Processors that were asked for.
        wanted: usize,
    },
    /// The plan is not proved.
    #[error("{}: {source}", path.display())]
    Planning {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: PlanningError,
    },
}

impl<K: Grains> Planned<K> {
    /// Writes the plan, which was made for these control arguments, to a file. Of two plans it is
    /// the faster one, if calls have found that out.
    ///
    /// # Errors
    /// If the file can't be written, or is no regular file: then it is as it was before.
    pub fn save(&self, control: K::Control<'_>, path: &Path) -> Result<(), FileError> {
        let faster = self.runner.faster().unwrap_or(0);
        let plan = self.runner.programs()[faster].proved.plan();
        let bytes = encode(plan, &self.reports[faster], &identity::<K>(control));
        superstep_files::replace(path, bytes).map_err(|source| FileError::Write {
            path: path.into(),
            source,
        })
    }

    /// Reads a plan from a file, if it was made for this kernel and these control arguments, and
    /// proves it.
    ///
    /// # Errors
    /// If the file can't be read or has no such plan, or the plan is not proved.
    pub fn open(
        control: K::Control<'_>,
        settings: Settings,
        path: &Path,
    ) -> Result<Self, FileError> {
        let bytes = fs::read(path).map_err(|source| FileError::Read {
            path: path.into(),
            source,
        })?;
        let decoded = decode(&bytes, &identity::<K>(control));
        let (plan, report) = decoded.map_err(|source| FileError::Decode {
            path: path.into(),
            source,
        })?;
        let found = report.processors as usize;
        if let Some(wanted) = settings.processors.filter(|&wanted| wanted != found) {
            return Err(FileError::Processors {
                path: path.into(),
                found,
                wanted,
            });
        }
        let level = report.level as usize;
        let proof = Self::with(&settings, || {
            tracked::Loops::of::<K, _>(control, |loops| {
                loops.at(level, |tracked| Ok(vec![(prove(tracked, plan)?, report)]))
            })
        });
        proof.map_err(|source| FileError::Planning {
            path: path.into(),
            source,
        })
    }
}

fn identity<K: Grains>(control: K::Control<'_>) -> Identity {
    let mut identity = Identity::new(K::NAME, K::TEXT);
    K::identify(control, &mut identity);
    identity
}

/// Names a control argument that is a number or a flag.
pub fn scalar(identity: &mut Identity, name: &str, value: &impl Control) {
    identity.scalar(name, value);
}

/// Names a structure argument.
pub fn structure(identity: &mut Identity, name: &str, elements: &[impl Control]) {
    let mut digest = Digest::default();
    elements.hash(&mut digest);
    identity.structure(name, elements.len(), &digest);
}
