//! `cargo superstep compare`: schedules of a graph, programs of a kernel, two plans, or two runs,
//! side by side.

mod arguments;
mod error;
mod graph;
mod plans;
mod programs;
mod recorded;

use std::path::Path;

pub(crate) use self::arguments::Arguments;
use self::error::CompareError;
use crate::failure::Failure;

/// Dispatches by what is named: a graph, two files, or else the programs of the crate here. One
/// file alone is refused.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    match (&arguments.graph, &arguments.what[..]) {
        (Some(graph), _) => graph::run(arguments, graph),
        (None, [first, second]) => {
            let files = [first, second].map(|file| Path::new(&file[..]));
            plans::run(arguments, files)
        }
        (None, [kernel])
            if Path::new(kernel).is_file()
                || [".timeline", ".plan"]
                    .iter()
                    .any(|end| kernel.ends_with(end)) =>
        {
            Err(CompareError::OneFile(kernel.clone()).into())
        }
        (None, _) if arguments.matrix.is_some() => Err(CompareError::idle("--matrix", "plans")),
        (None, _) => programs::run(arguments),
    }
}
