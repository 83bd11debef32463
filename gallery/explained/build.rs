//! Has `#[kernel]` expand to what build scripts get.

fn main() {
    println!("cargo::rustc-env=SUPERSTEP_SIDE=build");
    println!("cargo::rerun-if-changed=build.rs");
}
