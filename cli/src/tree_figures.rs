//! `cargo superstep tree-figures`: the experiments of figures 4.4, 4.5, 4.9 and 4.10 of the thesis.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::Args;
use superstep_files::replace;
use superstep_papers::trees::{self, Figure};

use crate::{failure::Failure, progress::Progress, report};

/// Repeat the thesis's experiments on trees: curves as SVG and CSV, and what it says of them beside what is found
#[derive(Args)]
pub(crate) struct Arguments {
    /// Numbers of the figures in the thesis [default: all]
    #[arg(value_parser = trees::NUMBERS)]
    figures: Vec<String>,
    /// Folder for the curves
    #[arg(long, short, default_value = ".")]
    out: PathBuf,
}

/// A curve that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {reason}", path.display())]
pub(crate) struct FigureError {
    path: PathBuf,
    reason: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("scheduling trees");
    let figures = trees::all();
    progress.stage("drawing");
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let mut text = String::new();
    let asked = |figure: &&Figure| {
        arguments.figures.is_empty() || arguments.figures.iter().any(|n| n == figure.number)
    };
    for figure in figures.iter().filter(asked) {
        let csv = folder.join(format!("figure-{}.csv", figure.number));
        replace(&csv, figure.csv()).map_err(|error| unwritten(&csv, &error))?;
        let svg = folder.join(format!("figure-{}.svg", figure.number));
        let drawn = figure.svg();
        let drawn = drawn.map_err(|error| io::Error::other(error.to_string()));
        let written = drawn.and_then(|drawn| replace(&svg, drawn));
        written.map_err(|error| unwritten(&svg, &error))?;
        text += &figure.text();
    }
    progress.finish();
    report::write(&text)
}

pub(crate) fn unwritten(path: &Path, error: &io::Error) -> FigureError {
    FigureError {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
