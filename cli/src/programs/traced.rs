//! Traces of kernels, from the build script.

use std::path::PathBuf;
use std::{env, fs, io, process};

use superstep::build::{InstanceTrace, TracesError};

use super::build::Kernel;
use crate::failure::CommandError;

/// Errors of tracing a kernel.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TracedError {
    /// The build script gives no trace.
    #[error(transparent)]
    Traces(#[from] TracesError),
    /// There is no room for the trace.
    #[error("{} cannot be written: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl CommandError for TracedError {}

/// Has the build script trace a kernel with some control arguments.
pub(crate) fn traced(kernel: &Kernel, control: &str) -> Result<InstanceTrace, TracedError> {
    let folder = env::temp_dir().join(format!("superstep-trace-{}", process::id()));
    let failed = |source| TracedError::Folder {
        path: folder.clone(),
        source,
    };
    fs::create_dir_all(&folder).map_err(failed)?;
    let traced = kernel.trace(&folder, control);
    // Nothing is lost where it stays.
    let _ = fs::remove_dir_all(&folder);
    Ok(traced?)
}
