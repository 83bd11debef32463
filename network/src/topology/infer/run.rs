//! Inference under way: hosts that search at a time, and the tree that grows.

use std::{collections::VecDeque, rc::Rc};

use superstep_random::SplitMix64;

use super::{
    Contradiction, InferError, Inference, Measurement, Setting, doubt, refine,
    task::{Snapshot, Task},
    tolerance::Pool,
};
use crate::topology::{Finished, Probe, RoundTrip, TreeError, growing::Growing};

/// Rounds of fitting and of measuring what the fit leaves open. Simulations take one or two; the
/// bound is against noise without end.
const ROUNDS: usize = 4;

/// Inference under way.
pub(super) struct Run<'a, P> {
    names: &'a [String],
    probe: &'a mut P,
    setting: &'a Setting,
    /// Hosts whose search has not begun, in order.
    waiting: VecDeque<u32>,
    /// Hosts whose search has begun, in order.
    tasks: VecDeque<Task>,
    /// The newest tree; none before the first pair is measured.
    newest: Option<Snapshot>,
    /// Set for hosts that take part in a measurement.
    busy: Vec<bool>,
    repeats: u32,
    measurements: Vec<Measurement>,
    repetitions: usize,
    left_out: Vec<usize>,
    contradictions: Vec<Contradiction>,
}

impl<'a, P: Probe> Run<'a, P> {
    pub(super) fn new(names: &'a [String], probe: &'a mut P, setting: &'a Setting) -> Self {
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        if !probe.is_sparse() {
            SplitMix64::new(setting.seed).shuffle(&mut order);
        }
        Self {
            repeats: setting.repeats * u32::from(probe.can_repeat()),
            names,
            probe,
            setting,
            waiting: order.into(),
            tasks: VecDeque::new(),
            newest: None,
            busy: vec![false; names.len()],
            measurements: Vec::new(),
            repetitions: 0,
            left_out: Vec::new(),
            contradictions: Vec::new(),
        }
    }

    /// Returns the number of hosts whose place is known.
    pub(super) fn placed(&self) -> usize {
        self.names.len() - self.waiting.len() - self.tasks.len()
    }

    /// Makes the tree of the first two hosts that answer each other.
    pub(super) fn first_pair(&mut self) -> Result<(), InferError<P::Error>> {
        while self.waiting.len() >= 2 {
            let (a, b) = (self.waiting[0], self.waiting[1]);
            self.probe.begin(a as usize, b as usize);
            let Finished { result, .. } = self.probe.finish();
            match result {
                // The first pair of a list has a time.
                Err(error) if self.probe.is_sparse() => return Err(self.unmeasured(a, b, error)),
                Ok(round_trip) => {
                    self.waiting.drain(..2);
                    let mut tree = Growing::new(self.names.len());
                    tree.join(a, b, round_trip.minimum as f64 / 2000.0);
                    let mut pool = Pool::default();
                    pool.add([round_trip]);
                    let pair = (a, b);
                    self.measurements.push(Measurement { pair, round_trip });
                    let tree = Rc::new(tree);
                    self.newest = Some(Snapshot { tree, pool });
                    return Ok(());
                }
                Err(error) => {
                    let failed = self.failed(a, b, error)?;
                    self.waiting.retain(|&host| host != failed);
                }
            }
        }
        Err(InferError::Few(self.waiting.len()))
    }

    /// Returns the host that failed, if inference goes on without it.
    fn failed(&mut self, a: u32, b: u32, source: P::Error) -> Result<u32, InferError<P::Error>> {
        let failed = self.probe.failed_host(&source);
        match failed.filter(|_| self.setting.leave_out) {
            Some(host) if [a as usize, b as usize].contains(&host) => {
                if !self.left_out.contains(&host) {
                    self.left_out.push(host);
                }
                Ok(host as u32)
            }
            _ => Err(self.unmeasured(a, b, source)),
        }
    }

