//! Generates the programs of the kernels that are called beside busy threads.

#[path = "src/contended/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new()
        .kernel(kernels::givens::instance(64, 48).processors([1, 2, 4]))
        .kernel(kernels::sweeps::jacobi::instance(512, kernels::ROUNDS).processors([1, 2]))
        .run()
}
