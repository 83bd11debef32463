//! Sets `SUPERSTEP_SIDE`, so that `#[kernel]` expands to trace functions here, as in a build
//! script, and not to the parallel interface.

fn main() {
    println!("cargo::rustc-env=SUPERSTEP_SIDE=build");
    println!("cargo::rerun-if-changed=build.rs");
}
