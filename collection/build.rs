//! Generates the programs of the collection. For up to three processors they are of tiny sizes,
//! which are tested. With the feature `measured` they are those that a user would get at the other
//! sizes.
//!
//! The environment variable `SUPERSTEP_COLLECTION` names the kernels to generate programs for,
//! separated by commas, in place of all: for work on one. `SUPERSTEP_COLLECTION_COSTS` names files
//! of measured costs in the same way, by which programs are generated then.

#[path = "src/instances.rs"]
mod instances;

use instances::{KERNELS, SIZES};
use superstep::build::Builder;

/// Names the kernels that are wanted.
const WANTED: &str = "SUPERSTEP_COLLECTION";

/// Names files of measured costs.
const COSTS: &str = "SUPERSTEP_COLLECTION_COSTS";

/// Number of sizes of each kernel that programs are generated for: all, or the tiny one alone.
const BUILT: usize = if cfg!(feature = "measured") { SIZES } else { 1 };

fn main() -> std::process::ExitCode {
    println!("cargo::rerun-if-env-changed={WANTED}");
    let wanted = std::env::var(WANTED).unwrap_or_default();
    let is_wanted = |kernel| wanted.is_empty() || wanted.split(',').any(|name| name == kernel);
    println!("cargo::rerun-if-env-changed={COSTS}");
    let costs = std::env::var(COSTS).unwrap_or_default();
    let files = costs.split(',').filter(|file| !file.is_empty());
    let mut builder = files.fold(Builder::new(), Builder::measured);
    for kernel in KERNELS.iter().filter(|kernel| is_wanted(kernel.name)) {
        for size in 0..BUILT {
            let instance = (kernel.instance)(size);
            builder = builder.kernel(match size {
                0 => instance.exactly([1, 2, 3]),
                _ if cfg!(feature = "exactly") => instance.exactly([1, 2]),
                _ => instance.processors([1, 2]),
            });
        }
    }
    builder.run()
}
