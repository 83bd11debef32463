//! Generates programs over private memory for 1, 2, 3, 4 and 8 ranks.

use superstep::build::{Algorithm, Builder, Instance};

#[path = "../../examples/cg/src/kernels.rs"]
mod cg;
#[path = "../../examples/fft/src/kernels.rs"]
mod fft;
#[path = "../../examples/jacobi/src/kernels.rs"]
mod jacobi;
#[path = "../../examples/lcs/src/kernels.rs"]
mod lcs;
#[path = "../../examples/lu/src/kernels.rs"]
mod lu;
#[path = "../../examples/matmul/src/kernels.rs"]
mod matmul;
// Modules that are public in the crate are not in its build script.
#[allow(unreachable_pub)]
#[path = "../../examples/sptrsv/src/pattern.rs"]
mod pattern;
#[path = "src/roots.rs"]
mod roots;
#[path = "../../examples/sptrsv/src/kernels.rs"]
mod sptrsv;

/// Variable that names a machine file for the large programs.
const MACHINE: &str = "SUPERSTEP_MACHINE";

/// Variable that names the algorithm of the large programs: which wins by the clock.
const ALGORITHM: &str = "SUPERSTEP_ALGORITHM";

fn main() -> std::process::ExitCode {
    let sparse = |side| {
        let (row, col) = pattern::lower_laplacian(side);
        sptrsv::sptrsv::instance(row.len() - 1, &row, &col)
    };
    let over_ranks = |instance: Instance| {
        let ranks = [1, 2, 3, 4, 8];
        instance.exactly(ranks).private_memory(ranks)
    };
    let mut builder = Builder::new();
    if cfg!(feature = "large") {
        println!("cargo::rerun-if-env-changed={ALGORITHM}");
        let algorithm = match std::env::var(ALGORITHM).as_deref().unwrap_or("auto") {
            "auto" => Algorithm::Auto,
            "bcsh" => Algorithm::Bcsh,
            "cuts" => Algorithm::Cuts,
            "levels" => Algorithm::Levels,
            "owners" => Algorithm::Owners,
            "portfolio" => Algorithm::Portfolio,
            other => {
                eprintln!("{ALGORITHM}={other}: auto, bcsh, cuts, levels, owners or portfolio");
                return std::process::ExitCode::FAILURE;
            }
        };
        let two = |instance: Instance| {
            let instance = instance.exactly([2]).private_memory([2]);
            instance.algorithm(algorithm)
        };
        builder = builder
            .kernel(two(lu::lu::instance(512)))
            .kernel(two(jacobi::jacobi::instance(1024, 5)))
            .kernel(two(fft::fft::instance(1 << 16)))
            .kernel(two(cg::cg_step::instance(512)))
            .kernel(two(sparse(300)));
        // A machine file that `superstep-probe` has measured. Without one messages take what
        // threads take.
        println!("cargo::rerun-if-env-changed={MACHINE}");
        if let Some(file) = std::env::var_os(MACHINE) {
            builder = builder.machine(file);
        }
    } else {
        // A machine on which so small programs gain: they are to send messages.
        builder = builder.latency(4.0);
    }
    builder
        .kernel(over_ranks(lu::lu::instance(40)))
        .kernel(over_ranks(fft::fft::instance(512)))
        .kernel(over_ranks(jacobi::jacobi::instance(32, 2)))
        .kernel(over_ranks(lcs::lcs::instance(60, 60)))
        .kernel(over_ranks(matmul::matmul::instance(16)))
        .kernel(over_ranks(sparse(24)))
        // For the measurements alone.
        .kernel(
            cg::cg_step::instance(16)
                .exactly([2, 3, 4])
                .private_memory([2, 3, 4]),
        )
        .kernel(over_ranks(roots::roots::instance(24)))
        // Beside those over private memory, a program that shares its array, which ranks refuse.
        .kernel(lu::lu::instance(8).exactly([2]))
        .run()
}
