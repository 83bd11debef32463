//! `cargo superstep farm table`: the experiment of the paper on prediction, on the Mandelbrot set.

use std::path::PathBuf;

use clap::Args;
use superstep_papers::prediction::{Experiment, makespans_csv};

use super::error::FarmError;
use crate::{curves, failure::Failure, output, progress::Progress};

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
    curves::make_folder(folder)?;
    curves::write(&folder.join("table-1.csv"), experiment.totals_csv())?;
    curves::write(&folder.join("figure-5.csv"), makespans_csv(&makespans))?;
    for network in &makespans {
        let name = format!("figure-5-{}.svg", network.name.to_lowercase());
        curves::write_drawn(&folder.join(name), network.svg())?;
    }
    progress.finish();
    output::write(&experiment.text(&makespans))
}