    fn unmeasured(&self, a: u32, b: u32, source: P::Error) -> InferError<P::Error> {
        let [a, b] = [a, b].map(|host| self.names[host as usize].clone());
        InferError::Probe { a, b, source }
    }

    /// Starts hosts, as many as search at a time: in the newest tree, which lacks those before that
    /// search still.
    pub(super) fn start(&mut self) {
        // A host may have times with the one before it alone.
        let most = match self.probe.is_sparse() {
            true => 1,
            false => self.setting.lag.max(1),
        };
        while self.tasks.len() < most
            && let Some(newest) = &self.newest
            && let Some(host) = self.waiting.pop_front()
        {
            let is_newest = self.tasks.is_empty();
            let mut task = Task::new(host, newest.clone(), is_newest, self.setting);
            for &host in &self.left_out {
                task.forget(host as u32);
            }
            self.tasks.push_back(task);
        }
    }

    /// Brings the first host into the newest tree, or hangs it there if its place is known; returns
    /// whether there was such a step.
    pub(super) fn grow(&mut self) -> bool {
        let (Some(mut task), Some(newest)) = (self.tasks.pop_front(), self.newest.take()) else {
            return false;
        };
        task.advance(self.setting);
        if task.is_waiting() {
            task.go_on(newest.clone(), self.setting);
            self.tasks.push_front(task);
            self.newest = Some(newest);
            return true;
        }
        let Some(place) = task.done() else {
            self.tasks.push_front(task);
            self.newest = Some(newest);
            return false;
        };
        let Snapshot { mut tree, mut pool } = newest;
        match place {
            Some((at, latency)) => {
                Rc::make_mut(&mut tree).hang(task.host, at, latency);
                pool.add(task.known.values().copied());
                let pairs = task.known.iter().map(|(&other, &round_trip)| Measurement {
                    pair: (task.host, other),
                    round_trip,
                });
                self.measurements.extend(pairs);
                self.repetitions += task.repetitions();
            }
            None => self.left_out.push(task.host as usize),
        }
        self.newest = Some(Snapshot { tree, pool });
        true
    }

    /// Begins what the tasks want to measure, earlier hosts first, as far as the hosts are free.
    pub(super) fn begin(&mut self) {
        for at in 0..self.tasks.len() {
            let task = &mut self.tasks[at];
            let host = task.host;
            if !self.busy[host as usize]
                && let Some(other) = task.advance(self.setting)
            {
                self.try_begin(host, other);
            }
        }
    }

    /// Begins to measure a pair if both hosts are free; returns whether they are.
    fn try_begin(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        let is_free = !self.busy[a] && !self.busy[b];
        if is_free {
            (self.busy[a], self.busy[b]) = (true, true);
            self.probe.begin(a, b);
        }
        is_free
    }

    /// Waits for a measurement, whose hosts are free then.
    fn wait(&mut self) -> ((u32, u32), Result<RoundTrip, P::Error>) {
        let Finished { pair, result } = self.probe.finish();
        (self.busy[pair.0], self.busy[pair.1]) = (false, false);
        ((pair.0 as u32, pair.1 as u32), result)
    }

    /// Waits for a measurement and hands it to its task.
    pub(super) fn finish(&mut self) -> Result<(), InferError<P::Error>> {
        let ((host, other), result) = self.wait();
        let of_host = self.tasks.iter_mut().find(|task| task.host == host);
        match result {
            Ok(round_trip) => {
                if let Some(task) = of_host {
                    task.tell(other, round_trip, self.repeats);
                }
            }
            Err(_) if self.probe.is_sparse() => {
                if let Some(task) = of_host {
                    task.forget(other);
                }
            }
            Err(error) => {
                let failed = self.failed(host, other, error)?;
                self.tasks.retain(|task| task.host != failed);
                self.waiting.retain(|&host| host != failed);
                self.tasks.iter_mut().for_each(|task| task.forget(failed));
            }
        }
        Ok(())
    }

    /// Returns whether all hosts have been added or left out.
    pub(super) fn is_done(&self) -> bool {
        self.tasks.is_empty() && self.waiting.is_empty()
    }

