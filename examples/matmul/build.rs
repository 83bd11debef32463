//! Generates the parallel programs for the sizes and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(
            kernels::matmul::instance(64)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([4]),
        )
        // Rows of the product are independent: blocks of them. Of 17 million tasks a build need not
        // try other schedulers.
        .kernel(
            kernels::matmul::instance(256)
                .exactly([1, 2])
                .algorithm(superstep::build::Algorithm::Pipeline),
        )
        .run()
}
