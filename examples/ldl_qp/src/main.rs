//! Minimises quadratic programs, a minimum-cost flow or one on your pattern, with functions as written and with plans, and
//! compares every bit.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use superstep_example_ldl_qp::{Kkt, Outcome, Plans, Program, minimise};
use superstep_side_by_side::{Account, Calls, SameBits, Timed};

/// Runs of each form whose times count.
const ROUNDS: usize = 3;

/// Quadratic programs by ADMM: L D L' refactorisation and solves, planned at run time.
#[derive(Parser)]
struct Arguments {
    /// Matrix Market file with the pattern of a program's optimality conditions; a minimum-cost flow on a grid if left out
    matrix: Option<PathBuf>,
    /// Nodes on a side of the grid
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(2..=1000))]
    side: u16,
    /// Iterations, at most
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Seed of values
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
    let Some(path) = &arguments.matrix else {
        let side = arguments.side.into();
        let name = format!("flow on {side} x {side} nodes");
        return example(&name, &Program::flow(side, arguments.seed), arguments);
    };
    let name = path.display().to_string();
    let matrix = superstep_matrix::read(path)?;
    let example = || {
        // The pattern of a complex matrix will do.
        let pattern = matrix.rows::<num_complex::Complex64>()?;
        let program = Program::on(&pattern, arguments.seed)?;
        example(&name, &program, arguments)
    };
    example().map_err(|error| format!("{name}: {error}").into())
}

/// Prints what planning costs and gains for a program. Returns whether all results are the same.
fn example(name: &str, program: &Program, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let start = Instant::now();
    let kkt = Kkt::new(program)?;
    println!(
        "{name}: {} variables, {} constraints, {} entries of L, ordered in {:.1} ms",
        program.p.lines(),
        program.a.lines(),
        kkt.columns.indices.len(),
        1e3 * start.elapsed().as_secs_f64(),
    );
    let most = arguments.iterations as usize;
    let plans = Plans::new(&kkt, arguments.processors.into(), false)?;
    let (mut written, mut planned) = <([Timed; 2], [Timed; 2])>::default();
    let expected = minimise(program, &kkt, None, most, &mut written)?;
    let mut identical = is_same(
        &minimise(program, &kkt, Some(&plans), most, &mut planned)?,
        &expected,
    );
    for _ in 1..ROUNDS {
        minimise(program, &kkt, None, most, &mut written)?;
        let found = minimise(program, &kkt, Some(&plans), most, &mut planned)?;
        identical &= is_same(&found, &expected);
    }
    let times = written.into_iter().zip(planned).zip(plans.seconds);
    let names = ["refactor", "solve"];
    let kernels: Vec<Calls> = times
        .zip(names.into_iter().zip(plans.reports()))
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
        turn: "an iteration",
        turns: ROUNDS * expected.iterations,
    };
    print!("{account}");
    for processors in [1, 2, 4] {
        let plans = Plans::new(&kkt, processors, true)?;
        let found = minimise(program, &kkt, Some(&plans), most, &mut Default::default())?;
        identical &= is_same(&found, &expected);
    }
    println!(
        "cost {:.6} in {} iterations with {} factorisations, residuals {:.1e} and {:.1e}, identical: {} (P = 1, 2 and 4)",
        program.cost(&expected.x),
        expected.iterations,
        expected.factorisations,
        expected.residuals[0],
        expected.residuals[1],
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Compares all variables, constraints and multipliers, and how they were found.
fn is_same(found: &Outcome, expected: &Outcome) -> bool {
    let all = |of: &Outcome| [of.x.clone(), of.z.clone(), of.y.clone()];
    all(found).same_bits(&all(expected)) && found.iterations == expected.iterations
}
