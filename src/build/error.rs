//! Why a build stopped.

use std::path::PathBuf;

use superstep_machine::{InvalidValue, MachineFileError};
use superstep_schedule::CheckError;
use superstep_scheduler::ScheduleError;
use superstep_tracer::TraceError;

/// Why a [`Builder`](super::Builder) stopped. Each message starts with the source line or the instance that it is about.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The run of the kernel's control went wrong.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// The machine file cannot be used.
    #[error("{0}")]
    Machine(#[from] MachineFileError),
    /// A cost that no machine has.
    #[error("the builder's {0}")]
    Cost(#[from] InvalidValue),
    /// A number of processors that no program can have.
    #[error("{instance}: programs have 1 to {MOST_PROCESSORS} processors, not {processors}")]
    Processors {
        /// The instance.
        instance: String,
        /// What was asked for.
        processors: usize,
    },
    /// The scheduler gave up.
    #[error("{instance}: {source}")]
    Schedule {
        /// The instance.
        instance: String,
        /// Why.
        source: ScheduleError,
    },
    /// A scheduler gave an invalid schedule: a defect of superstep.
    #[error(
        "{instance}, {processors} processors: the schedule is invalid, which is a defect of superstep; please report it: {source}"
    )]
    Check {
        /// The instance.
        instance: String,
        /// Number of processors.
        processors: usize,
        /// What is invalid.
        source: CheckError,
    },
    /// The program cannot be generated.
    #[error("{instance}: {source}")]
    Generate {
        /// The instance.
        instance: String,
        /// Why.
        source: superstep_codegen::GenerateError,
    },
    /// The build script does not run under cargo.
    #[error("`OUT_DIR` is not set: a builder runs in a build script, under cargo")]
    NoOutDir,
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl BuildError {
    pub(super) fn generate(instance: &str, source: superstep_codegen::GenerateError) -> Self {
        Self::Generate {
            instance: instance.to_owned(),
            source,
        }
    }
}

/// The largest number of processors of a program.
pub const MOST_PROCESSORS: usize = 64;
