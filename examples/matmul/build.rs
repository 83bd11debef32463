//! Generates the parallel programs for the sizes and processor counts that this crate uses.
//!
//! For 4 processors the program has private memories and messages, so that both kinds are tested.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(
            kernels::matmul::instance(64)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([4]),
        )
        // Rows of the product are independent, so blocks of them are enough. Other schedulers would
        // only take time to try, as there are 17 million tasks.
        .kernel(
            kernels::matmul::instance(256)
                .exactly([1, 2])
                .algorithm(superstep::build::Algorithm::Pipeline),
        )
        .run()
}
