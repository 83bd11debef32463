//! Factors two matrices, sequentially and with 1, 2, 4 and 8 processors, and compares every bit.

use std::process::ExitCode;

use superstep_example_lu::{kernels, matrix};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let mut identical = true;
    for n in [128, 256] {
        let a = matrix(n);
        let comparison = Comparison::new(&format!("lu, n = {n}"), &a, |a| kernels::lu(n, a));
        for processors in [1, 2, 4, 8] {
            let lu = kernels::lu::with().exactly(processors);
            identical &= comparison.print(|a| lu.run(n, a));
        }
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
