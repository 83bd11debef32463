//! The kernels, each at sizes at which it is used.

use superstep::build::Instance;
use superstep_bench_kernels as kernels;
use superstep_example_sptrsv::pattern;

/// A kernel at one size.
pub(crate) struct Case {
    pub(crate) kernel: &'static str,
    pub(crate) size: &'static str,
    pub(crate) instance: fn() -> Instance,
}

pub(crate) const CASES: &[Case] = &[
    Case {
        kernel: "lu",
        size: "128",
        instance: || kernels::lu::lu::instance(128),
    },
    Case {
        kernel: "lu",
        size: "256",
        instance: || kernels::lu::lu::instance(256),
    },
    Case {
        kernel: "fft",
        size: "8192",
        instance: || kernels::fft::fft::instance(8192),
    },
    Case {
        kernel: "jacobi",
        size: "512, 10 sweeps",
        instance: || kernels::jacobi::jacobi::instance(512, 5),
    },
    Case {
        kernel: "jacobi_solve",
        size: "512",
        instance: || kernels::jacobi_solve::jacobi_solve::instance(512),
    },
    Case {
        kernel: "sptrsv",
        size: "300 x 300",
        instance: || {
            let (row, col) = pattern::lower_laplacian(300);
            kernels::sptrsv::sptrsv::instance(row.len() - 1, &row, &col)
        },
    },
    Case {
        kernel: "lcs",
        size: "2000",
        instance: || kernels::lcs::lcs::instance(2000, 2000),
    },
    Case {
        kernel: "matmul",
        size: "256",
        instance: || kernels::matmul::matmul::instance(256),
    },
];

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
