//! Measures this project on the machine at hand, which should be idle.
//!
//! `cargo run --release -p superstep-bench -- speed` prints, for every example, how long each form
//! of its kernel takes beside the others. The other commands:
//!
//! * `reduce` does so for reductions.
//! * `predict` says what programs for up to 32 processors are predicted to take, and times the
//!   making of them.
//! * `peers`: costs of schedules beside those of other schedulers.
//! * `renumber`: beside those of the same graphs under random numbers.
//! * `scale`: times of tracing and scheduling.
//! * `hierarchy`: what a schedule gains that knows the tree of hosts.
//! * `farm`: farms beside rayon and a static split.
//! * `plan`: sparse kernels planned at run time beside the functions as they are written.
//! * `grains`: schedulers of builds beside those of plans, on the graphs of plans.
//! * `contended`: first calls in fresh processes beside busy threads.
//! * `explained`: what explanations promise, by the clock.
//! * `ranks`: schedules for ranks, predicted.
//! * `mpi`: ranks of MPI beside threads and beside programs by hand.
//! * `ablation`, with the feature of that name: what each tuned number gains.
//! * `collection`, with the feature of that name: kernels that people write beside the functions.

#[cfg(feature = "ablation")]
mod ablation;
mod cases;
mod contended;
mod contest;
mod explained;
mod farm;
mod fft;
mod grains;
mod hierarchy;
mod jacobi;
mod jacobi_solve;
mod lcs;
mod lu;
mod matmul;
mod mpi;
mod peers;
mod plan;
mod predict;
mod quiet;
mod ranks;
mod reduce;
mod renumber;
mod scale;
mod speed;
mod sptrsv;

use clap::{Parser, Subcommand};

/// Measurements of superstep.
#[derive(Parser)]
#[command(version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Speed(speed::Options),
    Predict(predict::Options),
    Reduce(reduce::Options),
    Peers(peers::Options),
    Renumber(renumber::Options),
    Scale(scale::Options),
    Hierarchy(hierarchy::Options),
    Farm(farm::Options),
    Plan(plan::Options),
    Grains(grains::Options),
    Contended(contended::Options),
    Explained(explained::Options),
    Ranks(ranks::Options),
    Mpi(mpi::Options),
    #[cfg(feature = "ablation")]
    Ablation(ablation::Options),
    /// Switch tuned numbers, and compare costs: with the feature `ablation`
    #[cfg(not(feature = "ablation"))]
    Ablation,
    #[cfg(feature = "collection")]
    Collection(superstep_collection::measure::Options),
    /// Compare calls of kernels that people write with the functions: with the feature `collection`
    #[cfg(not(feature = "collection"))]
    Collection,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Options::parse().command {
        Command::Speed(options) => speed::run(&options),
        Command::Predict(options) => predict::run(&options),
        Command::Reduce(options) => reduce::run(&options),
        Command::Peers(options) => peers::run(&options),
        Command::Renumber(options) => renumber::run(&options),
        Command::Scale(options) => scale::run(&options),
        Command::Hierarchy(options) => hierarchy::run(&options),
        Command::Farm(options) => farm::run(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Grains(options) => grains::run(&options),
        Command::Contended(options) => contended::run(&options),
        Command::Explained(options) => explained::run(&options),
        Command::Ranks(options) => ranks::run(&options),
        Command::Mpi(options) => mpi::run(&options),
        #[cfg(feature = "ablation")]
        Command::Ablation(options) => ablation::run(&options),
        #[cfg(not(feature = "ablation"))]
        Command::Ablation => Err("build with `--features ablation`".into()),
        #[cfg(feature = "collection")]
        Command::Collection(options) => superstep_collection::measure::run(&options),
        #[cfg(not(feature = "collection"))]
        Command::Collection => Err("build with `--features collection`, for some minutes".into()),
    }
}
