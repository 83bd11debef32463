//! Generates the parallel programs for the pattern and processor counts that this crate uses.

#[path = "src/kernels.rs"]
mod kernels;
// What is public in the crate is not in its build script.
#[allow(unreachable_pub)]
#[path = "src/pattern.rs"]
mod pattern;

fn main() -> std::process::ExitCode {
    let (row, col) = pattern::lower_laplacian(300);
    superstep::build::Builder::new()
        .kernel(
            kernels::sptrsv::instance(row.len() - 1, &row, &col)
                .exactly([1, 2, 3, 4, 7, 8])
                .private_memory([3]),
        )
        .run()
}
