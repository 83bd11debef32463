//! Transforms 8192 numbers, sequentially and with 1, 2, 4 and 8 processors, and compares every bit.

use std::process::ExitCode;

use superstep_example_fft::{kernels, signal, twiddles};
use superstep_side_by_side::Comparison;

fn main() -> ExitCode {
    let n = 8192;
    let twiddles = twiddles(n);
    let comparison = Comparison::new(&format!("fft, n = {n}"), &signal(n), |x| {
        kernels::fft(n, &twiddles, x)
    });
    let mut identical = true;
    for processors in [1, 2, 4, 8] {
        let fft = kernels::fft::with().exactly(processors);
        identical &= comparison.print(|x| fft.run(n, &twiddles, x));
    }
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
