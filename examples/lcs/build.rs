//! Generates the parallel programs for the size and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(kernels::lcs::instance(2000, 2000).exactly([1, 2, 3, 4, 7]))
        // An instance can have a scheduler of its own: this one passes words on, from processor to
        // processor.
        .kernel(
            kernels::lcs::instance(2000, 2000)
                .exactly([8])
                .private_memory([8])
                .algorithm(superstep::build::Algorithm::Pipeline),
        )
        .run()
}
