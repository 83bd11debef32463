//! Inference of the tree: hosts are added one after the other, each by measurements to few others.

mod add;
mod closest;
mod doubt;
mod refine;
mod run;
mod setting;
mod task;
mod tolerance;

use self::run::Run;
pub use self::setting::{Pruning, Setting, Tolerance};
use super::{Probe, RoundTrip, Tree, TreeError};

/// Pair of hosts with its round-trip time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// Both hosts, by number.
    pub pair: (u32, u32),
    /// Round-trip time between them.
    pub round_trip: RoundTrip,
}

/// A tree that was inferred, and what it rests on.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The tree of all hosts that answered.
    pub tree: Tree,
    /// Pairs that were measured, each once, in the order in which hosts were added.
    pub measurements: Vec<Measurement>,
    /// Number of measurements that were repeated because their spread stood out.
    pub repetitions: usize,
    /// Measurements whose spread is above a fifth of the round trip, the widest first: machine or
    /// network were busy.
    pub wide: Vec<Measurement>,
    /// Hosts that did not answer, or contradicted others, and are not in the tree; in ascending
    /// order.
    pub left_out: Vec<usize>,
    /// Reasons for those of them that contradicted others.
    pub contradictions: Vec<Contradiction>,
}

/// Pair of which the tree says otherwise than the measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// The pair as it was measured.
    pub measurement: Measurement,
    /// Its round-trip time in the tree, in microseconds.
    pub expected: f64,
}

impl Inference {
    /// Returns those of some measurements from which the tree is far: by more than their spread,
    /// and than a fifth of the shorter time. Those that are off by the largest factor come first.
    /// They are of any pairs of the hosts that the tree was inferred of.
    ///
    /// ```
    /// use superstep_network::topology::{Recorded, Setting, infer};
    /// use std::path::Path;
    ///
    /// let times = "a,b,c\n0,5,100\n5,0,5\n100,5,0\n";
    /// let mut probe = Recorded::from_csv(times, None, Path::new("rtt.csv"))?;
    /// let (names, measured) = (probe.names().to_vec(), probe.measurements());
    /// let inference = infer(&names, &mut probe, &Setting::default(), |_| {})?;
    /// assert!(!inference.misfits(measured).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn misfits(&self, measured: impl IntoIterator<Item = Measurement>) -> Vec<Misfit> {
        doubt::misfits(&self.tree, &self.left_out, measured)
    }
}

/// Reason for which no tree was inferred.
#[derive(Debug, thiserror::Error)]
pub enum InferError<E> {
    /// A pair could not be measured.
    #[error("hosts {a} and {b} could not be measured: {source}")]
    Probe {
        /// Name of the host that sends.
        a: String,
        /// Name of the host that answers.
        b: String,
        /// The error of the probe.
        source: E,
    },
    /// Fewer than two hosts, or fewer than two that answer.
    #[error("a tree has at least 2 hosts that answer, not {0}")]
    Few(usize),
    /// Names that are no names of hosts.
    #[error(transparent)]
    Names(#[from] TreeError),
    /// Spreads are of the order of the links.
    #[error(
        "noise too large to tell: half of the measurements differ by {spread:.1} us or more, and half of the links have at most {link:.1} us; \
         the worst pairs are {}",
        worst.join(", ")
    )]
    Noise {
        /// Median spread, in microseconds.
        spread: f64,
        /// Median one-way latency of the links, in microseconds.
        link: f64,
        /// Pairs of the largest spreads, with these.
        worst: Vec<String>,
    },
    /// Most of a host's times fit in no tree with those between others.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// Most of a host's times fit in no tree with those between others.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "host {host} contradicts the others: between {a} and {b} {measured:.1} us were measured, and all other times together say {expected:.1} us"
)]
pub struct Contradiction {
    /// Name of the host.
    pub host: String,
    /// Name of one host of its worst pair.
    pub a: String,
    /// Name of the other.
    pub b: String,
    /// Round-trip time of the pair as measured, in microseconds.
    pub measured: f64,
    /// Round-trip time of the pair in the tree, in microseconds.
    pub expected: f64,
}

/// Infers the tree of hosts with these names by a probe, which knows them by their positions.
///
/// `progress` is called with the number of hosts that the tree has, whenever it grows.
///
/// # Errors
/// When there are fewer than two hosts, or two have the same name. When a pair cannot be measured,
/// when spreads are of the order of the links, and when a host contradicts all others.
pub fn infer<P: Probe>(
    names: &[String],
    probe: &mut P,
    setting: &Setting,
    mut progress: impl FnMut(usize),
) -> Result<Inference, InferError<P::Error>> {
    if names.len() < 2 {
        return Err(InferError::Few(names.len()));
    }
    super::tree::check_names(names)?;
    let mut run = Run::new(names, probe, setting);
    run.first_pair()?;
    progress(2);
    while !run.is_done() {
        run.start();
        if run.grow() {
            progress(run.placed());
            continue;
        }
        run.begin();
        run.finish()?;
    }
    if setting.refine {
        run.refine()?;
    }
    run.end()
}
