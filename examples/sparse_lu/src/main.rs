//! Follows the roots of a circuit and of a power grid, or of a network on your pattern, with functions as written and with
//! plans, and compares every bit.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use superstep_example_sparse_lu::{Path, Plans, System, follow};
use superstep_matrix::{Matrix, market};
use superstep_side_by_side::{Account, Calls, SameBits, Timed};

/// Runs of each form whose times count.
const ROUNDS: usize = 3;

/// Newton's method on sparse patterns: evaluation, LU refactorisation and solve, planned at run time.
#[derive(Parser)]
struct Arguments {
    /// Matrix Market file of a square matrix, whose pattern is taken; a circuit and a power grid if left out
    matrix: Option<PathBuf>,
    /// Steps of Newton's method, at least
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Seed of elements and sources
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Processors of the plans that are timed
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    processors: u16,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    if let Some(path) = &arguments.matrix {
        let name = path.display().to_string();
        let matrix = superstep_matrix::read(path)?;
        return example(&name, &matrix, arguments).map_err(|e| format!("{name}: {e}").into());
    }
    let mut identical = true;
    for (name, file) in [
        (
            "rajat01, a circuit",
            &include_bytes!("../data/rajat01.mtx.gz")[..],
        ),
        (
            "pegase9241, a power grid",
            include_bytes!("../data/pegase9241.mtx.gz"),
        ),
    ] {
        identical &= example(name, &market::read(file)?, arguments)?;
        println!();
    }
    Ok(identical)
}

/// Prints what planning costs and gains on a pattern. Returns whether all results are the same.
fn example(name: &str, matrix: &Matrix, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    // The pattern of a complex matrix will do.
    let pattern = matrix.rows::<num_complex::Complex64>()?;
    let start = Instant::now();
    let system = System::new(&pattern, arguments.seed)?;
    println!(
        "{name}: {} nodes, {} entries, {} of the factors, ordered in {:.1} ms",
        system.nodes(),
        pattern.indices.len(),
        system.factors.indices.len(),
        1e3 * start.elapsed().as_secs_f64(),
    );
    let steps = arguments.steps as usize;
    let processors = arguments.processors.into();
    let plans = Plans::new(&system, processors, false)?;
    let (mut written, mut planned) = <([Timed; 3], [Timed; 3])>::default();
    let expected = follow(&system, None, steps, &mut written)?;
    let mut identical = is_same(
        &follow(&system, Some(&plans), steps, &mut planned)?,
        &expected,
    );
    for _ in 1..ROUNDS {
        follow(&system, None, steps, &mut written)?;
        identical &= is_same(
            &follow(&system, Some(&plans), steps, &mut planned)?,
            &expected,
        );
    }
    let reports = plans.reports();
    let times = written.into_iter().zip(planned).zip(plans.seconds);
    let names = ["evaluate", "refactor", "solve"];
    let kernels: Vec<Calls> = times
        .zip(names.into_iter().zip(reports))
        .map(|(((written, planned), planning), (kernel, report))| Calls {
            kernel,
            written,
            planned,
            planning,
            schedule: report.chosen().algorithm.to_string(),
            why_sequential: report.why_sequential(),
        })
        .collect();
    let account = Account {
        kernels: &kernels,
        turn: "a step",
        turns: ROUNDS * expected.steps,
    };
    print!("{account}");
    for processors in [1, 2, 4] {
        let plans = Plans::new(&system, processors, true)?;
        let found = follow(&system, Some(&plans), steps, &mut Default::default())?;
        identical &= is_same(&found, &expected);
    }
    println!(
        "{} roots in {} steps, residual {:.1e}, identical: {} (P = 1, 2 and 4)",
        expected.roots.len(),
        expected.steps,
        expected.residual,
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Compares all roots, and how they were found.
fn is_same(found: &Path, expected: &Path) -> bool {
    found.roots.same_bits(&expected.roots) && found.steps == expected.steps
}
