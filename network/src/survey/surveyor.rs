//! Surveyor: measures what is not in the journal, of the hosts that are left.

use std::{thread, time::Duration};

use super::{
    Event, Journal, Request, Survey, SurveyError,
    known::Known,
    machine::{Measured, room},
    stars::{Star, stars},
};
use crate::topology::{
    Bandwidths, Contradiction, InferError, Inference, Pace, Setting, Tree, bandwidth, infer,
    levels,
    tcp::{HostError, TcpProbe},
};

/// Trees that are inferred until none of the hosts contradicts the others: what has disturbed one
/// is often gone when its pairs are measured again.
const TREES: u64 = 3;

/// Times that a ping or a stream is tried. Links that are down for moments cost no host.
const TRIES: usize = 3;

/// Time between two tries.
const PAUSE: Duration = Duration::from_secs(1);

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

/// Survey that goes on.
pub(super) struct Surveyor<'a> {
    probe: &'a mut TcpProbe,
    names: &'a [String],
    journal: &'a mut Journal,
    request: &'a Request,
    watch: &'a mut dyn FnMut(Event<'_>),
    /// Hosts that have not failed yet, by their numbers in the list.
    hosts: Vec<usize>,
    /// Set once it is told that there is no room for all rounds.
    is_told: bool,
}

