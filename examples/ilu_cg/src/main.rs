//! Solves systems of equations by functions and by their plans, and compares times and every bit.
//!
//! Arguments are those of [`Input`]. Of a file the pattern counts: values are drawn.

use std::process::ExitCode;

use superstep_example_ilu_cg::{Functions, Matrix, Plans, SolveError, kernels, solve};
use superstep_example_matrices::{Input, System};
use superstep_side_by_side::{Race, SameBits, timed};

/// Solved without arguments: a grid of 30 points a side, a circuit.
const USUAL: [&str; 2] = ["30", "rajat01"];

/// Processors of the plans that are timed.
const PROCESSORS: usize = 2;

/// The residual at which the iteration ends, as a part of the first.
const FACTOR: f64 = 1e-10;

/// Steps that are taken at most.
const MOST: usize = 2000;

fn main() -> ExitCode {
    Input::each(&USUAL, |input| compare(System::new(input)))
}

/// Prints how functions and plans compare, and returns whether all bits are equal.
fn compare(system: System) -> Result<bool, SolveError> {
    let System { name, a, b } = system;
    let (matrix, b) = (Matrix::new(a), &b);
    let (n, entries) = (matrix.size(), matrix.a.indices.len());
    println!("{name}: {n} equations, {entries} entries");
    let mut functions = Functions::new(&matrix);
    let expected = solve(&mut functions, b, FACTOR, MOST)?;
    let kernels = kernels_alone(&matrix, &functions.l, b)?;
    println!("{}  for {PROCESSORS} processors", Race::HEADING);
    kernels.iter().for_each(|race| println!("{race}"));

    let (planning, plans) = timed(|| Plans::new(&matrix, PROCESSORS));
    let mut plans = plans?;
    let solution = Race::run(
        "solution",
        planning,
        &Vec::new(),
        |x| *x = solve(&mut functions, b, FACTOR, MOST).map_or(Vec::new(), |it| it.x),
        |x| solve(&mut plans, b, FACTOR, MOST).map(|it| *x = it.x),
    )?;
    let solution = solution.made_of(&kernels);
    println!("{solution}");

    let mut identical = kernels.iter().chain([&solution]).all(Race::is_identical);
    for processors in [1, 4] {
        let solution = solve(&mut Plans::new(&matrix, processors)?, b, FACTOR, MOST)?;
        identical &= solution.x.same_bits(&expected.x) && solution.steps == expected.steps;
    }
    println!(
        "{} steps, residual {:.1e}, identical: {} (1, 2 and 4 processors)\n",
        expected.steps,
        expected.residual,
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Runs each kernel beside its plan; `l` has the values of the factor.
fn kernels_alone(matrix: &Matrix, l: &[f64], b: &[f64]) -> Result<[Race; 3], SolveError> {
    let (n, Matrix { a, lower }) = (matrix.size(), matrix);
    let (row, col, zeros) = (&lower.starts, &lower.indices, vec![0.0; n]);

    let planner = kernels::factor::plan(n, row, col).processors(PROCESSORS);
    let (planning, plan) = timed(|| planner.build());
    let plan = plan?;
    let factor = Race::run(
        "factor",
        planning,
        &lower.values,
        // The factor that `l` is has been found.
        |l| kernels::factor(n, row, col, l).unwrap_or_default(),
        |l| plan.run(l).map(Result::unwrap_or_default),
    )?;
    let factor = factor.scheduled(&plan.report());

    let planner = kernels::precondition::plan(n, row, col).processors(PROCESSORS);
    let (planning, plan) = timed(|| planner.build()?.load(l));
    let plan = plan?;
    let precondition = Race::run(
        "solves",
        planning,
        &zeros,
        |z| kernels::precondition(n, row, col, l, b, z).unwrap_or_default(),
        |z| plan.run(b, z).map(Result::unwrap_or_default),
    )?;
    let precondition = precondition.scheduled(&plan.report());

    let planner = kernels::product::plan(n, &a.starts, &a.indices).processors(PROCESSORS);
    let (planning, plan) = timed(|| planner.build()?.load(&a.values));
    let plan = plan?;
    let product = Race::run(
        "product",
        planning,
        &zeros,
        |q| kernels::product(n, &a.starts, &a.indices, &a.values, b, q),
        |q| plan.run(b, q),
    )?;
    let product = product.scheduled(&plan.report());
    Ok([factor, precondition, product])
}
