//! `cargo superstep farm figure`: the experiments of figures 6 to 9 of the PTUMR paper.

mod curves;
mod draw;

use std::{fmt::Write, fs, io, path::PathBuf};

use clap::Args;
use superstep_files::replace;

use self::curves::Figure;
use super::FarmError;
use crate::{failure::Failure, progress::Progress, report, tree_figures::unwritten};

/// Repeat the PTUMR paper's experiments: curves as SVG and CSV, and what it says of them beside
/// what is found
#[derive(Args)]
pub(crate) struct Arguments {
    /// Numbers of the figures in the paper [default: all]
    #[arg(value_parser = ["6", "7", "8", "9"])]
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
    for number in ["6", "7", "8", "9"] {
        if !arguments.figures.is_empty() && !arguments.figures.iter().any(|asked| asked == number) {
            continue;
        }
        progress.stage("searching for rounds");
        let figure = curves::figure(number).map_err(FarmError::from)?;
        let csv = folder.join(format!("figure-{number}.csv"));
        replace(&csv, figure.csv()).map_err(|error| unwritten(&csv, &error))?;
        let svg = folder.join(format!("figure-{number}.svg"));
        let drawn = draw::svg(&figure).map_err(|error| io::Error::other(error.to_string()));
        let written = drawn.and_then(|drawn| replace(&svg, drawn));
        written.map_err(|error| unwritten(&svg, &error))?;
        describe(&figure, &mut text).expect("a string can be written to");
    }
    progress.finish();
    report::write(&text)
}

fn describe(figure: &Figure, text: &mut String) -> std::fmt::Result {
    writeln!(text, "figure {}: {}", figure.number, figure.title)?;
    for (published, measured) in &figure.statements {
        writeln!(text, "  published  {published}")?;
        writeln!(text, "  measured   {measured}")?;
    }
    Ok(())
}
