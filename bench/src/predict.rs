//! What programs for more processors than a machine at hand has would take, by the operations that each processor is counted to do and by what
//! things take on a machine: predictions, and nothing is run. (A barrier is taken to cost the same for any number of processors.) And what making such
//! programs takes.

use std::path::PathBuf;
use std::time::Instant;

use build_script_kernels as kernels;
use clap::Args;
use serde::Serialize;
use superstep::build::Instance;
use superstep_codegen::messages::Placement;
use superstep_codegen::moves::at_home;
use superstep_codegen::print::{self, print};
use superstep_codegen::{Arguments, Options as Printing, Program};
use superstep_dag::Dag;
use superstep_dag_builder::contract::contract;
use superstep_example_sptrsv::pattern;
use superstep_machine::{Machine, Times};
use superstep_schedule::CheckedSchedule;
use superstep_scheduler::{Levels, Owners, Pipeline, Scheduler, Serial};
use superstep_tracer::Trace;

/// Numbers of processors; the first is what the others are compared with.
const PROCESSORS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Predict speed-ups for up to 32 processors, and time tracing, scheduling and generating
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// What things take on the machine, as `cargo superstep probe` writes it
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A kernel at one size, and how its example's build schedules it.
struct Case {
    kernel: &'static str,
    size: &'static str,
    instance: fn() -> Instance,
    scheduler: fn() -> Box<dyn Scheduler>,
    /// What a superstep boundary costs in tasks, where the example says so.
    latency: Option<f64>,
}

const CASES: &[Case] = &[
    Case {
        kernel: "lu",
        size: "128",
        instance: || kernels::lu::lu::instance(128),
        scheduler: || Box::new(Owners::for_threads()),
        latency: None,
    },
    Case {
        kernel: "lu",
        size: "256",
        instance: || kernels::lu::lu::instance(256),
        scheduler: || Box::new(Owners::for_threads()),
        latency: None,
    },
    Case {
        kernel: "fft",
        size: "8192",
        instance: || kernels::fft::fft::instance(8192),
        scheduler: || Box::new(Owners::for_threads()),
        latency: None,
    },
    Case {
        kernel: "jacobi",
        size: "512, 10 sweeps",
        instance: || kernels::jacobi::jacobi::instance(512, 5),
        scheduler: || Box::new(Levels),
        latency: None,
    },
    Case {
        kernel: "jacobi_solve",
        size: "512",
        instance: || kernels::jacobi_solve::jacobi_solve::instance(512),
        scheduler: || Box::new(Pipeline::for_loops()),
        latency: None,
    },
    Case {
        kernel: "sptrsv",
        size: "300 x 300",
        instance: || {
            let (row, col) = pattern::lower_laplacian(300);
            kernels::sptrsv::sptrsv::instance(row.len() - 1, &row, &col)
        },
        scheduler: || Box::new(Pipeline::for_loops()),
        latency: Some(1500.0),
    },
    Case {
        kernel: "lcs",
        size: "2000",
        instance: || kernels::lcs::lcs::instance(2000, 2000),
        scheduler: || Box::new(Pipeline::for_loops()),
        latency: Some(2000.0),
    },
    Case {
        kernel: "matmul",
        size: "256",
        instance: || kernels::matmul::matmul::instance(256),
        scheduler: || Box::new(Pipeline::for_loops()),
        latency: None,
    },
];

/// What is predicted for one kernel.
#[derive(Serialize)]
struct Prediction {
    kernel: &'static str,
    size: &'static str,
    trace_seconds: f64,
    /// By ascending number of processors.
    programs: Vec<Predicted>,
}

/// One program.
#[derive(Serialize)]
struct Predicted {
    processors: u32,
    predicted_seconds: f64,
    /// Against the program for one processor.
    predicted_speedup: f64,
    schedule_seconds: f64,
    generate_seconds: f64,
}

