//! Why a build stopped.

use std::path::PathBuf;

use superstep_compiler::CompileError;
use superstep_machine::{InvalidValue, MachineFileError};
use superstep_tracer::TraceError;

use super::memory::{BYTES_PER_TASK, TaskLimit};

/// Why a [`Builder`](super::Builder) stopped. Each message starts with the source line or the instance that it is about.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The run of the kernel's control went wrong.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// More tasks than the builder's limit, or than there is memory for.
    #[error("{source}; {}", explain(instance, limit))]
    Limit {
        /// The instance.
        instance: String,
        /// The limit that was in force.
        limit: TaskLimit,
        /// Where and when the trace stopped.
        source: TraceError,
    },
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
    /// No program could be made.
    #[error("{instance}: {source}")]
    Compile {
        /// The instance.
        instance: String,
        /// Why.
        source: CompileError,
    },
    /// A name is no Rust.
    #[error("{instance}: the generated file does not parse: {source}")]
    Print {
        /// An instance of the kernel.
        instance: String,
        /// Why.
        source: superstep_codegen::PrintError,
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

/// The largest number of processors of a program.
pub const MOST_PROCESSORS: usize = 64;

/// Says how many tasks an instance may have, what these take and what there is, and what to do.
fn explain(instance: &str, limit: &TaskLimit) -> String {
    let bytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    let needed = bytes(limit.tasks.saturating_mul(BYTES_PER_TASK));
    let room = match limit.available {
        Some(available) => format!(", of {} that are free", bytes(available)),
        None => String::new(),
    };
    let advice = match limit.is_given {
        true => "raise the builder's `task_limit`",
        false => "free memory, or set the builder's `task_limit` to build nevertheless",
    };
    format!(
        "to build `{instance}` takes more than {needed}{room}, at {BYTES_PER_TASK} bytes a task: {advice}"
    )
}
