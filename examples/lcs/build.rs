//! Generates the parallel programs for the size and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(
            kernels::lcs::instance(2000, 2000)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([8]),
        )
        .run()
}
