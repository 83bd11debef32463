//! Solves a triangular system, sequentially and with 1, 2, 4 and 8 processors, and compares every
//! bit.

use std::process::ExitCode;

use superstep_example_sptrsv::{kernels, pattern, right_hand_side, values};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let (row, col) = pattern::lower_laplacian(300);
    let n = row.len() - 1;
    let (values, b) = (values(&row), right_hand_side(n));
    let comparison = Comparison::new(&format!("sptrsv, n = {n}"), &vec![0.0; n], |x| {
        kernels::sptrsv(n, &row, &col, &values, &b, x);
    });
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        // The pattern is compared once, here; what is prepared only runs.
        let prepared = match kernels::sptrsv::with()
            .exactly(processors)
            .prepare(n, &row, &col)
        {
            Ok(prepared) => prepared,
            Err(error) => {
                eprintln!("sptrsv: {error}");
                return ExitCode::FAILURE;
            }
        };
        identical &= comparison.print(|x| prepared.run(&values, &b, x));
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
