//! Latencies with heavy tails: how long a superstep waits for the slowest of many paths.
//!
//! A *path* is a pair of processors, and its latency varies from message to message. A collective
//! of one stage is over when the slowest path is. It takes the maximum of independent latencies,
//! whose mean grows with the number of paths. Round-trip times of wide-area networks follow Pareto
//! distributions better than normal ones, and their maxima are far larger.
//!
//! * [`Distribution`] is the latency of one path, [`fit`] finds it from samples, [`goodness`] says
//!   how well it fits.
//! * [`Maximum`] is the latency of many paths at once: mean, variance and quantiles, exact for any
//!   number of paths.
//! * [`Fits`] are the distributions of a record: of the [`Family`] that fits, or as [`Recorded`].
//!   All quantiles from samples are theirs.
//! * [`Samples`] are recorded latencies, [`Estimator`] forecasts the next maximum from them,
//!   [`Backtest`] chooses among estimators.
//!
//! Times have one unit throughout, that of the samples: milliseconds where a file does not say
//! otherwise.
//!
//! ```
//! use superstep_network::latency::{Distribution, Maximum};
//!
//! // Round-trip times with a mean of 44.3 ms and a standard deviation of 2.8 ms.
//! let path = Distribution::Pareto { scale: 41.671, shape: 16.853, cap: None };
//! assert!((path.mean() - 44.3).abs() < 1e-3);
//! assert!((Maximum::repeated(path, 1024).mean() - 65.26).abs() < 0.01);
//! ```
mod backtest;
mod distribution;
mod estimator;
mod family;
pub mod fit;
mod fits;
mod gamma;
pub mod goodness;
mod maximum;
mod quadrature;
mod recorded;
mod samples;
#[cfg(feature = "simulation")]
pub mod synthetic;
mod total;
mod truncation;

pub use backtest::{Backtest, CANDIDATES, Combination};
pub use distribution::Distribution;
pub use estimator::{Estimator, switching_rule};
pub use family::Family;
pub use fits::Fits;
pub use maximum::Maximum;
pub use recorded::Recorded;
pub use samples::Samples;
pub use total::Total;
pub use truncation::truncated_mean;
