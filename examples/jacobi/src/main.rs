//! Sweeps a grid ten times, sequentially and with 1, 2, 4 and 8 processors, and compares every bit.

use std::process::ExitCode;

use superstep_example_jacobi::{grid, kernels};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let (n, rounds) = (512, 5);
    let grids = (grid(n), grid(n));
    let comparison = Comparison::new(
        &format!("jacobi, n = {n}, {} sweeps", 2 * rounds),
        &grids,
        |(u, v)| {
            kernels::jacobi(n, rounds, u, v);
        },
    );
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        let jacobi = kernels::jacobi::with().exactly(processors);
        identical &= comparison.print(|(u, v)| jacobi.run(n, rounds, u, v));
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
