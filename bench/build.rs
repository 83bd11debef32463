//! Generates the programs of the kernels that are called beside busy threads, and of those that
//! explanations are about.

#[allow(unreachable_pub, dead_code, reason = "the gallery has the file, too")]
#[path = "../gallery/explained/src/kernels.rs"]
mod explained;
#[path = "src/contended/kernels.rs"]
mod kernels;

/// Compiles triangular solves of OneStopParallel.
#[cfg(feature = "osp")]
fn peer() {
    const INCLUDE: &str = "OSP_INCLUDE";
    println!("cargo::rerun-if-env-changed={INCLUDE}");
    println!("cargo::rerun-if-changed=src/plan/osp.cpp");
    let include = std::env::var_os(INCLUDE).expect("OSP_INCLUDE names folders");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(3)
        .define("NDEBUG", None)
        .flag("-fopenmp")
        .includes(std::env::split_paths(&include))
        .warnings(false)
        .file("src/plan/osp.cpp")
        .compile("osp");
    println!("cargo::rustc-link-lib=gomp");
}

fn main() -> std::process::ExitCode {
    #[cfg(feature = "osp")]
    peer();
    let (row, col) = explained::rows(3000);
    let (by_length, columns, order) = explained::sorted(&row, &col);
    let col_of_gathers = explained::gathers(20_000);
    let renumbered = explained::renumbered(&col_of_gathers);
    let mut builder = superstep::build::Builder::new();
    for n in [300, 512] {
        builder = builder
            .kernel(explained::before::scaled::instance(n).exactly([1]))
            .kernel(explained::after::scaled::instance(n).exactly([1]))
            .kernel(explained::after::transposed::instance(n).exactly([1]));
    }
    builder
        .kernel(explained::before::total::instance(200_000).exactly([2]))
        .kernel(explained::after::total::instance(200_000).exactly([1, 2]))
        .kernel(explained::before::strips::instance(40_000).exactly([2]))
        .kernel(explained::after::strips::instance(40_000).exactly([2]))
        .kernel(explained::before::rows::instance(3000, &row, &col).exactly([1, 2]))
        .kernel(explained::after::rows::instance(3000, &order, &by_length, &columns).exactly([1]))
        .kernel(explained::before::gathered::instance(20_000, &col_of_gathers).exactly([2]))
        .kernel(explained::before::gathered::instance(20_000, &renumbered).exactly([2]))
        .kernel(explained::before::shifted::instance(200_000).exactly([2]))
        .kernel(explained::after::shifted::instance(200_000).exactly([2]))
        .kernel(explained::before::few::instance(200).exactly([1, 2]))
        .kernel(kernels::givens::instance(64, 48).processors([1, 2, 4]))
        .kernel(kernels::sweeps::jacobi::instance(512, kernels::ROUNDS).processors([1, 2]))
        .run()
}
