//! Generates the parallel programs for the size and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    // Levels are many and narrow, and rows wait for themselves. An exchange takes as long as a thousand of these tasks.
    superstep::build::Builder::new()
        .algorithm(superstep::build::Algorithm::Pipeline)
        .latency(2000.0)
        .kernel(
            kernels::lcs::instance(2000, 2000)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([8]),
        )
        .run()
}
