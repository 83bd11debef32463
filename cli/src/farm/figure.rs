//! `cargo superstep farm figure`: the experiments of figures 6 to 9 of the PTUMR paper.

use std::path::PathBuf;

use clap::Args;
use superstep_papers::ptumr;

use super::error::FarmError;
use crate::{curves, failure::Failure, output, progress::Progress};

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
    curves::make_folder(folder)?;
    let mut text = String::new();
    let asked = |number: &&str| {
        arguments.figures.is_empty() || arguments.figures.iter().any(|asked| asked == number)
    };
    for number in ptumr::NUMBERS.into_iter().filter(asked) {
        progress.stage("searching for rounds");
        let figure = ptumr::figure(number).expect("it is one of the paper");
        let figure = figure.map_err(FarmError::from)?;
        let csv = folder.join(format!("figure-{number}.csv"));
        curves::write(&csv, figure.csv())?;
        let svg = folder.join(format!("figure-{number}.svg"));
        curves::write_drawn(&svg, figure.svg())?;
        text += &figure.text();
    }
    progress.finish();
    output::write(&text)
}
