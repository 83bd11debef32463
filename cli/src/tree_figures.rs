//! `cargo superstep tree-figures`: the experiments of figures 4.4, 4.5, 4.9 and 4.10 of the thesis.

use std::path::PathBuf;

use clap::Args;
use superstep_papers::trees::{self, Figure};

use crate::{curves, failure::Failure, output, progress::Progress};

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

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("scheduling trees");
    let figures = trees::all();
    progress.stage("drawing");
    let folder = &arguments.out;
    curves::make_folder(folder)?;
    let mut text = String::new();
    let asked = |figure: &&Figure| {
        arguments.figures.is_empty() || arguments.figures.iter().any(|n| n == figure.number)
    };
    for figure in figures.iter().filter(asked) {
        let csv = folder.join(format!("figure-{}.csv", figure.number));
        curves::write(&csv, figure.csv())?;
        let svg = folder.join(format!("figure-{}.svg", figure.number));
        curves::write_drawn(&svg, figure.svg())?;
        text += &figure.text();
    }
    progress.finish();
    output::write(&text)
}
