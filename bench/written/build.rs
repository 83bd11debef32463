//! Generates programs for one and two processors.

#[path = "src/kernels.rs"]
#[allow(dead_code, unreachable_pub)]
mod kernels;
#[allow(unreachable_pub)]
#[path = "src/pattern.rs"]
mod pattern;

use kernels::*;

fn main() -> std::process::ExitCode {
    let (row, col) = pattern::random_triangle(2000);
    [
        floyd::instance(48),
        substitution::instance(2000, &row, &col),
        covariance::instance(20),
        givens::instance(32),
        bodies::instance(200, 50),
        mixing::instance(256, 20),
        wavelet::instance(16_384),
        viterbi::instance(400),
        seidel::instance(64, 10),
        small::instance(16),
    ]
    .into_iter()
    .fold(superstep::build::Builder::new(), |builder, instance| {
        builder.kernel(instance.exactly([1, 2]))
    })
    .run()
}
