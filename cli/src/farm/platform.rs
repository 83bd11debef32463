//! Options that describe master, workers and links.

use std::path::PathBuf;

use clap::Args;
use superstep_farm::Platform;
use superstep_network::Cluster;

use super::error::FarmError;
use crate::failure::Failure;
use crate::values::positive;

/// Master, workers, and the links between them.
#[derive(Args)]
pub(super) struct PlatformArguments {
    /// Number of workers [default: the other hosts of the machine file]
    #[arg(long, short = 'n', value_parser = workers, required_unless_present = "machine")]
    workers: Option<usize>,
    /// Machine file that `cargo superstep measure` has written. Bandwidths, nlat and tlat are of
    /// its hosts, each of which is a worker, unless they are given
    #[arg(long, value_name = "FILE", requires = "unit")]
    machine: Option<PathBuf>,
    /// Host of the machine file that is the master [default: the first]
    #[arg(long, value_name = "NAME", requires = "machine")]
    master: Option<String>,
    /// Bytes that a unit of work has on its way to a worker
    #[arg(long, value_name = "BYTES", requires = "machine", value_parser = positive)]
    unit: Option<f64>,
    /// Units of work that a worker does in a second
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Units that a worker receives in a second [default: infinite, or the least bandwidth between
    /// the master and another host]
    #[arg(long)]
    worker_bandwidth: Option<f64>,
    /// Units that the master sends in a second [default: infinite, or the bandwidth of its link]
    #[arg(long)]
    master_bandwidth: Option<f64>,
    /// Seconds that a send occupies the master before its first bit [default: 0, or those in which
    /// a connection is opened]
    #[arg(long, allow_negative_numbers = true)]
    nlat: Option<f64>,
    /// Seconds that the last bit is on its way [default: 0, or those to the farthest host]
    #[arg(long, allow_negative_numbers = true)]
    tlat: Option<f64>,
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
    /// Returns the platform, of the machine file where options do not say otherwise.
    pub(super) fn platform(&self) -> Result<Platform, Failure> {
        let unmeasured = Platform {
            workers: self.workers.unwrap_or(1),
            speed: self.speed,
            worker_bandwidth: f64::INFINITY,
            master_bandwidth: f64::INFINITY,
            setup: 0.0,
            latency: 0.0,
            overhead: self.clat,
            weights: self.weights.clone(),
        };
        let measured = match &self.machine {
            Some(path) => self.measured(&Cluster::read(path)?, unmeasured)?,
            None => unmeasured,
        };
        Ok(Platform {
            worker_bandwidth: self.worker_bandwidth.unwrap_or(measured.worker_bandwidth),
            master_bandwidth: self.master_bandwidth.unwrap_or(measured.master_bandwidth),
            setup: self.nlat.unwrap_or(measured.setup),
            latency: self.tlat.unwrap_or(measured.latency),
            ..measured
        })
    }

    /// Returns the platform of a cluster's hosts: as slow and as far as the worst of the workers.
    fn measured(&self, cluster: &Cluster, platform: Platform) -> Result<Platform, FarmError> {
        let names = cluster.tree().names();
        let master = match &self.master {
            Some(name) => names.iter().position(|host| host == name),
            None => Some(0),
        };
        let unknown = || FarmError::Master(self.master.clone().unwrap_or_default());
        let master = master.ok_or_else(unknown)? as u32;
        let most = (names.len() - 1).min(MOST_WORKERS);
        let workers = self.workers.unwrap_or(names.len() - 1).max(1);
        if workers > most {
            let hosts = names.len();
            return Err(FarmError::Workers {
                workers,
                hosts,
                most,
            });
        }
        // The first other hosts, in their order.
        let others = (0..names.len() as u32).filter(|&host| host != master);
        let others: Vec<u32> = others.take(workers).collect();
        let setup = match (self.nlat, cluster.setup()) {
            (Some(given), _) => given,
            (None, Some(measured)) => measured / 1e6,
            (None, None) => return Err(FarmError::NoSetup),
        };
        let units = 1e6 / 8.0 / self.unit.unwrap_or(1.0);
        let bandwidths = others.iter().map(|&host| cluster.bandwidth(master, host));
        let distances = others
            .iter()
            .map(|&host| cluster.tree().distance(master, host));
        Ok(Platform {
            workers,
            worker_bandwidth: units * bandwidths.fold(f64::INFINITY, f64::min),
            master_bandwidth: units * cluster.own_bandwidth(master),
            setup,
            latency: distances.fold(0.0, f64::max) / 1e6,
            ..platform
        })
    }
}
