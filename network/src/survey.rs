//! Surveys: everything about a cluster that a machine file has, measured in one go.
//!
//! First the [tree](crate::topology) of its hosts; then latencies with samples, in rounds of pings
//! along which a superstep's boundary goes; then bandwidths of all links, by streams. Each
//! measurement is written to a [journal](Journal) at once, so that a survey goes on where it was
//! interrupted. A host that fails on the way is told and left out.

mod journal;
mod known;
mod machine;
mod stars;

use std::time::Duration;

pub use self::journal::{Journal, JournalError};
pub use self::machine::Processors;
use self::{
    known::Known,
    machine::Measured,
    stars::{Star, stars},
};
use crate::topology::{
    Bandwidths, Contradiction, InferError, Inference, Pace, Setting, Tree, bandwidth, infer,
    levels,
    tcp::{HostError, TcpProbe},
};
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

/// Step of a survey, for those who watch it.
#[derive(Debug)]
pub enum Step<'a> {
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
    Journal(#[from] JournalError),
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
    /// How the tree was found, and which measurements are in doubt.
    pub inference: Inference,
    /// Bandwidths of the links, in Mbit/s.
    pub bandwidths: Bandwidths,
    /// Text of the machine file, with its medians.
    pub machine: String,
}

/// Bytes that samples may have in a machine file, of the 2^18 in all.
const SAMPLES: usize = 200 << 10;

/// Bytes of a sample in a machine file, with what is between: `12345.678, `.
const SAMPLE: usize = 11;

/// Trees that are inferred until none of the hosts contradicts the others: what has disturbed one
/// is often gone when its pairs are measured again.
const TREES: u64 = 3;

/// Reason for which an attempt has ended.
enum End {
    /// A host has failed.
    Lost(Box<HostError>),
    Failed(SurveyError),
}

impl<E: Into<SurveyError>> From<E> for End {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
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
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Survey, SurveyError> {
    let is_lost = |host: &usize| probe.lost().iter().any(|error| error.number == *host);
    let mut hosts: Vec<usize> = (0..names.len()).filter(|host| !is_lost(host)).collect();
    let mut told = Vec::new();
    loop {
        let mut attempt = Attempt {
            probe,
            names,
            hosts: &hosts,
            journal,
            request,
            watch,
            told: &mut told,
        };
        match attempt.survey() {
            Ok(survey) => return Ok(survey),
            Err(End::Failed(error)) => return Err(error),
            Err(End::Lost(error)) => {
                watch(Step::Lost(&error));
                hosts.retain(|&host| host != error.number);
            }
        }
    }
}

/// Survey of the hosts that have not failed yet.
struct Attempt<'a> {
    probe: &'a mut TcpProbe,
    names: &'a [String],
    hosts: &'a [usize],
    journal: &'a mut Journal,
    request: &'a Request,
    watch: &'a mut dyn FnMut(Step<'_>),
    /// Hosts that have failed, and of which `watch` has heard.
    told: &'a mut Vec<usize>,
}

