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

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.graph, &arguments.what[..]) {
        (Some(graph), _) => graph::run(arguments, graph),
        (None, [first, second]) => {
            let files = [first, second].map(|file| Path::new(&file[..]));
            plans::run(arguments, files)
        }
        (None, [kernel]) if Path::new(kernel).is_file() || kernel.ends_with(".timeline") => {
            Err(CompareError::OneFile(kernel.clone()).into())
        }
        (None, _) => programs::run(arguments),
    }
}
