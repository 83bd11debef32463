//! Iterates once, sequentially and with 1, 2, 4 and 8 processors, and compares every bit.

use std::process::ExitCode;

use superstep_example_jacobi_solve::{System, kernels, system};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let n = 512;
    let System { a, b, x } = system(n);
    let results = (vec![0.0; n], 0.0);
    let comparison = Comparison::new(
        &format!("jacobi_solve, n = {n}"),
        &results,
        |(y, change)| {
            kernels::jacobi_solve(n, &a, &b, &x, y, change);
        },
    );
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        let jacobi_solve = kernels::jacobi_solve::with().exactly(processors);
        identical &= comparison.print(|(y, change)| jacobi_solve.run(n, &a, &b, &x, y, change));
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
