//! Generates the parallel programs for the size and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(
            kernels::jacobi::instance(512, 5)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([4]),
        )
        .run()
}
