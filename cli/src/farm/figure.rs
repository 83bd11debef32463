//! `cargo superstep farm figure`: the experiments of figures 6 to 9 of the PTUMR paper.

use std::{fs, io, path::PathBuf};

use clap::Args;
use superstep_files::replace;
use superstep_papers::ptumr;

use super::FarmError;
use crate::{failure::Failure, progress::Progress, report, tree_figures::unwritten};

/// Repeat the PTUMR paper's experiments: curves as SVG and CSV, and what it says of them beside
/// what is found
#[derive(Args)]
pub(crate) struct Arguments {
    /// Numbers of the figures in the paper [default: all]
    #[arg(value_parser = ptumr::NUMBERS)]
    figures: Vec<String>,
    /// Folder for the curves
    #[arg(long, short, default_value = ".")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let mut text = String::new();
    let asked = |number: &&str| {
        arguments.figures.is_empty() || arguments.figures.iter().any(|asked| asked == number)
    };
    for number in ptumr::NUMBERS.into_iter().filter(asked) {
        progress.stage("searching for rounds");
        let figure = ptumr::figure(number).expect("it is one of the paper");
        let figure = figure.map_err(FarmError::from)?;
        let csv = folder.join(format!("figure-{number}.csv"));
        replace(&csv, figure.csv()).map_err(|error| unwritten(&csv, &error))?;
        let svg = folder.join(format!("figure-{number}.svg"));
        let drawn = figure.svg();
        let drawn = drawn.map_err(|error| io::Error::other(error.to_string()));
        let written = drawn.and_then(|drawn| replace(&svg, drawn));
        written.map_err(|error| unwritten(&svg, &error))?;
        text += &figure.text();
    }
    progress.finish();
    report::write(&text)
}