impl<'a> Surveyor<'a> {
    pub(super) fn new(
        probe: &'a mut TcpProbe,
        names: &'a [String],
        journal: &'a mut Journal,
        request: &'a Request,
        watch: &'a mut dyn FnMut(Event<'_>),
    ) -> Self {
        let is_lost = |host: &usize| probe.lost().iter().any(|error| error.number == *host);
        let hosts = (0..names.len()).filter(|host| !is_lost(host)).collect();
        Self {
            probe,
            names,
            journal,
            request,
            watch,
            hosts,
            is_told: false,
        }
    }

    /// Measures the hosts that are left until none fails.
    pub(super) fn survey(mut self) -> Result<Survey, SurveyError> {
        loop {
            match self.attempt() {
                Ok(survey) => return Ok(survey),
                Err(End::Failed(error)) => return Err(error),
                Err(End::Lost(error)) => self.lose(&error),
            }
        }
    }

    /// Goes on without a host.
    fn lose(&mut self, error: &HostError) {
        let before = self.hosts.len();
        self.hosts.retain(|&host| host != error.number);
        if self.hosts.len() < before {
            (self.watch)(Event::Lost(error));
        }
    }

    fn attempt(&mut self) -> Result<Survey, End> {
        let (inference, names) = self.tree()?;
        let tree = inference.tree.clone();
        // Hosts of the tree, by their numbers in the list.
        let number = |name: &String| self.names.iter().position(|other| other == name);
        let numbers: Vec<usize> = tree.names().iter().filter_map(number).collect();
        let levels = levels(&tree, self.request.ratio);
        let stars = stars(&tree, &levels);
        let mut measured = Measured {
            tree: &tree,
            levels: &levels,
            stars: &stars,
            samples: Vec::new(),
            bandwidths: bandwidth::unknown(&tree),
            setup: None,
        };
        let rounds = self.rounds(&measured)?;
        measured.samples = self.samples(&stars, &numbers, rounds)?;
        measured.bandwidths = self.bandwidths(&tree, &numbers)?;
        measured.setup = self.setup();
        let machine = measured.machine_file(&self.request.processors)?;
        let bandwidths = measured.bandwidths;
        Ok(Survey {
            tree,
            inference,
            names,
            bandwidths,
            machine,
        })
    }

    /// Finds the tree of the hosts, without those that fail or contradict the others; names of the
    /// hosts that it was inferred of, too.
    fn tree(&mut self) -> Result<(Inference, Vec<String>), End> {
        let mut orders = 0..TREES;
        loop {
            let order = orders.next().unwrap_or_default();
            let names = self.hosts.iter().map(|&host| self.names[host].clone());
            let names: Vec<String> = names.collect();
            let inference = self.infer(&names, order)?;
            // What is in doubt is measured again, now or by another survey.
            let doubtful = self.doubtful(&inference);
            doubtful
                .iter()
                .try_for_each(|&host| self.journal.forget(host))?;
            if doubtful.is_empty() || orders.is_empty() {
                let failed = |error| End::Failed(SurveyError::Infer(Box::new(error)));
                let inference = inference.map_err(failed)?;
                for contradiction in &inference.contradictions {
                    (self.watch)(Event::Contradiction(contradiction));
                }
                self.hosts.retain(|host| !doubtful.contains(host));
                return Ok((inference, names));
            }
        }
    }

    /// Returns the hosts whose round trips hide the tree: those that contradict others, or all.
    fn doubtful(&self, inference: &Result<Inference, InferError<HostError>>) -> Vec<usize> {
        let number = |of: &Contradiction| self.names.iter().position(|name| *name == of.host);
        match inference {
            Ok(inference) => inference.contradictions.iter().filter_map(number).collect(),
            Err(InferError::Contradiction(of)) => number(of).into_iter().collect(),
            Err(InferError::Noise { .. }) => self.hosts.clone(),
            Err(_) => Vec::new(),
        }
    }

    /// Infers the tree of the hosts that are left, in the order of that number.
    fn infer(
        &mut self,
        names: &[String],
        order: u64,
    ) -> Result<Result<Inference, InferError<HostError>>, End> {
        let setting = Setting {
            seed: self.request.seed.wrapping_add(order),
            leave_out: true,
            ..Setting::default()
        };
        let watch = &mut *self.watch;
        let mut progress = |pairs| watch(Event::Pairs(pairs));
        let mut known = Known::new(self.probe, self.journal, &self.hosts, &mut progress);
        let inference = infer(names, &mut known, &setting, |_| {});
        let (failed, unwritten) = known.errors();
        failed.values().for_each(|error| self.lose(error));
        match unwritten {
            Some(error) => Err(End::Failed(error.into())),
            None => Ok(inference),
        }
    }

    /// Returns the number of rounds of pings that are asked for, or that there is room for.
    fn rounds(&mut self, measured: &Measured<'_>) -> Result<u32, End> {
        let hosts = measured.tree.hosts();
        let each = self.request.processors.each;
        let room = room(measured, &self.request.processors)?;
        let room = room.ok_or(SurveyError::Many { hosts, each })?;
        let asked = self.request.rounds.max(1);
        let rounds = asked.min(u32::try_from(room).unwrap_or(u32::MAX));
        if rounds < asked && !self.is_told {
            self.is_told = true;
            (self.watch)(Event::Fewer(rounds, asked));
        }
        Ok(rounds)
    }

    /// Samples the paths of all stars: round trips in microseconds, by star, path and round.
    fn samples(
        &mut self,
        stars: &[Star],
        numbers: &[usize],
        rounds: u32,
    ) -> Result<Vec<Vec<Vec<f64>>>, End> {
        let of_star = |star: &Star| {
            let others = star.others.iter().map(|&host| numbers[host as usize]);
            (
                numbers[star.middle as usize],
                others.collect::<Vec<usize>>(),
            )
        };
        let stars: Vec<(usize, Vec<usize>)> = stars.iter().map(of_star).collect();
        let count = |(from, to): &(usize, Vec<usize>)| self.journal.rounds(*from, to).len();
        let mut done: Vec<usize> = stars.iter().map(count).collect();
        let mut pace = Pace::new(self.request.every);
        for round in 0..rounds {
            (self.watch)(Event::Rounds(round, rounds));
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
            (self.watch)(Event::Late(late));
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
        let pings = self.again(|surveyor| {
            let pings = to.iter().copied().zip(surveyor.probe.round(*from, to));
            let whole: Result<Vec<(usize, u64)>, HostError> =
                pings.map(|(to, ping)| Ok((to, ping?))).collect();
            Ok(whole)
        })?;
        Ok(self.journal.add_round(*from, &pings)?)
    }

    /// Measures the bandwidths of all links.
    fn bandwidths(&mut self, tree: &Tree, numbers: &[usize]) -> Result<Bandwidths, End> {
        let mut streams = 0;
        bandwidth::measure(tree, |round| {
            let pair = |&(a, b): &(u32, u32)| (numbers[a as usize], numbers[b as usize]);
            let pairs: Vec<(usize, usize)> = round.iter().map(pair).collect();
            streams += self.again(|surveyor| surveyor.streams(&pairs))?;
            (self.watch)(Event::Streams(streams));
            let known = pairs.iter().filter_map(|&pair| self.bandwidth(pair));
            Ok(known.collect())
        })
    }

    /// Has streams flow between the pairs whose bandwidth is not known; how many.
    fn streams(&mut self, pairs: &[(usize, usize)]) -> Result<Result<usize, HostError>, End> {
        let is_new = |pair: &&(usize, usize)| self.bandwidth(**pair).is_none();
        let new: Vec<(usize, usize)> = pairs.iter().filter(is_new).copied().collect();
        let found = self.probe.streams(&new, self.request.stream);
        // What has come through is kept, whatever has failed.
        let mut failed = None;
        for (&pair, stream) in new.iter().zip(found) {
            match stream {
                Ok(stream) => self.journal.add_stream(pair, stream)?,
                Err(error) => failed = Some(error),
            }
        }
        Ok(failed.map_or(Ok(new.len()), Err))
    }

    /// Measures something, again after a pause where a host has failed.
    fn again<T>(
        &mut self,
        mut measure: impl FnMut(&mut Self) -> Result<Result<T, HostError>, End>,
    ) -> Result<T, End> {
        let mut left = TRIES;
        loop {
            left -= 1;
            match measure(self)? {
                Ok(found) => return Ok(found),
                Err(error) if left == 0 => return Err(End::Lost(Box::new(self.culprit(error)))),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    /// Returns the error of the host whose fault it is. Where one host alone has seen another fail,
    /// and a third reaches that one, it is its own.
    fn culprit(&mut self, error: HostError) -> HostError {
        let number = |name: &String| self.names.iter().position(|other| other == name);
        let Some(seen_by) = error.from.as_ref().and_then(number) else {
            return error;
        };
        let is_third = |host: &&usize| ![seen_by, error.number].contains(host);
        let Some(&third) = self.hosts.iter().find(is_third) else {
            return error;
        };
        let seen = self.probe.round(third, &[error.number, seen_by]);
        match &seen[..] {
            [Ok(_), Err(of_other)] => of_other.clone(),
            _ => error,
        }
    }

    /// Returns the bandwidth between two hosts, as it was given or measured.
    fn bandwidth(&self, (a, b): (usize, usize)) -> Option<f64> {
        let mut known = self.request.known.iter();
        let given = known.find(|(pair, _)| *pair == (a, b) || *pair == (b, a));
        let measured = || self.journal.stream((a, b)).map(|stream| stream.mbits());
        given.map(|&(_, bandwidth)| bandwidth).or_else(measured)
    }

    /// Returns the median of the times, in microseconds, in which connections were opened.
    fn setup(&self) -> Option<f64> {
        let mut setups: Vec<u64> = self.journal.streams().map(|stream| stream.setup).collect();
        setups.sort_unstable();
        let median = setups.get(setups.len() / 2);
        median.map(|&setup| setup as f64 / 1e3)
    }
}