impl Attempt<'_> {
    fn survey(&mut self) -> Result<Survey, End> {
        let inference = self.tree()?;
        let tree = inference.tree.clone();
        // Hosts of the tree, by their numbers in the list.
        let number = |name: &String| self.names.iter().position(|other| other == name);
        let numbers: Vec<usize> = tree.names().iter().filter_map(number).collect();
        let levels = levels(&tree, self.request.ratio);
        let stars = stars(&tree, &levels);
        let samples = self.samples(&stars, &numbers)?;
        let bandwidths = self.bandwidths(&tree, &numbers)?;
        let measured = Measured {
            tree: &tree,
            levels: &levels,
            stars: &stars,
            samples: &samples,
            bandwidths: &bandwidths,
            setup: self.setup(),
        };
        let machine = measured.machine_file(&self.request.processors)?;
        Ok(Survey {
            tree,
            inference,
            bandwidths,
            machine,
        })
    }

    /// Finds the tree of the hosts, without those that fail or contradict the others.
    fn tree(&mut self) -> Result<Inference, End> {
        let mut tries = 1..=TREES;
        loop {
            let order = tries.next();
            let inference = self.infer(order.unwrap_or(TREES) - 1)?;
            let hosts = self.doubtful(&inference);
            if hosts.is_empty() || tries.is_empty() {
                // What is in doubt is no part of a journal.
                hosts
                    .iter()
                    .try_for_each(|&host| self.journal.forget(host))?;
                return match inference {
                    Ok(inference) => {
                        for contradiction in &inference.contradictions {
                            (self.watch)(Step::Contradiction(contradiction));
                        }
                        Ok(inference)
                    }
                    Err(error) => Err(End::Failed(SurveyError::Infer(Box::new(error)))),
                };
            }
            hosts
                .iter()
                .try_for_each(|&host| self.journal.forget(host))?;
        }
    }

    /// Returns the hosts whose round trips hide the tree: those that contradict others, or all.
    fn doubtful(&self, inference: &Result<Inference, InferError<HostError>>) -> Vec<usize> {
        let number = |of: &Contradiction| self.names.iter().position(|name| *name == of.host);
        match inference {
            Ok(inference) => inference.contradictions.iter().filter_map(number).collect(),
            Err(InferError::Contradiction(of)) => number(of).into_iter().collect(),
            Err(InferError::Noise { .. }) => self.hosts.to_vec(),
            Err(_) => Vec::new(),
        }
    }

    /// Infers the tree, with the hosts in the order of that number.
    fn infer(&mut self, order: u64) -> Result<Result<Inference, InferError<HostError>>, End> {
        let names = self.hosts.iter().map(|&host| self.names[host].clone());
        let names: Vec<String> = names.collect();
        let setting = Setting {
            seed: self.request.seed.wrapping_add(order),
            leave_out: true,
            ..Setting::default()
        };
        let watch = &mut *self.watch;
        let mut progress = |pairs| watch(Step::Pairs(pairs));
        let mut known = Known::new(self.probe, self.journal, self.hosts, &mut progress);
        let inference = infer(&names, &mut known, &setting, |_| {});
        let (failed, unwritten) = known.errors();
        for error in failed.values() {
            if !self.told.contains(&error.number) {
                self.told.push(error.number);
                (self.watch)(Step::Lost(error));
            }
        }
        match unwritten {
            Some(error) => Err(End::Failed(error.into())),
            None => Ok(inference),
        }
    }

    /// Samples the paths of all stars: round trips in microseconds, by star, path and round.
    fn samples(&mut self, stars: &[Star], numbers: &[usize]) -> Result<Vec<Vec<Vec<f64>>>, End> {
        let paths: usize = stars.iter().map(|star| star.others.len()).sum();
        let most = (SAMPLES / SAMPLE / paths.max(1)).max(1);
        let asked = self.request.rounds.max(1);
        let rounds = asked.min(u32::try_from(most).unwrap_or(u32::MAX));
        if rounds < asked {
            (self.watch)(Step::Fewer(rounds, asked));
        }
        let mut pace = Pace::new(self.request.every);
        let of_star = |star: &Star| {
            let others = star.others.iter().map(|&host| numbers[host as usize]);
            (
                numbers[star.middle as usize],
                others.collect::<Vec<usize>>(),
            )
        };
        let stars: Vec<(usize, Vec<usize>)> = stars.iter().map(of_star).collect();
        let done = |journal: &Journal| {
            let counts = stars
                .iter()
                .map(|(from, to)| journal.rounds(*from, to).len());
            counts.collect::<Vec<usize>>()
        };
        let mut done = done(self.journal);
        for round in 0..rounds {
            (self.watch)(Step::Rounds(round, rounds));
            if done.iter().all(|&done| done > round as usize) {
                continue;
            }
            pace.wait();
            for (star, done) in stars.iter().zip(&mut done) {
                if *done <= round as usize {
                    self.round(star)?;
                    *done += 1;
                }
            }
        }
        if let Some(late) = pace.excuse("rounds") {
            (self.watch)(Step::Late(late));
        }
        let columns = |(from, to): &(usize, Vec<usize>)| {
            let mut all = self.journal.rounds(*from, to);
            all.truncate(rounds as usize);
            let column = |at: usize| all.iter().map(|round| round[at] as f64 / 1e3).collect();
            (0..to.len()).map(column).collect()
        };
        Ok(stars.iter().map(columns).collect())
    }

    /// Sends a ping along each path of a star.
    fn round(&mut self, (from, to): &(usize, Vec<usize>)) -> Result<(), End> {
        let mut pings = Vec::with_capacity(to.len());
        for (&to, time) in to.iter().zip(self.probe.round(*from, to)) {
            pings.push((to, time.map_err(|error| End::Lost(Box::new(error)))?));
        }
        Ok(self.journal.add_round(*from, &pings)?)
    }

    /// Measures the bandwidths of all links.
    fn bandwidths(&mut self, tree: &Tree, numbers: &[usize]) -> Result<Bandwidths, End> {
        let mut streams = 0;
        bandwidth::measure(tree, |round| {
            let pair = |&(a, b): &(u32, u32)| (numbers[a as usize], numbers[b as usize]);
            let pairs: Vec<(usize, usize)> = round.iter().map(pair).collect();
            let is_new = |pair: &&(usize, usize)| self.bandwidth(**pair).is_none();
            let new: Vec<(usize, usize)> = pairs.iter().filter(is_new).copied().collect();
            let found = self.probe.streams(&new, self.request.stream);
            // What has come through is kept, whatever has failed.
            let mut lost = None;
            for (&pair, stream) in new.iter().zip(found) {
                match stream {
                    Ok(stream) => self.journal.add_stream(pair, stream)?,
                    Err(error) => lost = Some(error),
                }
            }
            if let Some(error) = lost {
                return Err(End::Lost(Box::new(error)));
            }
            streams += new.len();
            (self.watch)(Step::Streams(streams));
            let known = pairs.iter().filter_map(|&pair| self.bandwidth(pair));
            Ok(known.collect())
        })
    }

    /// Returns the bandwidth between two hosts, as it was given or measured.
    fn bandwidth(&self, (a, b): (usize, usize)) -> Option<f64> {
        let mut known = self.request.known.iter();
        let given = known.find(|(pair, _)| *pair == (a, b) || *pair == (b, a));
        let measured = || self.journal.stream((a, b)).map(|stream| stream.mbits());
        given.map(|&(_, bandwidth)| bandwidth).or_else(measured)
    }

    /// Returns the median of the times, in microseconds, in which connections were opened.
    fn setup(&self) -> f64 {
        let mut setups: Vec<u64> = self.journal.streams().map(|stream| stream.setup).collect();
        setups.sort_unstable();
        setups
            .get(setups.len() / 2)
            .map_or(0.0, |&setup| setup as f64 / 1e3)
    }
}
