//! Surveys: everything about a cluster that a machine file has, measured in one go.
//!
//! It measures in this order:
//!
//! 1. the [tree](crate::topology) of its hosts;
//! 2. latencies with samples, in rounds of pings along which a superstep's boundary goes;
//! 3. bandwidths of all links, by streams.
//!
//! Each measurement is written to a [journal](Journal) at once, so that a survey goes on where it
//! was interrupted. A host that fails on the way is told and left out.

mod journal;
mod known;
mod machine;
mod stars;
mod surveyor;

use std::time::Duration;

pub use self::journal::Journal;
pub use self::machine::Processors;
use self::surveyor::Surveyor;
use crate::topology::{
    Bandwidths, Contradiction, InferError, Inference, Tree,
    tcp::{HostError, TcpProbe},
};
use superstep_files::FileError;
use superstep_machine::{InvalidValue, MachineFileError};

/// Survey, as it is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Order in which hosts are added to the tree.
    pub seed: u64,
    /// Number of rounds of pings, each of which gives a sample of each path.
    pub rounds: u32,
    /// Time from one round to the next; none where they follow each other at once.
    pub every: Duration,
    /// Time for which each stream is counted.
    pub stream: Duration,
    /// Ratio of two latencies from which on they are of different levels.
    pub ratio: f64,
    /// Facts about the processors that are not measured.
    pub processors: Processors,
    /// Bandwidths in Mbit/s that are known, by the numbers of two hosts.
    pub known: Vec<((usize, usize), f64)>,
}

/// Event of a survey, for those who watch it.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many pairs are known.
    Pairs(usize),
    /// So many rounds of pings are done, of all.
    Rounds(u32, u32),
    /// So many streams are done.
    Streams(usize),
    /// A host has failed, and the survey goes on without it.
    Lost(&'a HostError),
    /// A host contradicts the others, and the survey goes on without it.
    Contradiction(&'a Contradiction),
    /// Fewer rounds are done than were asked for: a machine file has no room for more.
    Fewer(u32, u32),
    /// Rounds were late, as this says.
    Late(String),
}

/// Reason for which a survey gives no machine file.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// No tree follows from the round trips, or too few hosts are left.
    #[error(transparent)]
    Infer(Box<InferError<HostError>>),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] FileError),
    /// A machine file has no room for so many hosts, or processors.
    #[error(
        "a machine file, of at most 256 KiB, has no room for {hosts} hosts of {each} processors"
    )]
    Many {
        /// Number of hosts.
        hosts: usize,
        /// Processors of each.
        each: u32,
    },
    /// The hosts make no machine.
    #[error(transparent)]
    Machine(#[from] InvalidValue),
    /// The machine file is none.
    #[error(transparent)]
    File(#[from] MachineFileError),
}

/// Cluster that was measured.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Tree of the hosts that answered.
    pub tree: Tree,
    /// How the tree was found, and which measurements are in doubt: of the hosts that `names` has.
    pub inference: Inference,
    /// Names of the hosts that the tree was inferred of.
    pub names: Vec<String>,
    /// Bandwidths of the links, in Mbit/s.
    pub bandwidths: Bandwidths,
    /// Text of the machine file, with its medians.
    pub machine: String,
}

/// Measures a cluster, whose hosts have these names.
///
/// Hosts that were [lost](TcpProbe::lost) before, or fail now, are left out: `watch` hears of them.
/// With the journal of an interrupted survey, what it has is not measured again, unless it
/// contradicts the rest.
///
/// # Errors
/// When fewer than two hosts are left, no tree follows, the journal cannot be written, or the
/// request is out of range.
pub fn survey(
    probe: &mut TcpProbe,
    names: &[String],
    journal: &mut Journal,
    request: &Request,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Survey, SurveyError> {
    Surveyor::new(probe, names, journal, request, watch).survey()
}
