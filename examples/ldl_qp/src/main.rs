//! Minimises quadratic programs by functions and by their plans, and compares times and every bit.
//!
//! Arguments are those of [`Input`]: flows on a grid of so many nodes a side, or the pattern of a
//! program's optimality conditions. Values are drawn.

use std::process::ExitCode;

use superstep_example_ldl_qp::{
    Functions, Kkt, NoMinimum, Operations, Outcome, Plans, Program, first, minimise,
};
use superstep_example_matrices::Input;
use superstep_side_by_side::{Race, SameBits, timed};

/// Minimised without arguments: a flow on 60 x 60 nodes.
const USUAL: [&str; 1] = ["60"];

/// Processors of the plans that are timed.
const PROCESSORS: usize = 2;

/// Iterations that are taken at most.
const MOST: usize = 20_000;

fn main() -> ExitCode {
    Input::each(&USUAL, |input| match input {
        Input::Grid(side) => compare(&format!("flow on {side}^2 nodes"), &Program::flow(side)),
        Input::Pattern { name, pattern } => compare(&name, &Program::on(&pattern)?),
    })
}

/// Prints how functions and plans compare, and returns whether all bits are equal.
fn compare(name: &str, program: &Program) -> Result<bool, NoMinimum> {
    let (ordering, kkt) = timed(|| Kkt::new(program));
    let kkt = kkt?;
    println!(
        "{name}: {} variables, {} constraints, {} entries of L, ordered in {:.1} ms",
        program.p.lines(),
        program.a.lines(),
        kkt.columns.indices.len(),
        1e3 * ordering.as_secs_f64(),
    );
    let functions = Functions::new(&kkt);
    let expected = minimise(program, &kkt, &functions, MOST)?;
    let kernels = kernels_alone(&kkt, first(program, &kkt))?;
    println!("{}  for {PROCESSORS} processors", Race::HEADING);
    kernels.iter().for_each(|race| println!("{race}"));

    let (planning, plans) = timed(|| Plans::new(&kkt, PROCESSORS));
    let plans = plans?;
    let minimum = Race::run(
        "all",
        planning,
        &Vec::new(),
        |all| *all = minimise(program, &kkt, &functions, MOST).map_or(Vec::new(), Outcome::all),
        |all| minimise(program, &kkt, &plans, MOST).map(|it| *all = it.all()),
    )?;
    let minimum = minimum.made_of(&kernels);
    println!("{minimum}");

    let mut identical = kernels.iter().chain([&minimum]).all(Race::is_identical);
    for processors in [1, 4] {
        let outcome = minimise(program, &kkt, &Plans::new(&kkt, processors)?, MOST)?;
        identical &= outcome.iterations == expected.iterations;
        identical &= outcome.all().same_bits(&expected.clone().all());
    }
    println!(
        "cost {:.6} in {} iterations with {} factorisations, residuals {:.1e} and {:.1e}, identical: {} (1, 2 and 4 processors)\n",
        program.cost(&expected.x),
        expected.iterations,
        expected.factorisations,
        expected.residuals[0],
        expected.residuals[1],
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Runs each kernel beside its plan, on the values `a` of the matrix.
fn kernels_alone(kkt: &Kkt, mut a: Vec<f64>) -> Result<[Race; 2], NoMinimum> {
    let functions = Functions::new(kkt);

    let (planning, plan) = timed(|| kkt.refactor().processors(PROCESSORS).build());
    let plan = plan?;
    let refactor = Race::run(
        "refactor",
        planning,
        &a,
        // The iteration has shown that it does not give up.
        |a| functions.refactor(a).unwrap_or_default(),
        |a| plan.run(&kkt.sign, a).map(Result::unwrap_or_default),
    )?;
    let refactor = refactor.scheduled(&plan.report());
    functions.refactor(&mut a)?;

    let (planning, plan) = timed(|| kkt.solve().processors(PROCESSORS).build());
    let plan = plan?;
    let solve = Race::run(
        "solve",
        planning,
        &vec![1.0; kkt.places.len()],
        |x| functions.solve(&a, x).unwrap_or_default(),
        |x| plan.run(&a, x).map(Result::unwrap_or_default),
    )?;
    Ok([refactor, solve.scheduled(&plan.report())])
}
