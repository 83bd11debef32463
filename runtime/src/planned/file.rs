//! Plans in files: saves them, and opens them again.
//!
//! No file is trusted. A plan that was made for another kernel or other control arguments is
//! refused, and one that is opened is proved anew.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use superstep_planner::file::{DecodeError, Identity};
use superstep_planner::file::{Digest, decode, encode};
use superstep_planner::{proof, prove};

use super::{Control, Grains, Planned, PlanningError, Settings, tracked};

/// Errors of saving and opening plans.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file can't be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the system.
        source: io::Error,
    },
    /// The file can't be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the system.
        source: io::Error,
    },
    /// The file has no plan for this kernel and these control arguments.
    #[error("{}: {source}", path.display())]
    Decode {
        /// Path of the file.
        path: PathBuf,
        /// Part that differs: the kernel, the structure, or the machine's word size.
        source: DecodeError,
    },
    /// The plan is for another number of processors than was asked for.
    #[error("{}: a plan for {found} processors, not for {wanted}", path.display())]
    Processors {
        /// Path of the file.
        path: PathBuf,
        /// Processors in the file.
        found: usize,
        /// Processors that were asked for.
        wanted: usize,
    },
    /// The plan's proof would take more memory than it may.
    #[error(
        "{}: the plan's proof takes {needed} bytes, of which {most} are allowed: `.proof_memory({needed})` allows it",
        path.display()
    )]
    ProofMemory {
        /// Path of the file.
        path: PathBuf,
        /// Bytes that the proof takes beside what is in proportion to plan and kernel.
        needed: usize,
        /// Bytes that it may take.
        most: usize,
    },
    /// The plan is not proved.
    #[error("{}: {source}", path.display())]
    Planning {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        source: PlanningError,
    },
}

/// Bytes of memory that the proof of a plan may take for each byte of its file, at most, unless
/// more is allowed. [`FREE`] comes on top.
///
/// Plans for up to 64 processors never take more. A chunk that waits has 4 bytes in the file, and a
/// row of 4 for each processor. Plans for more processors that need more have hardly a grain in a
/// chunk.
const FOR_EACH_BYTE: usize = 64;
/// Bytes that the proof of any plan may take beside those: 16 MiB.
const FREE: usize = 1 << 24;

impl<K: Grains> Planned<K> {
    /// Writes the plan, which was made for these control arguments, to a file. Of two plans it is
    /// the faster one, if calls have found that out.
    ///
    /// # Errors
    /// If the file can't be written, or is no regular file: then it is as it was before.
    pub fn save(&self, control: K::Control<'_>, path: &Path) -> Result<(), FileError> {
        let program = self.runner.program();
        let identity = identity::<K>(control);
        let bytes = encode(program.proved.plan(), &program.report, &identity);
        superstep_files::replace(path, bytes).map_err(|source| FileError::Write {
            path: path.into(),
            source,
        })
    }

    /// Reads a plan from a file, if it was made for this kernel and these control arguments, and
    /// proves it.
    ///
    /// # Errors
    /// If the file can't be read or has no such plan. If the plan is not proved, as it is wrong or
    /// its proof would take too much memory.
    pub fn open(
        control: K::Control<'_>,
        settings: Settings,
        path: &Path,
    ) -> Result<Self, FileError> {
        let bytes = read(path)?;
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
        let by_length = bytes
            .len()
            .saturating_mul(FOR_EACH_BYTE)
            .saturating_add(FREE);
        let most = settings.proof_memory.unwrap_or(by_length);
        let needed = proof::memory(&plan);
        if needed > most {
            return Err(FileError::ProofMemory {
                path: path.into(),
                needed,
                most,
            });
        }
        let level = report.level as usize;
        let proof = Self::with(&settings, || {
            tracked::Loops::of::<K, _>(control, |loops| {
                let space = loops.space(level)?;
                loops.of_space(space, |tracked| Ok(vec![(prove(tracked, plan)?, report)]))
            })
        });
        proof.map_err(|source| FileError::Planning {
            path: path.into(),
            source,
        })
    }
}

/// Reads the bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|source| FileError::Read {
        path: path.into(),
        source,
    })
}

pub(super) fn identity<K: Grains>(control: K::Control<'_>) -> Identity {
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
