//! `cargo superstep farm table`: the experiment of the paper on prediction, on the Mandelbrot set.

use std::{fs, io, path::PathBuf};

use clap::Args;
use superstep_files::replace;
use superstep_papers::prediction::{Experiment, makespans_csv};

use super::FarmError;
use crate::{failure::Failure, progress::Progress, report, tree_figures::unwritten};

/// Repeat the published experiment on predicting master/slave programs, with the Mandelbrot set
///
/// Predicts from 256, 32 and 4 points of each axis of 1024, by interpolation, and from as many
/// random ones: totals and makespans as CSV, curves as SVG, and what the paper says (Mizutani, Ino
/// and Hagihara, fast performance prediction of master/slave programs by executing a subset of
/// tasks) beside what is found.
#[derive(Args)]
pub(super) struct Arguments {
    /// Points along each axis
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(4..=4096))]
    points: u32,
    /// Folder for tables and curves
    #[arg(long, short, default_value = ".")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("computing the Mandelbrot set");
    let experiment = Experiment::new(arguments.points as usize).map_err(FarmError::from)?;
    progress.stage("simulating masters and slaves");
    let makespans = experiment.makespans().map_err(FarmError::from)?;
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let mut files = vec![
        ("table-1.csv".to_owned(), experiment.totals_csv()),
        ("figure-5.csv".to_owned(), makespans_csv(&makespans)),
    ];
    for network in &makespans {
        let name = format!("figure-5-{}.svg", network.name.to_lowercase());
        let drawn = network.svg().map_err(|error| {
            unwritten(&folder.join(&name), &io::Error::other(error.to_string()))
        })?;
        files.push((name, drawn));
    }
    for (name, text) in files {
        let path = folder.join(name);
        replace(&path, text).map_err(|error| unwritten(&path, &error))?;
    }
    progress.finish();
    report::write(&experiment.text(&makespans))
}
