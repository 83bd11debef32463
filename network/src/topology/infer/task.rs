//! The road of one host into the tree: it searches in an old tree while others are added, and is
//! added to the newest.

use std::{collections::BTreeMap, rc::Rc};

use superstep_random::SplitMix64;

use super::{Setting, add::Adding, closest::Closest, tolerance::Pool};
use crate::topology::{
    RoundTrip,
    growing::{Growing, Location},
};

/// A tree that is done, and the measurements that it was made of.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) tree: Rc<Growing>,
    pub(super) pool: Pool,
}

/// A host on its way into the tree.
pub(super) struct Task {
    pub(super) host: u32,
    snapshot: Snapshot,
    /// Round trips of this host, by the other one.
    pub(super) known: BTreeMap<u32, RoundTrip>,
    /// All measurements, with the number of repetitions where a spread stood out.
    tried: BTreeMap<u32, (RoundTrip, u32)>,
    dead: Vec<u32>,
    phase: Phase,
    is_newest: bool,
    seed: u64,
}

enum Phase {
    Search(Closest),
    Add(Adding),
    /// Waits for the newest tree.
    Waiting,
    Done(Location, f64),
    /// Nobody in the tree answers.
    Lost,
}

impl Task {
    /// Starts in an old tree, which may be the newest.
    pub(super) fn new(host: u32, snapshot: Snapshot, is_newest: bool, setting: &Setting) -> Self {
        let mut task = Self {
            host,
            snapshot,
            known: BTreeMap::new(),
            tried: BTreeMap::new(),
            dead: Vec::new(),
            phase: Phase::Waiting,
            is_newest,
            seed: setting.seed ^ (u64::from(host) << 32),
        };
        task.search(setting);
        task
    }

    fn search(&mut self, setting: &Setting) {
        let tree = Rc::clone(&self.snapshot.tree);
        let mut order: Vec<u32> = tree.present().collect();
        order.retain(|host| !self.dead.contains(host));
        SplitMix64::new(self.seed).shuffle(&mut order);
        // Where measurements are known, they narrow the search before others are made: nearest
        // first.
        let length = |host: &u32| self.known.get(host).map_or(u64::MAX, |known| known.minimum);
        order.sort_by_key(length);
        self.phase = Phase::Search(Closest::new(tree, order, setting.pruning, setting.siblings));
    }

    /// Goes over to the newest tree, in which the measurements so far are of use.
    pub(super) fn go_on(&mut self, newest: Snapshot, setting: &Setting) {
        self.snapshot = newest;
        self.is_newest = true;
        self.search(setting);
    }

    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Waiting)
    }

    /// Returns where the host hangs, once that is known; `Some(None)`: nobody answered.
    pub(super) fn done(&self) -> Option<Option<(Location, f64)>> {
        match self.phase {
            Phase::Done(at, latency) => Some(Some((at, latency))),
            Phase::Lost => Some(None),
            _ => None,
        }
    }

    /// Goes as far as known measurements lead; the host to measure next, unless the task is done or
    /// waits.
    pub(super) fn advance(&mut self, setting: &Setting) -> Option<u32> {
        loop {
            match &mut self.phase {
                Phase::Search(search) => match search.next() {
                    Some(host) => match self.known.get(&host) {
                        Some(&known) => search.tell(host, micros(known)),
                        None => return Some(host),
                    },
                    None => {
                        self.phase = match search.found() {
                            Some((near, distance)) => {
                                let tree = Rc::clone(&self.snapshot.tree);
                                let mut adding = Adding::new(tree, near, distance);
                                self.dead.iter().for_each(|&host| adding.forget(host));
                                Phase::Add(adding)
                            }
                            None if self.is_newest => Phase::Lost,
                            None => Phase::Waiting,
                        }
                    }
                },
                Phase::Add(adding) => match adding.next() {
                    Some(host) => match self.known.get(&host) {
                        Some(&known) => {
                            let near = self.known[&adding.near()];
                            let pool = &self.snapshot.pool;
                            let tolerance = pool.tolerance(setting.tolerance, near, known);
                            adding.tell(host, micros(known), tolerance);
                        }
                        None => return Some(host),
                    },
                    None if self.is_newest => {
                        let (at, latency) = adding.found();
                        self.phase = Phase::Done(at, latency);
                    }
                    None => self.phase = Phase::Waiting,
                },
                Phase::Waiting | Phase::Done(..) | Phase::Lost => return None,
            }
        }
    }

    /// Takes in a measurement. If its spread stands out the pair stays unknown, so that it is
    /// measured again.
    pub(super) fn tell(&mut self, host: u32, round_trip: RoundTrip, repeats: u32) {
        let (best, times) = match self.tried.get(&host) {
            Some(&(before, times)) => (
                RoundTrip {
                    minimum: before.minimum.min(round_trip.minimum),
                    spread: before.spread.min(round_trip.spread),
                },
                times + 1,
            ),
            None => (round_trip, 0),
        };
        self.tried.insert(host, (best, times));
        if times >= repeats || !self.snapshot.pool.stands_out(best) {
            self.known.insert(host, best);
        }
    }

    /// Returns the number of measurements that were made again.
    pub(super) fn repetitions(&self) -> usize {
        self.tried.values().map(|&(_, times)| times as usize).sum()
    }

    /// Leaves out a host that does not answer.
    pub(super) fn forget(&mut self, host: u32) {
        self.dead.push(host);
        match &mut self.phase {
            Phase::Search(search) => search.forget(host),
            Phase::Add(adding) => adding.forget(host),
            Phase::Waiting | Phase::Done(..) | Phase::Lost => {}
        }
    }
}

/// Returns the one-way time in microseconds.
fn micros(round_trip: RoundTrip) -> f64 {
    round_trip.minimum as f64 / 2000.0
}
