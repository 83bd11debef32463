//! Measures the collection alone: as `superstep-bench collection`, without the examples' programs.

use clap::Parser;
use superstep_collection::measure;

/// Calls of kernels that people write beside the functions as written.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    options: measure::Options,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure::run(&Arguments::parse().options)
}
