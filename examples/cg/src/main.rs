//! Solves the Poisson equation, sequentially and with 1, 2, 4 and 8 processors, and compares every
//! bit.

use std::process::ExitCode;

use superstep_example_cg::{N, State, kernels};
use superstep_side_by_side::Comparison;

/// The residual at which the iteration ends, as a part of the first.
const FACTOR: f64 = 1e-10;

fn main() -> ExitCode {
    let start = State::new(N);
    let mut solved = start.clone();
    sequential(&mut solved);
    println!(
        "cg, {N} x {N} points: {} steps, residual {:.3e} of {:.3e} at the start",
        solved.steps,
        solved.residual(N, &start.r),
        start.rr.sqrt(),
    );
    let comparison = Comparison::new(&format!("cg, {} steps", solved.steps), &start, sequential);
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        identical &= comparison.print(|state| {
            let step = kernels::cg_step::with()
                .exactly(processors)
                .prepare(N)
                .expect("the build script asks for this program");
            state.solve(FACTOR, 10 * N, |s| {
                step.run(&mut s.x, &mut s.r, &mut s.p, &mut s.q, &mut s.rr)
            })
        });
    }
    let converged = solved.residual(N, &start.r) < 1e-9 * start.rr.sqrt();
    if identical && converged {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn sequential(state: &mut State) {
    let result = state.solve(FACTOR, 10 * N, |s| {
        kernels::cg_step(N, &mut s.x, &mut s.r, &mut s.p, &mut s.q, &mut s.rr);
        Ok(())
    });
    result.expect("the function cannot fail");
}
