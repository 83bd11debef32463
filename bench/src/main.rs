//! Measures this project on the machine at hand, which should be idle.
//!
//! `cargo run --release -p superstep-bench -- speed` prints, for every example, how long each form
//! of its kernel takes beside the others; `reduce` does so for reductions. `predict` says what
//! programs for up to 32 processors are predicted to take, and times the making of them. With
//! `peers`: costs of schedules beside those of other schedulers; with `renumber`: beside those of
//! the same graphs under random numbers; with `thesis`: BCSH beside DSH; with `scale`: times of
//! tracing and scheduling. With `latency` and `topology`: the experiments on collective times and
//! on trees of simulated clusters, beside published figures; with `hierarchy`: what a schedule
//! gains that knows the tree of hosts; with `farm`: farms beside rayon and a static split; with
//! `plan`: sparse kernels planned at run time beside the functions as they are written; with
//! `contended`: first calls in fresh processes beside busy threads; with `explained`: what
//! explanations promise, by the clock; with
//! `collection`, and the feature of that name: kernels that people write beside the functions.

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
mod peers;
mod plan;
mod predict;
mod quiet;
mod reduce;
mod renumber;
mod scale;
mod speed;
mod sptrsv;

use std::io;

use clap::{Args, Parser, Subcommand};
use superstep_papers::{collectives, thesis, topology};

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
    Latency(Traces),
    Farm(farm::Options),
    Plan(plan::Options),
    Grains(grains::Options),
    Contended(contended::Options),
    Explained(explained::Options),
    #[cfg(feature = "collection")]
    Collection(superstep_collection::measure::Options),
    /// Compare calls of kernels that people write with the functions: with the feature `collection`
    #[cfg(not(feature = "collection"))]
    Collection,
    /// Compare BCSH with DSH on LU 32 as the thesis does, and speed-ups with its own
    Thesis,
    /// Infer topologies of simulated clusters: measurements, errors and time beside published ones
    Topology,
}

/// Repeat the paper's experiments on latencies with heavy tails
#[derive(Args)]
struct Traces {
    /// Paths of a synthetic trace.
    #[arg(long, default_value_t = 32)]
    paths: usize,
    /// Periods of a trace: a week of minutes.
    #[arg(long, default_value_t = 10_080)]
    periods: usize,
    /// Traces of each kind.
    #[arg(long, default_value_t = 4)]
    seeds: u64,
}

impl From<Traces> for collectives::Options {
    fn from(traces: Traces) -> Self {
        let Traces {
            paths,
            periods,
            seeds,
        } = traces;
        Self {
            paths,
            periods,
            seeds,
        }
    }
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
        #[cfg(feature = "collection")]
        Command::Collection(options) => superstep_collection::measure::run(&options),
        #[cfg(not(feature = "collection"))]
        Command::Collection => Err("build with `--features collection`, for some minutes".into()),
        Command::Latency(traces) => Ok(collectives::run(&traces.into(), &mut io::stdout())?),
        Command::Thesis => thesis::run(&mut io::stdout()),
        Command::Topology => topology::run(&mut io::stdout()),
    }
}
