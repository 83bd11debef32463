//! Predictions of programs for more processors than a machine at hand has, and times of making
//! them.
//!
//! Predictions are by the operations that each processor is counted to do and by what things take
//! on a machine; nothing is run. (A barrier is taken to cost the same for any number of
//! processors.)

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use superstep_codegen::print;
use superstep_compiler::{Options as Compiling, Pass, Passes, Request, Road};
use superstep_machine::Times;
use superstep_scheduler::{Algorithm, UnknownAlgorithm};
use superstep_search::ALL;
use superstep_tracer::Trace;

use crate::cases::{self, Case};

/// Numbers of processors; the first is what the others are compared with.
const PROCESSORS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// Predict speed-ups for up to 32 processors, and time tracing, scheduling and generating
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Times that things take on the machine, as `cargo superstep probe` writes it
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
    /// Who schedules
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::Auto, value_parser = algorithm)]
    algorithm: Algorithm,
    /// Leave this pass of the compiler out, to see what it gains; may be given several times
    #[arg(long, value_name = "PASS")]
    without: Vec<Pass>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Returns the algorithm of that name.
pub(crate) fn algorithm(name: &str) -> Result<Algorithm, UnknownAlgorithm> {
    Algorithm::named(name, ALL)
}

/// Predictions for one kernel.
#[derive(Serialize)]
struct Prediction {
    kernel: &'static str,
    size: &'static str,
    trace_seconds: f64,
    /// Programs by ascending number of processors.
    programs: Vec<Predicted>,
}

/// One program.
#[derive(Serialize)]
struct Predicted {
    processors: usize,
    /// Algorithm that made the schedule.
    algorithm: String,
    predicted_seconds: f64,
    /// Against the program for one processor.
    predicted_speedup: f64,
    /// Making the schedule that was kept.
    schedule_seconds: f64,
    /// The whole road, all candidates included.
    compile_seconds: f64,
    print_seconds: f64,
}

/// Predicts and prints.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let times = match &options.times {
        Some(file) => Times::read(file)?,
        None => Times::default(),
    };
    let passes = options.without.iter().copied();
    let compiling = Compiling {
        times,
        algorithms: ALL,
        algorithm: options.algorithm,
        passes: passes.fold(Passes::ALL, Passes::without),
        ..Compiling::default()
    };
    let cases = cases::named(cases::CASES, options.kernel.as_deref())?;
    if !options.json {
        print_head();
    }
    let mut predictions = Vec::new();
    for case in cases {
        let prediction = Prediction::of(case, &compiling)?;
        if !options.json {
            prediction.print();
        }
        predictions.push(prediction);
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&predictions)?);
    } else {
        print_lu(&predictions);
    }
    Ok(())
}

impl Prediction {
    fn of(case: &Case, options: &Compiling) -> Result<Self, Box<dyn std::error::Error>> {
        let instance = (case.instance)();
        let start = Instant::now();
        let trace = instance.record()?;
        let trace_seconds = start.elapsed().as_secs_f64();
        let mut road = Road::new(&trace, options);
        let mut programs: Vec<Predicted> = Vec::new();
        for processors in PROCESSORS {
            let mut program = program(case, &trace, &road, processors)?;
            let alone = programs.first().unwrap_or(&program).predicted_seconds;
            program.predicted_speedup = alone / program.predicted_seconds;
            programs.push(program);
            // Schedulers count in tasks of the program for one processor, which comes first.
            road = road.with_task(1e9 * alone / trace.tasks().max(1) as f64);
        }
        Ok(Self {
            kernel: case.kernel,
            size: case.size,
            trace_seconds,
            programs,
        })
    }
}

/// Schedules and generates a program, as a build does.
fn program(
    case: &Case,
    trace: &Trace,
    road: &Road<'_>,
    processors: usize,
) -> Result<Predicted, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let compiled = road.program(Request::new(processors))?;
    let (algorithm, predicted) = (
        compiled.report.algorithm.clone(),
        compiled.report.predicted(),
    );
    let compile_seconds = start.elapsed().as_secs_f64();
    let printed = superstep_codegen::KeyedProgram {
        control: Vec::new(),
        label: case.size.into(),
        notes: Vec::new(),
        private_memory: false,
        program: compiled.program,
    };
    print(trace.kernel(), &[printed], &[], "::superstep::__private")?;
    Ok(Predicted {
        processors,
        algorithm,
        predicted_seconds: 1e-9 * predicted,
        predicted_speedup: 1.0,
        schedule_seconds: compiled.report.seconds,
        compile_seconds,
        print_seconds: start.elapsed().as_secs_f64() - compile_seconds,
    })
}

/// Prints the head of the table.
fn print_head() {
    let columns = PROCESSORS[1..].iter();
    println!(
        "Predicted, not measured: speed-ups against the program for one processor, and the longest time that making one of them takes.\n\n\
         | kernel | size | P = 1, ms |{} by | trace, s | schedule, s | all candidates, s | print, s |",
        columns.map(|p| format!(" P = {p} |")).collect::<String>()
    );
    println!(
        "|---|---|---|{}---|---|---|---|---|",
        "---|".repeat(PROCESSORS.len() - 1)
    );
}

impl Prediction {
    /// Returns the algorithms that made the schedules, each named once.
    fn algorithms(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for program in &self.programs[1..] {
            if !names.contains(&&program.algorithm[..]) {
                names.push(&program.algorithm);
            }
        }
        names.join(", ")
    }

    fn print(&self) {
        let speedups: String = self.programs[1..]
            .iter()
            .map(|program| format!(" {:.2} |", program.predicted_speedup))
            .collect();
        let longest =
            |seconds: fn(&Predicted) -> f64| self.programs.iter().map(seconds).fold(0.0, f64::max);
        println!(
            "| {} | {} | {:.3} |{speedups} {} | {:.2} | {:.2} | {:.2} | {:.2} |",
            self.kernel,
            self.size,
            1e3 * self.programs[0].predicted_seconds,
            self.algorithms(),
            self.trace_seconds,
            longest(|program| program.schedule_seconds),
            longest(|program| program.compile_seconds),
            longest(|program| program.print_seconds),
        );
    }
}

/// Prints how long the largest factorisation takes to make for eight processors.
fn print_lu(predictions: &[Prediction]) {
    let is_lu = |prediction: &&Prediction| (prediction.kernel, prediction.size) == ("lu", "256");
    let eight = |program: &&Predicted| program.processors == 8;
    if let Some(lu) = predictions.iter().find(is_lu)
        && let Some(program) = lu.programs.iter().find(eight)
    {
        println!(
            "\nLU 256, P = 8: trace {:.2} s, schedule {:.2} s, all candidates {:.2} s, print {:.2} s",
            lu.trace_seconds,
            program.schedule_seconds,
            program.compile_seconds,
            program.print_seconds
        );
    }
}
