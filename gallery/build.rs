//! Generates the programs of every kernel in the gallery.

#[path = "src/instances.rs"]
#[rustfmt::skip]
mod instances;
#[path = "src/kernels/mod.rs"]
mod kernels;
#[path = "src/structure.rs"]
mod structure;

fn main() -> std::process::ExitCode {
    instances::all(superstep::build::Builder::new()).run()
}
