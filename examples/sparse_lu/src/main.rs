//! Follows the roots of networks by functions and by their plans, and compares times and every bit.
//!
//! Arguments are those of [`Input`]. Of a file the pattern counts: elements are drawn.

use std::process::ExitCode;

use superstep_example_matrices::{Input, System};
use superstep_example_sparse_lu::{Functions, Network, NoRoot, Operations, Plans, follow};
use superstep_side_by_side::{Race, SameBits, timed};

/// Followed without arguments: a circuit and a power grid.
const USUAL: [&str; 2] = ["rajat01", "pegase9241"];

/// Processors of the plans that are timed.
const PROCESSORS: usize = 2;

/// Steps of Newton's method, at least.
const STEPS: usize = 100;

fn main() -> ExitCode {
    Input::each(&USUAL, |input| compare(System::new(input)))
}

/// Prints how functions and plans compare, and returns whether all bits are equal.
fn compare(System { name, a, .. }: System) -> Result<bool, NoRoot> {
    let (ordering, network) = timed(|| Network::new(&a));
    let network = network?;
    println!(
        "{name}: {} nodes, {} entries, {} of the factors, ordered in {:.1} ms",
        network.nodes(),
        a.indices.len(),
        network.factors.indices.len(),
        1e3 * ordering.as_secs_f64(),
    );
    let functions = Functions::new(&network);
    let expected = follow(&functions, &network, STEPS)?;
    let kernels = kernels_alone(&network)?;
    println!("{}  for {PROCESSORS} processors", Race::HEADING);
    kernels.iter().for_each(|race| println!("{race}"));

    let (planning, plans) = timed(|| Plans::new(&network, PROCESSORS));
    let plans = plans?;
    let roots = Race::run(
        "all",
        planning,
        &Vec::new(),
        |roots| *roots = follow(&functions, &network, STEPS).map_or(Vec::new(), |it| it.roots),
        |roots| follow(&plans, &network, STEPS).map(|it| *roots = it.roots),
    )?;
    let roots = roots.made_of(&kernels);
    println!("{roots}");

    let mut identical = kernels.iter().chain([&roots]).all(Race::is_identical);
    for processors in [1, 4] {
        let path = follow(&Plans::new(&network, processors)?, &network, STEPS)?;
        identical &= path.roots.same_bits(&expected.roots) && path.steps == expected.steps;
    }
    println!(
        "{} roots in {} steps, residual {:.1e}, identical: {} (1, 2 and 4 processors)\n",
        expected.roots.len(),
        expected.steps,
        expected.residual,
        if identical { "yes" } else { "no" },
    );
    Ok(identical)
}

/// Runs each kernel beside its plan, in the first step.
fn kernels_alone(network: &Network) -> Result<[Race; 3], NoRoot> {
    let (functions, source) = (Functions::new(network), network.sources(0.0));
    let mut arrays = network.arrays();

    let (planning, plan) = timed(|| network.evaluate().processors(PROCESSORS).build());
    let (plan, weight) = (plan?, &network.elements.values);
    let evaluate = Race::run(
        "evaluate",
        planning,
        &arrays,
        // Functions give up where the first step has: not here.
        |at| functions.evaluate(&source, at).unwrap_or_default(),
        |at| plan.run(weight, &source, &at.x, &mut at.f, &mut at.a),
    )?;
    let evaluate = evaluate.scheduled(&plan.report());
    functions.evaluate(&source, &mut arrays)?;

    let (planning, plan) = timed(|| network.refactor().processors(PROCESSORS).build());
    let plan = plan?;
    let refactor = Race::run(
        "refactor",
        planning,
        &arrays,
        |at| functions.refactor(at).unwrap_or_default(),
        |at| plan.run(&mut at.a).map(Result::unwrap_or_default),
    )?;
    let refactor = refactor.scheduled(&plan.report());
    functions.refactor(&mut arrays)?;

    let (planning, plan) = timed(|| network.solve().processors(PROCESSORS).build());
    let plan = plan?;
    let solve = Race::run(
        "solve",
        planning,
        &arrays,
        |at| functions.solve(at).unwrap_or_default(),
        |at| {
            let solved = plan.run(&at.a, &mut at.f);
            solved.map(Result::unwrap_or_default)
        },
    )?;
    Ok([evaluate, refactor, solve.scheduled(&plan.report())])
}
