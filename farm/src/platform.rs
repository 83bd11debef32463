//! Platforms: a master, its workers, and the links between them.

use crate::{
    Invalid,
    error::{check, check_count, check_quantity, check_weights},
};

/// Master and workers, as the papers on divisible loads describe them.
///
/// The master opens a connection (`setup`), and sends a chunk at a bandwidth that it shares among
/// its open sends. The last bit is `latency` on its way. A worker takes `overhead` for a chunk,
/// whatever its size, and then computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Number of workers, N; the master is none of them.
    pub workers: usize,
    /// Units of work that a worker of weight 1 does in a second, S.
    pub speed: f64,
    /// Units that a worker receives in a second; infinite where nothing is copied.
    pub worker_bandwidth: f64,
    /// Units that the master sends in a second, to all workers together.
    pub master_bandwidth: f64,
    /// Seconds for which a send occupies the master before its first bit, nLat.
    pub setup: f64,
    /// Seconds that the last bit is on its way, while the master is free again, tLat.
    pub latency: f64,
    /// Seconds that a worker takes for each chunk beside its work, cLat.
    pub overhead: f64,
    /// Relative speed of each worker; empty where all are equal.
    pub weights: Vec<f64>,
}

/// Seconds between two threads until one sees what the other wrote.
///
/// A line of a cache goes from core to core in some 100 ns, and a pull is a write and a read. The
/// rounds of a plan change only where it is near the work of a chunk.
const HANDOVER: f64 = 2e-7;

impl Platform {
    /// Returns the platform of threads that share memory: nothing is copied, and a chunk costs 0.2
    /// µs.
    ///
    /// ```
    /// let platform = superstep_farm::Platform::threads(8);
    /// assert_eq!(platform.limit(16.0), 2.0);
    /// ```
    pub fn threads(workers: usize) -> Self {
        Self {
            workers,
            speed: 1.0,
            worker_bandwidth: f64::INFINITY,
            master_bandwidth: f64::INFINITY,
            setup: 0.0,
            latency: HANDOVER,
            overhead: 0.0,
            weights: Vec::new(),
        }
    }

    /// Checks that every quantity is in its range.
    ///
    /// # Errors
    ///
    /// [`Invalid`] names the first quantity that is not.
    pub fn validate(&self) -> Result<(), Invalid> {
        if self.workers == 0 {
            return Err(Invalid::NoWorkers);
        }
        let positive = [
            ("speed", self.speed, false),
            ("worker_bandwidth", self.worker_bandwidth, true),
            ("master_bandwidth", self.master_bandwidth, true),
        ];
        for (name, value, may_be_infinite) in positive {
            let fits = value > 0.0 && (value.is_finite() || may_be_infinite);
            let range = if value == f64::INFINITY {
                "finite"
            } else {
                "above 0"
            };
            check(name, value, fits, range)?;
        }
        check_quantity("setup", self.setup)?;
        check_quantity("latency", self.latency)?;
        check_quantity("overhead", self.overhead)?;
        let weights = self.weights.len();
        if weights > 0 {
            check_count("weights", weights, self.workers, "each worker has one")?;
        }
        check_weights(&self.weights)
    }

    /// Returns the relative speed of a worker.
    pub fn weight(&self, worker: usize) -> f64 {
        self.weights.get(worker).copied().unwrap_or(1.0)
    }

    /// Returns the units of work that a worker does in a second.
    pub fn speed_of(&self, worker: usize) -> f64 {
        self.speed * self.weight(worker)
    }

    /// Returns the sum of all relative speeds.
    pub fn total_weight(&self) -> f64 {
        if self.weights.is_empty() {
            self.workers as f64
        } else {
            self.weights.iter().sum()
        }
    }

    /// Returns the units of work that all workers do in a second.
    pub fn total_speed(&self) -> f64 {
        self.speed * self.total_weight()
    }

    /// Returns the seconds that a chunk costs beside its work and its bytes.
    pub fn chunk_cost(&self) -> f64 {
        self.setup + self.latency + self.overhead
    }

    /// Returns the bandwidth of one of `open` transfers at a time.
    pub fn shared_bandwidth(&self, open: usize) -> f64 {
        self.worker_bandwidth
            .min(self.master_bandwidth / open as f64)
    }

    /// Returns the seconds that this much work takes on a network that costs nothing (equation (9)
    /// of the PTUMR paper).
    pub fn limit(&self, work: f64) -> f64 {
        self.overhead + work / self.total_speed()
    }

    /// Returns seconds that no plan can undercut: of the work, and of sending its bytes.
    pub fn lower_bound(&self, work: f64, bytes: f64) -> f64 {
        let bandwidth = self
            .master_bandwidth
            .min(self.worker_bandwidth * self.workers as f64);
        self.limit(work).max(bytes / bandwidth) + self.setup + self.latency
    }
}
