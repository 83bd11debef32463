//! Sweeps over systems of equations by functions and by their plans, and compares times and every
//! bit.
//!
//! Arguments are those of [`Input`]. Of a file the pattern counts: values are drawn.

use std::process::ExitCode;

use superstep_example_matrices::{Input, System};
use superstep_example_symgs::{Functions, Matrix, Plans, SolveError, kernels, solve};
use superstep_side_by_side::{Race, SameBits, timed};

/// Solved without arguments: a grid of 30 points a side, a circuit.
const USUAL: [&str; 2] = ["30", "rajat01"];

/// Processors of the plans that are timed.
const PROCESSORS: usize = 2;

/// The residual at which the sweeps end, as a part of the first.
const FACTOR: f64 = 1e-3;

/// Sweeps at most.
const MOST: usize = 2000;

fn main() -> ExitCode {
    Input::each(&USUAL, |input| compare(System::new(input)))
}

/// Prints how functions and plans compare, and returns whether all bits are equal.
fn compare(system: System) -> Result<bool, SolveError> {
    let System { name, a, b } = system;
    let (matrix, b) = (Matrix::new(a)?, &b);
    let (n, entries) = (matrix.size(), matrix.a.indices.len());
    println!("{name}: {n} equations, {entries} entries");
    let functions = Functions::new(&matrix);
    let expected = solve(&functions, b, FACTOR, MOST)?;
    let kernels = kernels_alone(&matrix, &expected.x, b)?;
    println!("{}  for {PROCESSORS} processors", Race::HEADING);
    kernels.iter().for_each(|race| println!("{race}"));

    let (planning, plans) = timed(|| Plans::new(&matrix, PROCESSORS));
    let plans = plans?;
    let solution = Race::run(
        "solution",
        planning,
        &Vec::new(),
        |x| *x = solve(&functions, b, FACTOR, MOST).map_or(Vec::new(), |it| it.x),
        |x| solve(&plans, b, FACTOR, MOST).map(|it| *x = it.x),
    )?;
    let solution = solution.made_of(&kernels);
    println!("{solution}");

    let mut identical = kernels.iter().chain([&solution]).all(Race::is_identical);
    for processors in [1, 4] {
        let solution = solve(&Plans::new(&matrix, processors)?, b, FACTOR, MOST)?;
        identical &= solution.x.same_bits(&expected.x) && solution.sweeps == expected.sweeps;
    }
    println!(
        "{} sweeps, residual {:.1e}, identical: {} (1, 2 and 4 processors)\n",
        expected.sweeps,
        expected.residual,
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Runs each kernel beside its plan.
fn kernels_alone(matrix: &Matrix, x: &Vec<f64>, b: &[f64]) -> Result<[Race; 2], SolveError> {
    let Matrix { a, diagonal } = matrix;
    let (n, row, col, values) = (a.lines(), &a.starts, &a.indices, &a.values);

    let planner = kernels::sweep::plan(n, row, col, diagonal).processors(PROCESSORS);
    let (planning, plan) = timed(|| planner.build()?.load(values));
    let plan = plan?;
    let sweep = Race::run(
        "sweep",
        planning,
        x,
        // The diagonal is that of the solution.
        |x| kernels::sweep(n, row, col, diagonal, values, b, x).unwrap_or_default(),
        |x| plan.run(b, x).map(Result::unwrap_or_default),
    )?;
    let sweep = sweep.scheduled(&plan.report());

    let planner = kernels::residual::plan(n, row, col).processors(PROCESSORS);
    let (planning, plan) = timed(|| planner.build()?.load(values));
    let plan = plan?;
    let residual = Race::run(
        "residual",
        planning,
        &vec![0.0; n],
        |r| kernels::residual(n, row, col, values, b, x, r),
        |r| plan.run(b, x, r),
    )?;
    let residual = residual.scheduled(&plan.report());
    Ok([sweep, residual])
}
