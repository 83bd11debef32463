//! Refinement: all measurements together decide latencies, and which switches are one and where
//! hosts and branches hang.

mod fit;
mod moves;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::moves::insert;
use super::{Measurement, tolerance::Pool};
use crate::topology::growing::Growing;

/// Steps of the refinement, each of which makes the tree better. Simulations of 256 hosts take up
/// to 20; times that fit no tree at all go on for long.
const STEPS: usize = 60;

/// Least gain of a step, in squared standard errors: less is within the noise of one measurement.
const LEAST_GAIN: f64 = 1.0;

/// Moves that are tried one by one in a round, those first that promise most.
const TRIALS: usize = 12;

/// One-way distance of two hosts as measured, in microseconds, and its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed {
    pub(super) a: u32,
    pub(super) b: u32,
    distance: f64,
    error: f64,
}

impl Observed {
    /// Returns whether the host is one of the two.
    pub(super) fn is_of(&self, host: u32) -> bool {
        self.a == host || self.b == host
    }
}

/// Standard errors of a link's latency that it must have to be told from none.
const SIGNIFICANT: f64 = 4.0;

/// Returns the cost of a residual in standard errors: its square, and from 5 on the square's
/// logarithm. One that is wrong decides nothing alone, and a move that makes many less wrong is
/// still seen.
fn cost(standard: f64) -> f64 {
    const KNEE: f64 = 25.0;
    let square = standard * standard;
    if square <= KNEE {
        square
    } else {
        KNEE * (1.0 + (square / KNEE).ln())
    }
}

/// Fits the tree to all measurements, and mends its shape where they say so significantly.
pub(super) fn refine(tree: &mut Growing, measurements: &[Measurement], pool: &Pool) {
    let observed = observe(tree, measurements, pool);
    fit::collapse(tree, &observed);
    // One measure of noise for all steps, or the smallest so far: else two trees may each seem
    // better by its own.
    let mut judge = Judge::new(tree, &observed);
    for _ in 0..STEPS {
        if !all_at_once(tree, &judge) && !one_by_one(tree, &judge) {
            break;
        }
        judge.scale = judge.scale.min(fit::scale(tree, &observed));
    }
}

/// Measurements between hosts of the tree, with standard errors.
pub(super) fn observe(tree: &Growing, measurements: &[Measurement], pool: &Pool) -> Vec<Observed> {
    let is_in = |host: u32| tree.neighbour(host).is_some();
    let inside = measurements
        .iter()
        .filter(|one| is_in(one.pair.0) && is_in(one.pair.1));
    inside
        .map(|one| {
            // Three draws of a normal distribution range over 1.7 standard deviations.
            let spread = pool.spread_near(one.round_trip).max(1000) as f64 / 1000.0;
            Observed {
                a: one.pair.0,
                b: one.pair.1,
                distance: one.round_trip.minimum as f64 / 2000.0,
                error: spread / 1.7 / 2.0,
            }
        })
        .collect()
}

/// Pairs of hosts to measure, so that of any two branches of a switch a pair is measured: the hosts
/// that are nearest to it.
pub(super) fn unmeasured(tree: &Growing, measurements: &[Measurement]) -> Vec<(u32, u32)> {
    let Some(root) = tree.present().next() else {
        return Vec::new();
    };
    let rooted = tree.rooted(root);
    // Of each measurement, every switch on its path with the next vertices on either side.
    let mut measured = BTreeSet::new();
    for one in measurements {
        let (a, b) = one.pair;
        if tree.neighbour(a).is_some() && tree.neighbour(b).is_some() {
            for way in rooted.vertices(a, b).windows(3) {
                let (x, y) = (way[0].min(way[2]), way[0].max(way[2]));
                measured.insert((way[1], x, y));
            }
        }
    }
    let mut pairs = BTreeSet::new();
    for switch in tree.switches() {
        let seen = tree.rooted(switch);
        let mut nearest: BTreeMap<u32, u32> = BTreeMap::new();
        for host in tree.present() {
            let branch = seen.to_root(host).take_while(|&v| v != switch).last();
            let entry = nearest.entry(branch.unwrap_or(host)).or_insert(host);
            if seen.distances[host as usize] < seen.distances[*entry as usize] {
                *entry = host;
            }
        }
        for (x, a) in &nearest {
            for (y, b) in nearest.range(x + 1..) {
                if !measured.contains(&(switch, *x, *y)) {
                    pairs.insert((*a.min(b), *a.max(b)));
                }
            }
        }
    }
    pairs.into_iter().collect()
}

/// Makes every move that promises something, one after the other; returns whether the tree has
/// become better.
fn all_at_once(tree: &mut Growing, judge: &Judge<'_>) -> bool {
    let mut trial = tree.clone();
    moves::sweep(&mut trial, judge.observed, judge.scale);
    accept(tree, trial, judge)
}

/// Makes the first of the most promising moves by which the tree becomes better; returns whether
/// there was one.
fn one_by_one(tree: &mut Growing, judge: &Judge<'_>) -> bool {
    let moves = moves::promising(tree, judge.observed, judge.scale);
    moves.iter().take(TRIALS).any(|one| {
        let mut trial = tree.clone();
        one.make(&mut trial);
        accept(tree, trial, judge)
    })
}

fn accept(tree: &mut Growing, mut trial: Growing, judge: &Judge<'_>) -> bool {
    fit::collapse(&mut trial, judge.observed);
    let is_better = judge.cost(&trial) + LEAST_GAIN < judge.cost(tree);
    if is_better {
        *tree = trial;
    }
    is_better
}

/// Compares trees by the same measure of noise.
pub(super) struct Judge<'a> {
    pub(super) observed: &'a [Observed],
    /// Standard deviation of the residuals, in standard errors.
    pub(super) scale: f64,
}

impl<'a> Judge<'a> {
    pub(super) fn new(tree: &Growing, observed: &'a [Observed]) -> Self {
        Self {
            observed,
            scale: fit::scale(tree, observed),
        }
    }

    /// Residuals of a tree, in standard deviations.
    pub(super) fn residuals(&self, tree: &Growing) -> Vec<f64> {
        let Some(root) = tree.present().next() else {
            return Vec::new();
        };
        let rooted = tree.rooted(root);
        let off = |one: &Observed| one.distance - rooted.between(one.a, one.b);
        let observed = self.observed.iter();
        observed
            .map(|one| off(one) / (one.error * self.scale))
            .collect()
    }

    /// Returns the cost of all residuals, and for each link between switches as much as it has to
    /// gain.
    pub(super) fn cost(&self, tree: &Growing) -> f64 {
        let residuals: f64 = self.residuals(tree).into_iter().map(cost).sum();
        let inner = tree.switches().count().saturating_sub(1);
        residuals + SIGNIFICANT * SIGNIFICANT * inner as f64
    }
}
