//! Multiplies two pairs of matrices, sequentially and with several processors, and compares every
//! bit.

use std::process::ExitCode;

use superstep_example_matmul::{factors, kernels};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let mut identical = true;
    for (n, counts) in [(64, &[1, 2, 4, 8][..]), (256, &[1, 2])] {
        let [a, b] = factors(n);
        let product = vec![0.0; n * n];
        let comparison = Comparison::new(&format!("matmul, n = {n}"), &product, |c| {
            kernels::matmul(n, &a, &b, c);
        });
        for &processors in counts {
            let matmul = kernels::matmul::with().exactly(processors);
            identical &= comparison.print(|c| matmul.run(n, &a, &b, c));
        }
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
