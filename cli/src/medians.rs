//! `cargo superstep medians`: adds to a machine file what builds take of its measured latencies.

use std::path::PathBuf;

use clap::Args;
use superstep_machine::file;
use superstep_network::with_medians;

use crate::failure::Failure;

/// Add the medians of measured latencies to a machine file, for builds
#[derive(Args)]
pub(crate) struct Arguments {
    /// Machine file with `[[paths]]`, which is written anew
    machine: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = &arguments.machine;
    let text = file::read(path)?;
    let with = with_medians(&text, path)?;
    if with != text {
        file::write(path, &with)?;
    }
    Ok(())
}
