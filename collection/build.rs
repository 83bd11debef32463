//! Generates the programs of the collection. For up to three processors they are of tiny sizes,
//! which are tested. With the feature `measured` they are those that a user would get at the other
//! sizes.
//!
//! The environment variable `SUPERSTEP_COLLECTION` names the kernels to generate programs for,
//! separated by commas, in place of all: for work on one. `SUPERSTEP_COLLECTION_COSTS` names files
//! of measured costs in the same way, by which programs are generated then.

// What is public in the crate is not in its build script.
#[allow(dead_code, unreachable_pub)]
#[path = "src/kernels/mod.rs"]
mod kernels;
#[allow(dead_code, unreachable_pub)]
#[path = "src/pattern.rs"]
mod pattern;

use pattern::Factor;
use superstep::build::{Builder, Instance};

/// Names the kernels that are wanted.
const WANTED: &str = "SUPERSTEP_COLLECTION";

/// Names files of measured costs.
const COSTS: &str = "SUPERSTEP_COLLECTION_COSTS";

/// Sizes of each kernel that programs are generated for: all three, or the tiny one, which comes
/// first.
const SIZES: usize = if cfg!(feature = "measured") { 3 } else { 1 };

macro_rules! cases {
    ($($field:ident::$kernel:ident {
        sizes: $size:pat in $sizes:expr,
        $(pattern: { $($pattern:tt)* },)?
        instance: $control:tt,
        $(given: $given:tt,)?
        data: $data:tt,
        call: $call:tt,
    })*) => {
        /// The instances of each kernel, by ascending size.
        fn kernels() -> Vec<(&'static str, Vec<Instance>)> {
            vec![$((stringify!($kernel), {
                $sizes[..SIZES].iter().map(|&$size| {
                    $($($pattern)*)?
                    kernels::$field::$kernel::instance $control
                }).collect()
            })),*]
        }
    };
}

include!("src/cases.rs");

fn main() -> std::process::ExitCode {
    println!("cargo::rerun-if-env-changed={WANTED}");
    let wanted = std::env::var(WANTED).unwrap_or_default();
    let is_wanted = |kernel| wanted.is_empty() || wanted.split(',').any(|name| name == kernel);
    println!("cargo::rerun-if-env-changed={COSTS}");
    let costs = std::env::var(COSTS).unwrap_or_default();
    let files = costs.split(',').filter(|file| !file.is_empty());
    let mut builder = files.fold(Builder::new(), Builder::measured);
    for (_, instances) in kernels()
        .into_iter()
        .filter(|&(kernel, _)| is_wanted(kernel))
    {
        for (size, instance) in instances.into_iter().enumerate() {
            builder = builder.kernel(match size {
                0 => instance.exactly([1, 2, 3]),
                _ if cfg!(feature = "exactly") => instance.exactly([1, 2]),
                _ => instance.processors([1, 2]),
            });
        }
    }
    builder.run()
}