/// Predicts and prints.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let times = match &options.times {
        Some(file) => Times::read(file)?,
        None => Times::default(),
    };
    let wanted = |case: &&Case| {
        let name = options.kernel.as_ref();
        name.is_none_or(|name| name == case.kernel)
    };
    let cases: Vec<&Case> = CASES.iter().filter(wanted).collect();
    if cases.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.kernel).collect();
        return Err(format!("no such kernel; there are {}", names.join(", ")).into());
    }
    if !options.json {
        print_head();
    }
    let mut predictions = Vec::new();
    for case in cases {
        let prediction = case.predict(&times)?;
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

impl Case {
    fn predict(&self, times: &Times) -> Result<Prediction, Box<dyn std::error::Error>> {
        let instance = (self.instance)();
        let start = Instant::now();
        let trace = instance.record()?;
        let graph = superstep_dag_builder::from_trace(&trace)
            .with_homes(superstep_dag_builder::homes(&trace))?;
        let trace_seconds = start.elapsed().as_secs_f64();
        let mut programs: Vec<Predicted> = Vec::new();
        for processors in PROCESSORS {
            let alone = programs.first().map(|one| one.predicted_seconds);
            let task = 1e9 * alone.unwrap_or_default() / trace.tasks().max(1) as f64;
            let mut machine = times.machine(processors, task);
            if let Some(latency) = self.latency {
                machine = Machine {
                    latency,
                    ..Machine::new(processors)
                };
            }
            let mut program = self.program(&trace, &graph, &machine, times)?;
            program.predicted_speedup =
                alone.unwrap_or(program.predicted_seconds) / program.predicted_seconds;
            programs.push(program);
        }
        Ok(Prediction {
            kernel: self.kernel,
            size: self.size,
            trace_seconds,
            programs,
        })
    }

    /// Schedules and generates a program, as a build does.
    fn program(
        &self,
        trace: &Trace,
        graph: &Dag,
        machine: &Machine,
        times: &Times,
    ) -> Result<Predicted, Box<dyn std::error::Error>> {
        let start = Instant::now();
        let groups = contract(trace, graph, machine.processors);
        let scheduler = match machine.processors {
            1 => Box::new(Serial),
            _ => (self.scheduler)(),
        };
        let schedule = scheduler.schedule(groups.graph(), machine)?;
        let schedule = CheckedSchedule::new(graph, schedule.expand(&groups))?;
        let schedule_seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut program = assembled(trace, &schedule, times)?;
        if let Some(schedule) = at_home(trace, schedule.schedule()) {
            let other = assembled(trace, &CheckedSchedule::new(graph, schedule)?, times)?;
            if other.1 < program.1 {
                program = other;
            }
        }
        let printed = print::Instance {
            control: Vec::new(),
            label: self.size.into(),
            notes: Vec::new(),
            program: program.0.check(trace)?,
        };
        let predicted_seconds = 1e-9 * printed.program.plan().predicted as f64;
        print(trace.kernel(), &[printed], &Printing::default())?;
        Ok(Predicted {
            processors: machine.processors,
            predicted_seconds,
            predicted_speedup: 1.0,
            schedule_seconds,
            generate_seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// A program and the nanoseconds that it is predicted to take.
fn assembled(
    trace: &Trace,
    schedule: &CheckedSchedule<'_>,
    times: &Times,
) -> Result<(Program, u64), Box<dyn std::error::Error>> {
    let placement = Placement::new(trace, schedule)?;
    let mut program = Program::new(trace, placement, Arguments::Shared, times);
    let predicted = program.predict(trace.kernel(), times);
    Ok((program, predicted))
}

fn print_head() {
    let columns = PROCESSORS[1..].iter();
    println!(
        "Predicted, not measured: speed-ups against the program for one processor, and the longest time that making one of them takes.\n\n\
         | kernel | size | P = 1, ms |{} trace, s | schedule, s | generate, s |",
        columns.map(|p| format!(" P = {p} |")).collect::<String>()
    );
    println!(
        "|---|---|---|{}---|---|---|",
        "---|".repeat(PROCESSORS.len() - 1)
    );
}

impl Prediction {
    fn print(&self) {
        let speedups: String = self.programs[1..]
            .iter()
            .map(|program| format!(" {:.2} |", program.predicted_speedup))
            .collect();
        let longest =
            |seconds: fn(&Predicted) -> f64| self.programs.iter().map(seconds).fold(0.0, f64::max);
        println!(
            "| {} | {} | {:.3} |{speedups} {:.2} | {:.2} | {:.2} |",
            self.kernel,
            self.size,
            1e3 * self.programs[0].predicted_seconds,
            self.trace_seconds,
            longest(|program| program.schedule_seconds),
            longest(|program| program.generate_seconds),
        );
    }
}

/// How long the largest factorisation takes to make for eight processors.
fn print_lu(predictions: &[Prediction]) {
    let is_lu = |prediction: &&Prediction| (prediction.kernel, prediction.size) == ("lu", "256");
    let eight = |program: &&Predicted| program.processors == 8;
    if let Some(lu) = predictions.iter().find(is_lu)
        && let Some(program) = lu.programs.iter().find(eight)
    {
        println!(
            "\nLU 256, P = 8: trace {:.2} s, schedule {:.2} s, generate {:.2} s",
            lu.trace_seconds, program.schedule_seconds, program.generate_seconds
        );
    }
}
