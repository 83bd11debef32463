//! Errors of a build.

use std::fmt;
use std::path::PathBuf;

use superstep_compiler::CompileError;
use superstep_machine::{InvalidValue, MachineFileError};
use superstep_tracer::TraceError;

use super::memory::{BYTES_PER_TASK, TaskLimit};

/// Error that stopped a [`Builder`](super::Builder). A message about a kernel starts with its
/// source line or the instance, and one about a file names its path.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The run of the kernel's control went wrong.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// More tasks than the builder's limit, or than there is memory for.
    #[error("{source}; {}", explain(instance, limit))]
    Limit {
        /// Instance that was traced.
        instance: String,
        /// Limit that was in force.
        limit: TaskLimit,
        /// Location at which the trace stopped, and why.
        source: TraceError,
    },
    /// The machine file cannot be used.
    #[error("{0}")]
    Machine(#[from] MachineFileError),
    /// A file of measured costs cannot be used.
    #[error("{}: {message}", path.display())]
    Measured {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        message: String,
    },
    /// A cost that no machine has.
    #[error("the builder's {0}")]
    Cost(#[from] InvalidValue),
    /// A number of processors that no program can have.
    #[error("{instance}: programs have 1 to {MOST_PROCESSORS} processors, not {processors}")]
    Processors {
        /// Instance that asked for it.
        instance: String,
        /// Number that was asked for.
        processors: usize,
    },
    /// No program could be made.
    #[error("{instance}: {source}")]
    Compile {
        /// Instance that was compiled.
        instance: String,
        /// Reason.
        source: CompileError,
    },
    /// A name is no Rust.
    #[error("{instance}: the generated file does not parse: {source}")]
    Print {
        /// An instance of the kernel.
        instance: String,
        /// Reason.
        source: superstep_codegen::PrintError,
    },
    /// The build script does not run under cargo.
    #[error("`OUT_DIR` is not set: a builder runs in a build script, under cargo")]
    NoOutDir,
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
}

/// The largest number of processors of a program.
pub const MOST_PROCESSORS: usize = 64;

/// Tells what the tasks of an instance take and what there is, and what to do.
fn explain(instance: &str, limit: &TaskLimit) -> String {
    let needed = Bytes(limit.tasks.saturating_mul(BYTES_PER_TASK));
    let free = match limit.available {
        Some(available) => format!(", of {} that are free", Bytes(available)),
        None => String::new(),
    };
    let advice = match limit.is_given {
        true => "raise the builder's `task_limit`",
        false => "free memory, or give the builder a `task_limit` of its own",
    };
    format!(
        "to build `{instance}` takes more than {needed}{free}, at {BYTES_PER_TASK} bytes a task: build a smaller size, or {advice}"
    )
}

/// Memory for people: `0.1 MB`, `23.2 GB`.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 as f64 {
            many if many >= 1e9 => write!(f, "{:.1} GB", many / 1e9),
            few => write!(f, "{:.1} MB", few / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Kernel, Recorder, Role, record};

    use super::*;

    #[test]
    fn an_error_says_how_much_memory_is_needed_and_free() {
        let mut kernel = Kernel::new("lu");
        kernel.file = "src/kernels.rs".into();
        let x = kernel.add_array("x", Role::InOut, None);
        kernel.add_statement("x[i] = x[i]", x, &[x]);
        let run = |recorder: &mut Recorder| (0..2).for_each(|i| recorder.push(0, i, &[i]));
        let source = record(kernel, 1, run).expect_err("there are two");
        let told = |available| {
            let limit = TaskLimit {
                tasks: 200_000_000,
                available,
                is_given: false,
            };
            let instance = "lu(n = 900)".into();
            BuildError::Limit {
                instance,
                limit,
                source: source.clone(),
            }
            .to_string()
        };
        let needed = Bytes(200_000_000 * BYTES_PER_TASK);
        assert_eq!(
            told(Some(25_000_000_000)),
            format!(
                "src/kernels.rs:0, kernel `lu`, in `x[i] = x[i]`: more than 1 tasks; to build `lu(n = 900)` takes more than {needed}, of \
                 25.0 GB that are free, at {BYTES_PER_TASK} bytes a task: build a smaller size, or free memory, or give the builder a \
                 `task_limit` of its own"
            )
        );
        assert!(!told(None).contains("free,"));
    }
}
