//! Generates the parallel programs for the sizes and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    let mut builder = superstep::build::Builder::new();
    if cfg!(feature = "large") {
        builder = builder.kernel(kernels::lu::instance(512).exactly([1, 2]));
    }
    builder
        .kernel(
            kernels::lu::instance(128)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([4]),
        )
        .kernel(
            kernels::lu::instance(256)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([4]),
        )
        .run()
}