    /// Fits the tree to all measurements, and refuses what contradicts them or is noise.
    pub(super) fn refine(&mut self) -> Result<(), InferError<P::Error>> {
        self.mend()?;
        if let Some(Snapshot { tree, pool }) = &self.newest {
            let pairs = doubt::unsure(tree, &self.measurements, pool);
            if !pairs.is_empty() {
                self.measure(pairs)?;
                self.mend()?;
            }
        }
        loop {
            let Some(Snapshot { tree, pool }) = &mut self.newest else {
                return Ok(());
            };
            if let Some(noise) = doubt::noise(tree, &self.measurements, self.names) {
                return Err(noise);
            }
            let liar = doubt::liar(tree, &self.measurements, pool, self.names);
            let Some((host, contradiction)) = liar else {
                return Ok(());
            };
            if !self.setting.leave_out {
                return Err(contradiction.into());
            }
            self.contradictions.push(contradiction);
            Rc::make_mut(tree).remove(host);
            self.left_out.push(host as usize);
            self.mend()?;
        }
    }

    /// Mends the tree as far as all measurements lead.
    fn mend(&mut self) -> Result<(), InferError<P::Error>> {
        self.fit()?;
        for _ in 0..ROUNDS {
            let Some(Snapshot { tree, pool }) = &mut self.newest else {
                break;
            };
            if !doubt::reinsert(Rc::make_mut(tree), &self.measurements, pool) {
                break;
            }
            self.fit()?;
        }
        Ok(())
    }

    /// Fits the tree to all measurements.
    ///
    /// Branches of a switch of which no pair was measured may share a link beyond it, as it happens
    /// where early measurements were noisy. Such pairs are measured, and the tree is fitted again.
    fn fit(&mut self) -> Result<(), InferError<P::Error>> {
        for _ in 0..ROUNDS {
            let Some(Snapshot { tree, pool }) = &mut self.newest else {
                return Ok(());
            };
            let tree = Rc::make_mut(tree);
            refine::refine(tree, &self.measurements, pool);
            let pairs = refine::unmeasured(tree, &self.measurements);
            if pairs.is_empty() {
                break;
            }
            self.measure(pairs)?;
        }
        Ok(())
    }

    /// Measures pairs, as many at a time as have no host in common.
    fn measure(&mut self, mut pairs: Vec<(u32, u32)>) -> Result<(), InferError<P::Error>> {
        let mut going_on = 0;
        while !pairs.is_empty() || going_on > 0 {
            let left = pairs.len();
            pairs.retain(|&(a, b)| !self.try_begin(a, b));
            going_on += left - pairs.len();
            let (pair, result) = self.wait();
            going_on -= 1;
            match result {
                Ok(round_trip) => self.measurements.push(Measurement { pair, round_trip }),
                Err(_) if self.probe.is_sparse() => {}
                Err(error) => {
                    let failed = self.failed(pair.0, pair.1, error)?;
                    pairs.retain(|&(a, b)| a != failed && b != failed);
                    if let Some(newest) = &mut self.newest {
                        Rc::make_mut(&mut newest.tree).remove(failed);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the tree of the hosts that have answered to the end.
    pub(super) fn end(mut self) -> Result<Inference, InferError<P::Error>> {
        let Some(newest) = self.newest.take() else {
            return Err(InferError::Few(0));
        };
        let mut tree = Rc::unwrap_or_clone(newest.tree);
        for &host in &self.left_out {
            tree.remove(host as u32);
        }
        tree.round();
        self.left_out.sort_unstable();
        self.left_out.dedup();
        let tree = match tree.finish(self.names) {
            Err(TreeError::Hosts(count)) => return Err(InferError::Few(count)),
            tree => tree?,
        };
        Ok(Inference {
            tree,
            wide: doubt::wide(&self.measurements),
            measurements: self.measurements,
            repetitions: self.repetitions,
            left_out: self.left_out,
            contradictions: self.contradictions,
        })
    }
}
