//! Compares two sequences, sequentially and with 1, 2, 4 and 8 processors, and compares every word
//! of the table.

use std::process::ExitCode;

use superstep_example_lcs::{kernels, sequence};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let n = 2000;
    let (a, b) = (sequence(n, 1), sequence(n, 2));
    let table = vec![0; (n + 1) * (n + 1)];
    let comparison = Comparison::new(&format!("lcs, {n} x {n}"), &table, |length| {
        kernels::lcs(n, n, &a, &b, length)
    });
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        let lcs = kernels::lcs::with().exactly(processors);
        identical &= comparison.print(|length| lcs.run(n, n, &a, &b, length));
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
