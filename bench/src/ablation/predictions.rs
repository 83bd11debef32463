//! Problems of the ablation that are predictions: of the collection's programs that were measured.
//! The cost of one is the factor by which the prediction is off; nothing is run.
//!
//! A program is compiled once, with all numbers as they are, and predicted anew at each setting. So
//! it is the one that was measured, also where another would be chosen.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use superstep_bench_kernels::collection::{KERNELS, SIZES};
use superstep_compiler::{Compiled, Data, Options as Compiling, Request, compile};
use superstep_machine::Times;
use superstep_tracer::Trace;

use super::{Problem, Solved, Take};
use crate::plan::Failure;

/// Classes of kernels, by their modules in the collection: each has five kernels at least.
const CLASSES: [&str; 7] = [
    "dense, estimation",
    "banded, sparse",
    "grids, image",
    "dynamic, graphs",
    "signal, transforms",
    "coding, hashing",
    "learning, simulation, geometry",
];

/// Class of all kernels, for numbers that few of each class read.
const ALL: &str = "all";

/// Relative difference of predictions up to which they are equal: they are divided and multiplied.
const EQUAL: f64 = 1e-6;

/// File of measurements.
#[derive(Deserialize)]
pub(super) struct Measured {
    rows: Vec<Row>,
}

/// Measured kernel at a size.
#[derive(Deserialize)]
struct Row {
    field: String,
    kernel: String,
    size: String,
    tasks: usize,
    /// Times of the programs for one and two processors over that of the function, where there are
    /// programs.
    programs_vs_function: [Option<f64>; 2],
    /// Predicted over measured times: of these programs, and of a plan.
    predicted_error: [Option<f64>; 3],
    /// Predicted over measured time of the function.
    function_predicted_error: Option<f64>,
}

/// Hands on all problems of a file, as `superstep-collection --json` writes it, whose build had
/// these times.
pub(super) fn all(file: &Path, times: Option<&Path>, take: &mut Take<'_>) -> Result<(), Failure> {
    let measured: Measured = serde_json::from_slice(&fs::read(file)?)?;
    let times = times.map(Times::read).transpose()?;
    measured.all(times.unwrap_or_default(), take)
}

impl Measured {
    /// Hands on all problems: each program that was measured, in its class and in that of all.
    pub(super) fn all(&self, times: Times, take: &mut Take<'_>) -> Result<(), Failure> {
        let options = Compiling {
            times,
            ..Compiling::default()
        };
        self.rows
            .iter()
            .try_for_each(|row| row.each(&options, take))
    }
}

impl Row {
    /// Hands on the problems of the row.
    fn each(&self, options: &Compiling, take: &mut Take<'_>) -> Result<(), Failure> {
        let is_own = |class: &&str| class.split(", ").any(|field| field == self.field);
        let class = CLASSES.into_iter().find(is_own);
        let class = class.ok_or_else(|| format!("no class has the field {}", self.field))?;
        let errors: Vec<(usize, f64)> = (1..=2)
            .filter_map(|processors| Some((processors, self.predicted_error[processors - 1]?)))
            .collect();
        if errors.is_empty() {
            return Ok(());
        }
        let trace = self.trace()?;
        let requests: Vec<Request> = errors.iter().map(|&(p, _)| Request::new(p)).collect();
        let programs = compile(&trace, &requests, options)?.programs;
        for (processors, error) in errors {
            let program = programs.iter().find(|each| self.is(each, processors));
            let program = &program.ok_or_else(|| self.of_another_build())?.program;
            let at_first = program.plan().predicted as f64;
            let solve = || {
                Solved::timed(|| {
                    let now = program.predict(trace.kernel(), &options.times, Data::Caller);
                    let error = error * now / at_first;
                    Ok(Some(error.max(1.0 / error)))
                })
            };
            for class in [ALL, class] {
                take(Problem {
                    class,
                    graph: &self.kernel,
                    solve: &solve,
                })?;
            }
        }
        Ok(())
    }

    /// Traces the kernel at the size that has so many tasks.
    fn trace(&self) -> Result<Trace, Failure> {
        let kernel = KERNELS.iter().find(|kernel| kernel.name == self.kernel);
        let kernel = kernel.ok_or_else(|| self.of_another_build())?;
        for size in 0..SIZES {
            let trace = (kernel.instance)(size).record()?;
            if trace.tasks() == self.tasks {
                return Ok(trace);
            }
        }
        Err(self.of_another_build())
    }

    /// Returns whether a program is the one for so many processors that was measured: its
    /// prediction is, over that of the function.
    fn is(&self, compiled: &Compiled, processors: usize) -> bool {
        let at = processors - 1;
        let predicted = || {
            let to_measured = self.predicted_error[at]? * self.programs_vs_function[at]?;
            Some(to_measured / self.function_predicted_error?)
        };
        let own = compiled.report.predicted() / compiled.report.function as f64;
        let is_equal = |predicted: f64| (predicted / own - 1.0).abs() < EQUAL;
        compiled.report.processors == processors && predicted().is_none_or(is_equal)
    }

    /// Refuses the row.
    fn of_another_build(&self) -> Failure {
        let Self { kernel, size, .. } = self;
        format!("{kernel}, {size}: measured with a build of other sources or times").into()
    }
}
