//! The kernels, each at sizes at which it is used.

use std::error::Error;

use superstep::build::Instance;
use superstep_bench_kernels::{
    fft::fft, jacobi::jacobi, jacobi_solve::jacobi_solve, lcs::lcs, lu::lu, matmul::matmul,
    sptrsv::sptrsv,
};
use superstep_dag::Dag;
use superstep_example_sptrsv::pattern;

/// A kernel at one size.
pub(crate) struct Case {
    pub(crate) kernel: &'static str,
    pub(crate) size: &'static str,
    pub(crate) instance: fn() -> Instance,
}

/// Returns a case, as tables of cases list it.
pub(crate) const fn case(
    kernel: &'static str,
    size: &'static str,
    instance: fn() -> Instance,
) -> Case {
    Case {
        kernel,
        size,
        instance,
    }
}

pub(crate) const CASES: &[Case] = &[
    case("lu", "128", || lu::instance(128)),
    case("lu", "256", || lu::instance(256)),
    case("fft", "8192", || fft::instance(8192)),
    case("jacobi", "512, 10 sweeps", || jacobi::instance(512, 5)),
    case("jacobi_solve", "512", || jacobi_solve::instance(512)),
    case("sptrsv", "300 x 300", || of_grid(300)),
    case("lcs", "2000", || lcs::instance(2000, 2000)),
    case("matmul", "256", || matmul::instance(256)),
];

/// Returns the triangular solve on a square grid.
pub(crate) fn of_grid(side: usize) -> Instance {
    let (row, col) = pattern::lower_laplacian(side);
    sptrsv::instance(row.len() - 1, &row, &col)
}

/// Returns the task graph of an instance, with the homes of its values.
pub(crate) fn graph(instance: &Instance) -> Result<Dag, Box<dyn Error>> {
    let trace = instance.record()?;
    let homes = superstep_dag_builder::homes(&trace);
    Ok(superstep_dag_builder::from_trace(&trace).with_homes(homes)?)
}

/// Returns all cases, or those of one kernel.
///
/// # Errors
/// When no kernel has that name; the error names all.
pub(crate) fn named<'c>(all: &'c [Case], kernel: Option<&str>) -> Result<Vec<&'c Case>, String> {
    let cases: Vec<&Case> = all
        .iter()
        .filter(|case| kernel.is_none_or(|name| name == case.kernel))
        .collect();
    if cases.is_empty() {
        let mut names: Vec<&str> = all.iter().map(|case| case.kernel).collect();
        names.dedup();
        return Err(format!("no such kernel; there are {}", names.join(", ")));
    }
    Ok(cases)
}
