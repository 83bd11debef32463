//! Inference of the tree: hosts are added one after the other, each by measurements to few others.

mod add;
mod closest;
mod refine;
mod task;
mod tolerance;

use std::{collections::VecDeque, rc::Rc};

use self::{
    task::{Snapshot, Task},
    tolerance::Pool,
};
use super::{Finished, Probe, RoundTrip, Tree, TreeError, growing::Growing, random::Random};

/// How hosts are left out of the search for the closest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// By the thesis's rule: a host K is left out if it is more than three times as far from a measured one as the new host is, or less
    /// than a third as far. In rare cases the closest host is lost, by a factor of at most 3.
    Ratio,
    /// By the triangle's inequality, which never loses the closest host.
    Triangle,
}

/// Rule by which a switch on a path is taken for the one that was measured, and no new one is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// So many times the median spread of measurements of similar length. The spread of a single pair is often 0 by luck, and splits a
    /// switch in two.
    Pooled {
        /// At 1.25 to 2.5 simulated clusters with links of 4 us are recovered, and at 3.5 they merge; of 20 host orders of a cluster of
        /// network namespaces 12 are recovered at 1.25, and all at 2.5 and 4.
        factor: f64,
    },
    /// The larger spread of both measurements, as in the thesis's section 4.2.
    Spread,
}

/// How a tree is inferred.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Decides the order in which hosts are added, and whom they ask first.
    pub seed: u64,
    /// Number of hosts that search at a time, each in a tree that lacks so many of those before it; at least 1.
    pub lag: usize,
    /// When two points of a path are one switch.
    pub tolerance: Tolerance,
    /// Who is left out of the search for the closest host.
    pub pruning: Pruning,
    /// One host of a switch stands for all in that search: a third of the measurements inside a cluster in place of four fifths.
    pub siblings: bool,
    /// Most repetitions of a pair whose spread is five times that of others of its length.
    pub repeats: u32,
    /// Fit the finished tree to all measurements, and mend it where they say so.
    pub refine: bool,
    /// Go on without hosts that do not answer, in place of ending with an error.
    pub leave_out: bool,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            seed: 1,
            lag: 10,
            tolerance: Tolerance::Pooled { factor: 2.5 },
            pruning: Pruning::Ratio,
            siblings: true,
            repeats: 2,
            refine: true,
            leave_out: false,
        }
    }
}

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
    while !(run.tasks.is_empty() && run.waiting.is_empty()) {
        run.start();
        if run.grow() {
            progress(run.placed());
            continue;
        }
        run.begin();
        run.finish()?;
    }
    run.end()
}

/// Inference under way.
struct Run<'a, P> {
    names: &'a [String],
    probe: &'a mut P,
    setting: &'a Setting,
    /// Hosts whose search has not begun, in order.
    waiting: VecDeque<u32>,
    /// Hosts whose search has begun, in order.
    tasks: VecDeque<Task>,
    /// The newest tree; none before the first pair is measured.
    newest: Option<Snapshot>,
    /// Whether a host takes part in a measurement.
    busy: Vec<bool>,
    repeats: u32,
    measurements: Vec<Measurement>,
    repetitions: usize,
    left_out: Vec<usize>,
}

impl<'a, P: Probe> Run<'a, P> {
    fn new(names: &'a [String], probe: &'a mut P, setting: &'a Setting) -> Self {
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        Random::new(setting.seed).shuffle(&mut order);
        let repeats = if probe.can_repeat() {
            setting.repeats
        } else {
            0
        };
        Self {
            names,
            probe,
            setting,
            waiting: order.into(),
            tasks: VecDeque::new(),
            newest: None,
            busy: vec![false; names.len()],
            repeats,
            measurements: Vec::new(),
            repetitions: 0,
            left_out: Vec::new(),
        }
    }

    /// Number of hosts whose place is known.
    fn placed(&self) -> usize {
        self.names.len() - self.waiting.len() - self.tasks.len()
    }

    /// Makes the tree of the first two hosts that answer each other.
    fn first_pair(&mut self) -> Result<(), InferError<P::Error>> {
        while self.waiting.len() >= 2 {
            let (a, b) = (self.waiting[0], self.waiting[1]);
            self.probe.begin(a as usize, b as usize);
            let Finished { result, .. } = self.probe.finish();
            match result {
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

    /// The host that failed, if inference goes on without it.
    fn failed(&mut self, a: u32, b: u32, source: P::Error) -> Result<u32, InferError<P::Error>> {
        let failed = self.probe.failed_host(&source);
        match failed.filter(|_| self.setting.leave_out) {
            Some(host) if [a as usize, b as usize].contains(&host) => {
                if !self.left_out.contains(&host) {
                    self.left_out.push(host);
                }
                Ok(host as u32)
            }
            _ => Err(InferError::Probe {
                a: self.names[a as usize].clone(),
                b: self.names[b as usize].clone(),
                source,
            }),
        }
    }

    /// Starts hosts, as many as search at a time: in the newest tree, which lacks those before that search still.
    fn start(&mut self) {
        while self.tasks.len() < self.setting.lag.max(1)
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

    /// Brings the first host into the newest tree, or hangs it there if its place is known; returns whether there was such a step.
    fn grow(&mut self) -> bool {
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
    fn begin(&mut self) {
        for task in &mut self.tasks {
            if self.busy[task.host as usize] {
                continue;
            }
            if let Some(other) = task.advance(self.setting)
                && !self.busy[other as usize]
            {
                self.busy[task.host as usize] = true;
                self.busy[other as usize] = true;
                self.probe.begin(task.host as usize, other as usize);
            }
        }
    }

    /// Waits for a measurement and hands it to its task.
    fn finish(&mut self) -> Result<(), InferError<P::Error>> {
        let Finished { pair, result } = self.probe.finish();
        let (host, other) = (pair.0 as u32, pair.1 as u32);
        self.busy[pair.0] = false;
        self.busy[pair.1] = false;
        match result {
            Ok(round_trip) => {
                let mut tasks = self.tasks.iter_mut();
                if let Some(task) = tasks.find(|task| task.host == host) {
                    task.tell(other, round_trip, self.repeats);
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

    fn end(mut self) -> Result<Inference, InferError<P::Error>> {
        let Some(newest) = self.newest.take() else {
            return Err(InferError::Few(0));
        };
        let mut tree = Rc::unwrap_or_clone(newest.tree);
        for &host in &self.left_out {
            tree.remove(host as u32);
        }
        self.left_out.sort_unstable();
        if self.setting.refine {
            refine::refine(&mut tree, &self.measurements, &newest.pool);
        }
        let tree = match tree.finish(self.names) {
            Err(TreeError::Hosts(count)) => return Err(InferError::Few(count)),
            tree => tree?,
        };
        Ok(Inference {
            tree,
            measurements: self.measurements,
            repetitions: self.repetitions,
            left_out: self.left_out,
        })
    }
}
