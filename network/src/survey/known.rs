//! Probe that measures what is not in the journal.

use std::collections::{BTreeMap, HashMap, VecDeque};

use superstep_files::FileError;

use super::Journal;
use crate::topology::{
    Finished, Probe, RoundTrip,
    tcp::{HostError, TcpProbe},
};

/// Probe of some of the hosts: pairs are taken from the journal, or measured and written to it.
pub(super) struct Known<'a> {
    probe: &'a mut TcpProbe,
    journal: &'a mut Journal,
    /// Hosts, by their numbers in the list.
    hosts: &'a [usize],
    /// Number of times of each pair that were taken from the journal.
    taken: HashMap<(usize, usize), usize>,
    /// Pairs that are in the journal.
    ready: VecDeque<((usize, usize), RoundTrip)>,
    /// Called with the number of pairs that are known, whenever it grows.
    progress: &'a mut dyn FnMut(usize),
    pairs: usize,
    /// First error of each host that has failed.
    failed: BTreeMap<usize, HostError>,
    /// First error of the journal.
    unwritten: Option<FileError>,
}

impl<'a> Known<'a> {
    pub(super) fn new(
        probe: &'a mut TcpProbe,
        journal: &'a mut Journal,
        hosts: &'a [usize],
        progress: &'a mut dyn FnMut(usize),
    ) -> Self {
        Self {
            probe,
            journal,
            hosts,
            taken: HashMap::new(),
            ready: VecDeque::new(),
            progress,
            pairs: 0,
            failed: BTreeMap::new(),
            unwritten: None,
        }
    }

    /// Returns why hosts have failed, and why the journal was not written.
    pub(super) fn errors(self) -> (BTreeMap<usize, HostError>, Option<FileError>) {
        (self.failed, self.unwritten)
    }

    fn place(&self, host: usize) -> Option<usize> {
        self.hosts.iter().position(|&other| other == host)
    }
}

impl Probe for Known<'_> {
    type Error = HostError;

    fn begin(&mut self, a: usize, b: usize) {
        let pair = (self.hosts[a], self.hosts[b]);
        let taken = self.taken.entry(pair).or_default();
        match self.journal.pair(pair).get(*taken) {
            Some(&round_trip) => {
                *taken += 1;
                self.ready.push_back(((a, b), round_trip));
            }
            None => self.probe.begin(pair.0, pair.1),
        }
    }

    fn finish(&mut self) -> Finished<HostError> {
        self.pairs += 1;
        (self.progress)(self.pairs);
        if let Some((pair, round_trip)) = self.ready.pop_front() {
            let result = Ok(round_trip);
            return Finished { pair, result };
        }
        let Finished { pair, result } = self.probe.finish();
        match &result {
            Ok(round_trip) => {
                // It is no news when it is asked for again.
                *self.taken.entry(pair).or_default() += 1;
                let written = self.journal.add_pair(pair, *round_trip);
                if let Err(error) = written {
                    self.unwritten.get_or_insert(error);
                }
            }
            Err(error) => {
                let known = self.failed.entry(error.number);
                known.or_insert_with(|| error.clone());
            }
        }
        let place = |host| self.place(host).unwrap_or_default();
        let pair = (place(pair.0), place(pair.1));
        Finished { pair, result }
    }

    fn failed_host(&self, error: &HostError) -> Option<usize> {
        self.place(error.number)
    }
}
