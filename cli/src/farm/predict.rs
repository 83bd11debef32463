//! `cargo superstep farm predict`: costs of all items, their total and the makespan, from samples.

use std::{
    collections::HashSet,
    fmt::{self, Write},
    path::PathBuf,
};

use clap::Args;
use serde::Serialize;
use superstep_farm::{Axis, Grid, Interval, Invalid, Samples, Sampling};
use superstep_report::Count;

use super::{
    network::Network,
    options::{Shape, by, share},
    sample,
};
use crate::{
    failure::{Failure, in_file},
    output::{self, figure},
    values::positive,
};

/// Predict how long all items take together, and on some workers, from samples that were run
///
/// The file of samples has a first row of names. Then it has for each item that was run its index
/// along each axis, from 0, and its seconds, as `farm sample` lists them. Each of the random items
/// counts for its cell, so none may be missing.
#[derive(Args)]
pub(super) struct Arguments {
    /// Comma-separated values: an index for each axis, and seconds
    samples: PathBuf,
    /// Number of items along each axis, as in 1024x1024
    #[arg(long)]
    shape: Shape,
    /// The samples are the nodes of a grid: interpolate, without an interval
    #[arg(long)]
    grid: bool,
    /// Relative error of the total that is small enough
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    target_error: Option<f64>,
    /// Write the items to run next to this file, if the error is larger
    #[arg(long, value_name = "FILE", requires = "target_error")]
    next: Option<PathBuf>,
    /// Most items to run in all, as a share
    #[arg(long, default_value = "1/64", value_parser = share, requires = "target_error")]
    share: f64,
    /// Seed of the items to run next
    #[arg(long, default_value_t = 1, requires = "next")]
    seed: u64,
    /// Write the predicted seconds of all items to this file, the last axis running fastest
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    #[command(flatten)]
    network: Network,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// A prediction; seconds.
#[derive(Serialize)]
struct Forecast {
    items: usize,
    samples: usize,
    /// Along each axis: random samples have cells, others nodes.
    cells: Option<Vec<usize>>,
    nodes: Option<Vec<usize>>,
    measured: f64,
    total: Range,
    /// Relative error: the end of the interval of random samples, or a grid's difference from the
    /// coarser one.
    relative_error: Option<f64>,
    residual: Option<f64>,
    workers: Option<u32>,
    makespan: Option<Range>,
    target: Option<Reached>,
    #[serde(skip)]
    costs: Vec<f64>,
    #[serde(skip)]
    next: Vec<usize>,
}

/// A value, and the ends of its interval.
#[derive(Clone, Copy, Serialize)]
struct Range {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// Error of a prediction, and whether it is small enough.
#[derive(Serialize)]
struct Reached {
    error: f64,
    reached: bool,
    /// Number of items to run next.
    next: usize,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(workers) = arguments.network.workers {
        // Errors of the network are none of the file.
        arguments.network.makespan(workers, &[])?;
    }
    let samples = Samples::read(&arguments.samples, &arguments.shape.0)?;
    let forecast = if arguments.grid { of_grid } else { of_strata };
    let mut forecast = forecast(arguments, &samples).map_err(in_file(&arguments.samples))?;
    if let Some(error) = arguments.target_error {
        let reached = forecast.relative_error.is_some_and(|found| found <= error);
        if reached {
            forecast.next.clear();
        }
        forecast.target = Some(Reached {
            error,
            reached,
            next: forecast.next.len(),
        });
        if let Some(path) = arguments
            .next
            .as_ref()
            .filter(|_| !forecast.next.is_empty())
        {
            output::replace(path, sample::csv(&arguments.shape.0, &forecast.next))?;
        }
    }
    if let Some(path) = &arguments.costs {
        let lines = forecast.costs.iter().map(|cost| format!("{cost}\n"));
        output::replace(path, "seconds\n".to_owned() + &lines.collect::<String>())?;
    }
    output::print(&forecast, arguments.json, || forecast.text(arguments))
}

/// Predicts from random samples, one in each cell.
fn of_strata(arguments: &Arguments, samples: &Samples) -> Result<Forecast, Invalid> {
    let shape = &arguments.shape.0;
    let mut sampling = Sampling::from_items(shape, samples.items().to_vec(), arguments.seed)?;
    let prediction = sampling.predict(samples.costs())?;
    let network = &arguments.network;
    let makespan = |workers| prediction.makespan(|costs| network.makespan(workers, costs));
    let makespan = network.workers.map(makespan).transpose()?;
    let cells = sampling.cells().to_vec();
    let done = samples.items().len();
    let more = 2 * done <= sample::budget(shape, arguments.share)? && sampling.refine();
    Ok(Forecast {
        items: prediction.costs.len(),
        samples: done,
        cells: Some(cells),
        nodes: None,
        measured: prediction.measured,
        total: prediction.total.into(),
        relative_error: Some(prediction.total.relative_error()),
        residual: Some(prediction.residual),
        workers: network.workers,
        makespan: makespan.map(Range::from),
        target: None,
        costs: prediction.costs,
        next: if more {
            sampling.items()[done..].to_vec()
        } else {
            Vec::new()
        },
    })
}

/// Predicts from the nodes of a grid.
fn of_grid(arguments: &Arguments, samples: &Samples) -> Result<Forecast, Invalid> {
    let shape = &arguments.shape.0;
    let grid = Grid::from_items(shape, samples.items(), samples.costs())?;
    let costs = grid.everywhere(shape)?;
    let total: f64 = costs.iter().sum();
    let coarser = grid
        .coarser()
        .map(|grid| grid.everywhere(shape))
        .transpose()?;
    let difference = coarser.map(|coarser| {
        let difference = (coarser.iter().sum::<f64>() - total).abs();
        if total > 0.0 {
            difference / total
        } else {
            difference
        }
    });
    let network = &arguments.network;
    let makespan = |workers| network.makespan(workers, &costs);
    let makespan = network.workers.map(makespan).transpose()?;
    let exact = |value| Range {
        value,
        low: None,
        high: None,
    };
    Ok(Forecast {
        items: costs.len(),
        samples: samples.items().len(),
        cells: None,
        nodes: Some(grid.axes().iter().map(|axis| axis.nodes().len()).collect()),
        measured: samples.costs().iter().sum(),
        total: exact(total),
        relative_error: difference,
        residual: None,
        workers: network.workers,
        makespan: makespan.map(exact),
        target: None,
        next: finer(arguments, &grid, samples)?,
        costs,
    })
}

/// Nodes to add to a grid for one of half its steps. There are none if it is no even grid, or its
/// nodes would be more than the share.
fn finer(arguments: &Arguments, grid: &Grid, samples: &Samples) -> Result<Vec<usize>, Invalid> {
    let shape = &arguments.shape.0;
    let nodes = grid.axes().iter().map(|axis| axis.nodes().len());
    let nodes = nodes.max().unwrap_or(1);
    let even = |(axis, &length): (&Axis, &usize)| {
        Axis::spread(length, nodes.min(length)).as_ref() == Ok(axis)
    };
    if nodes < 2 || !grid.axes().iter().zip(shape).all(even) {
        return Ok(Vec::new());
    }
    let done: HashSet<&usize> = samples.items().iter().collect();
    let along = |&length: &usize| (2 * nodes - 1).min(length) as f64;
    if shape.iter().map(along).product::<f64>() > sample::budget(shape, arguments.share)? as f64 {
        return Ok(Vec::new());
    }
    let mut items = sample::grid(shape, 2 * nodes - 1)?;
    items.retain(|item| !done.contains(item));
    Ok(items)
}

impl From<Interval> for Range {
    fn from(interval: Interval) -> Self {
        Self {
            value: interval.value,
            low: Some(interval.low),
            high: Some(interval.high),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} s", figure(self.value))?;
        match (self.low, self.high) {
            (Some(low), Some(high)) => {
                let (low, high) = (figure(low), figure(high));
                write!(formatter, ", in 90 of 100 cases {low} to {high} s")
            }
            _ => Ok(()),
        }
    }
}

impl Forecast {
    fn text(&self, arguments: &Arguments) -> String {
        let mut text = String::new();
        self.write(arguments, &mut text)
            .expect("a string can be written to");
        text
    }

