//! Options that describe master, workers and links.

use clap::Args;
use superstep_farm::Platform;

/// Master, workers, and the links between them.
#[derive(Args)]
pub(super) struct PlatformArguments {
    /// Number of workers
    #[arg(long, short = 'n', value_parser = workers)]
    workers: usize,
    /// Units of work that a worker does in a second
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Units that a worker receives in a second
    #[arg(long, default_value_t = f64::INFINITY)]
    worker_bandwidth: f64,
    /// Units that the master sends in a second
    #[arg(long, default_value_t = f64::INFINITY)]
    master_bandwidth: f64,
    /// Seconds that a send occupies the master before its first bit
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    nlat: f64,
    /// Seconds that the last bit is on its way
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    tlat: f64,
    /// Seconds that a worker takes for a chunk beside its work
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    clat: f64,
    /// Relative speed of each worker [default: all equal]
    #[arg(long, value_delimiter = ',')]
    weights: Vec<f64>,
}

/// Most workers: with more, searching for rounds takes minutes.
const MOST_WORKERS: usize = 10_000;

fn workers(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(workers) if (1..=MOST_WORKERS).contains(&workers) => Ok(workers),
        _ => Err(format!("a number from 1 to {MOST_WORKERS}")),
    }
}

impl PlatformArguments {
    pub(super) fn platform(&self) -> Platform {
        Platform {
            workers: self.workers,
            speed: self.speed,
            worker_bandwidth: self.worker_bandwidth,
            master_bandwidth: self.master_bandwidth,
            setup: self.nlat,
            latency: self.tlat,
            overhead: self.clat,
            weights: self.weights.clone(),
        }
    }
}
