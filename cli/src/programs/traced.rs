//! Traces of kernels, from the build script.

use std::{env, fs, process};

use superstep::build::InstanceTrace;

use super::build::Kernel;
use crate::failure::{Failure, unwritten};

/// Has the build script trace a kernel with some control arguments.
pub(crate) fn traced(kernel: &Kernel, control: &str) -> Result<InstanceTrace, Failure> {
    let folder = env::temp_dir().join(format!("superstep-trace-{}", process::id()));
    fs::create_dir_all(&folder).map_err(unwritten(&folder))?;
    let traced = kernel.trace(&folder, control);
    // Nothing is lost where it stays.
    let _ = fs::remove_dir_all(&folder);
    Ok(traced?)
}
