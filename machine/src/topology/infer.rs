//! Inference of the tree: hosts are added one after the other, each by measurements to few others.

mod add;
mod closest;
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
    /// Measurements that were repeated because their spread stood out.
    pub repetitions: usize,
    /// Hosts that did not answer and are not in the tree.
    pub left_out: Vec<usize>,
}

/// Why no tree was inferred.
#[derive(Debug, thiserror::Error)]
pub enum InferError<E> {
    /// A pair could not be measured.
    #[error("hosts {a} and {b} could not be measured: {source}")]
    Probe {
        /// Name of the host that sends.
        a: String,
        /// Name of the host that answers.
        b: String,
        /// What the probe said.
        source: E,
    },
    /// Fewer than two hosts, or fewer than two that answer.
    #[error("a tree has at least 2 hosts that answer, not {0}")]
    Few(usize),
    /// Names that are no names of hosts.
    #[error(transparent)]
    Names(#[from] TreeError),
}

/// Infers the tree of hosts with these names by a probe, which knows them by their positions.
///
/// `progress` is called with the number of hosts that the tree has, whenever it grows.
///
/// # Errors
/// When there are fewer than two hosts, or a pair cannot be measured.
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