    fn write(&self, arguments: &Arguments, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "items      {} in {}",
            self.items,
            by(&arguments.shape.0)
        )?;
        write!(text, "samples    {}, ", self.samples)?;
        match (&self.cells, &self.nodes) {
            (Some(cells), _) => writeln!(text, "one in each of {} cells", by(cells))?,
            (_, nodes) => writeln!(text, "a grid of {}", by(nodes.as_deref().unwrap_or(&[])))?,
        }
        writeln!(text, "measured   {} s", figure(self.measured))?;
        writeln!(text, "total      {}", self.total)?;
        let error = self.relative_error.map(percent);
        match (error, self.residual) {
            (Some(error), Some(_)) => writeln!(text, "error      {error} at the upper end")?,
            (Some(error), None) => {
                writeln!(
                    text,
                    "error      {error} from the grid of every second node"
                )?;
            }
            (None, _) => writeln!(
                text,
                "error      unknown: a coarser grid takes odd numbers of nodes"
            )?,
        }
        if let Some(residual) = self.residual {
            writeln!(text, "residual   {} of an item's mean", percent(residual))?;
        }
        if let (Some(workers), Some(makespan)) = (self.workers, self.makespan) {
            let workers = Count(workers.into(), "worker");
            writeln!(text, "makespan   {makespan}, on {workers}")?;
        }
        let Some(target) = &self.target else {
            return Ok(());
        };
        write!(text, "target     {} is ", percent(target.error))?;
        match (target.reached, target.next) {
            (true, _) => writeln!(text, "reached"),
            (false, 0) => writeln!(text, "not reached, and no more items may be run"),
            (false, next) => writeln!(text, "not reached: run {next} more items"),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}
