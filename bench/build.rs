//! Generates the programs of the kernels that are called beside busy threads, and of those that
//! explanations are about.

#[allow(unreachable_pub, dead_code, reason = "the gallery has the file, too")]
#[path = "../gallery/explained/src/kernels.rs"]
mod explained;
#[path = "src/contended/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    let (row, col) = explained::rows(3000);
    let (by_length, columns, order) = explained::sorted(&row, &col);
    superstep::build::Builder::new()
        .kernel(explained::before::total::instance(200_000).exactly([2]))
        .kernel(explained::after::total::instance(200_000).exactly([2]))
        .kernel(explained::before::scaled::instance(300).exactly([1]))
        .kernel(explained::after::scaled::instance(300).exactly([1]))
        .kernel(explained::before::strips::instance(40_000).exactly([2]))
        .kernel(explained::after::strips::instance(40_000).exactly([2]))
        .kernel(explained::before::rows::instance(3000, &row, &col).exactly([1]))
        .kernel(explained::after::rows::instance(3000, &order, &by_length, &columns).exactly([1]))
        .kernel(kernels::givens::instance(64, 48).processors([1, 2, 4]))
        .kernel(kernels::sweeps::jacobi::instance(512, kernels::ROUNDS).processors([1, 2]))
        .run()
}
