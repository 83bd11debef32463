//! Rounds: chunks that grow so that the master is never idle and no worker waits (UMR, PTUMR).
//!
//! Workers are served in groups. In a round each computes equally long, and a round is sent while
//! the one before is computed. Yang and Casanova's UMR has groups of one worker, PTUMR of several,
//! which are sent to at once. With workers of different speeds a chunk is measured by its seconds
//! of computing, *x* below, and the formulas stay.

use std::ops::Range;

use crate::Platform;

/// A group of workers, which are sent to at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Positions of its workers in the order of sending.
    pub members: Range<usize>,
    /// Units of work that all its workers do in a second.
    pub(crate) rate: f64,
    /// Seconds of sending for each second of computing.
    pub(crate) send: f64,
}

/// Workers in groups, and the closed forms of rounds over them (section 2 of the PTUMR paper, as
/// repaired).
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    groups: Vec<Group>,
    order: Vec<usize>,
    pub(crate) rate: f64,
    pub(crate) setup: f64,
    pub(crate) latency: f64,
    pub(crate) overhead: f64,
    beta: f64,
    increment: f64,
}

/// Largest logarithm of a growth of chunks: beyond it the first chunk is no number any more.
const STEEPEST: f64 = 600.0;

/// Largest |beta - 1| at which the slope is that of beta = 1: quotients of differences lose more
/// digits than this.
const FLAT: f64 = 1e-8;

/// Largest M|beta - 1| at which series are summed, in place of differences that cancel.
///
/// The terms fall by this factor at least, and 15 of them are exact to the last digit.
const NEAR_ONE: f64 = 0.1;

impl Groups {
    /// Divides the fastest `workers` of a platform into groups of `size`; the last one may be
    /// smaller.
    ///
    /// Both numbers are brought into their ranges, 1 to the platform's workers and 1 to `workers`.
    pub fn new(platform: &Platform, workers: usize, size: usize) -> Self {
        let workers = workers.clamp(1, platform.workers);
        let size = size.clamp(1, workers);
        let mut order: Vec<usize> = (0..platform.workers).collect();
        if !platform.weights.is_empty() {
            order.sort_by(|&a, &b| platform.weight(b).total_cmp(&platform.weight(a)));
        }
        order.truncate(workers);
        let group = |first: usize| {
            let members = first..(first + size).min(workers);
            let bandwidth = platform.shared_bandwidth(members.len());
            let speeds = order[members.clone()].iter();
            let fastest = platform.speed_of(order[first]);
            Group {
                rate: speeds.map(|&worker| platform.speed_of(worker)).sum(),
                send: fastest / bandwidth,
                members,
            }
        };
        let groups: Vec<Group> = (0..workers).step_by(size).map(group).collect();
        let sending: f64 = groups.iter().map(|group| group.send).sum();
        let waiting = groups.len() as f64 * platform.setup;
        Self {
            rate: groups.iter().map(|group| group.rate).sum(),
            setup: platform.setup,
            latency: platform.latency,
            overhead: platform.overhead,
            beta: 1.0 / sending,
            increment: (platform.overhead - waiting) / sending,
            groups,
            order,
        }
    }

    /// Returns the groups in the order of sending.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the workers in the order of sending.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns by which factor chunks grow from round to round, beside
    /// [`increment`](Self::increment) (equation (6)).
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Returns by how many seconds of computing chunks grow from round to round, beside
    /// [`beta`](Self::beta).
    pub fn increment(&self) -> f64 {
        self.increment
    }

    /// Returns the chunk, in seconds of computing, that every round would repeat; none if beta is
    /// 1.
    pub fn alpha(&self) -> Option<f64> {
        (self.beta != 1.0).then(|| self.increment / (1.0 - self.beta))
    }

    /// Returns the sum of beta^j over the rounds j < M.
    fn powers(&self, rounds: f64) -> f64 {
        let above = self.beta - 1.0;
        if (rounds * above).abs() < NEAR_ONE {
            return binomials(rounds, above, 1);
        }
        (rounds * self.beta.ln()).exp_m1() / above
    }

    /// Returns the sum of the increments up to round M, in increments.
    fn increments(&self, rounds: f64) -> f64 {
        let above = self.beta - 1.0;
        if (rounds * above).abs() < NEAR_ONE {
            return binomials(rounds, above, 2);
        }
        (self.powers(rounds) - rounds) / above
    }

    /// Returns the first chunk, in seconds of computing, with M rounds (equation (7)); M may lie
    /// between two integers.
    pub fn first(&self, work: f64, rounds: f64) -> f64 {
        if rounds == 1.0 {
            return work / self.rate;
        }
        (work / self.rate - self.increment * self.increments(rounds)) / self.powers(rounds)
    }

    /// Returns by how much the makespan grows with a first chunk of one second, and with the set-up
    /// of a send.
    fn mean_start(&self) -> (f64, f64) {
        let mut sent = 0.0;
        let (mut gamma, mut delta) = (0.0, 0.0);
        for (at, group) in self.groups.iter().enumerate() {
            sent += group.send;
            gamma += group.rate * sent;
            delta += group.rate * (at + 1) as f64;
        }
        (gamma / self.rate, delta / self.rate)
    }

    /// Returns the makespan if no worker ever waits, in seconds (equation (8)).
    ///
    /// It is exact where [`no_idle`](Self::no_idle) holds, but for one round, which cannot reach
    /// it.
    pub fn objective(&self, work: f64, rounds: f64) -> f64 {
        let (gamma, delta) = self.mean_start();
        work / self.rate
            + rounds * self.overhead
            + gamma * self.first(work, rounds)
            + delta * self.setup
            + self.latency
    }

    /// Returns the chunks of M rounds, in seconds of computing; none if one of them would be
    /// negative.
    pub fn chunks(&self, work: f64, rounds: usize) -> Option<Vec<f64>> {
        let whole = work / self.rate;
        if rounds == 1 {
            return Some(vec![whole]);
        }
        let m = rounds as f64;
        if rounds == 0 || m * self.beta.ln() > STEEPEST {
            return None;
        }
        let mut chunks = Vec::with_capacity(rounds);
        match self.alpha() {
            Some(alpha) if (m * (self.beta - 1.0)).abs() >= NEAR_ONE => {
                // From the first chunk on, rounding would grow as the chunks do.
                let excess = (whole - m * alpha) / self.powers(m);
                let power = |round: usize| self.beta.powi(round as i32);
                chunks.extend((0..rounds - 1).map(|round| alpha + excess * power(round)));
            }
            _ => {
                let first = self.first(work, m);
                let next = |chunk: &f64| Some(self.beta * chunk + self.increment);
                chunks.extend(std::iter::successors(Some(first), next).take(rounds - 1));
            }
        }
        chunks.push(whole - chunks.iter().sum::<f64>());
        chunks.iter().all(|chunk| *chunk >= 0.0).then_some(chunks)
    }

    /// Returns whether no worker of several groups waits for a round of these chunks, before the
    /// last round is levelled.
    ///
    /// A single group never waits.
    pub fn no_idle(chunks: &[f64]) -> bool {
        chunks.len() < 2 || chunks[1] >= chunks[0]
    }

    /// Returns up to how many rounds no worker waits and the first chunk is positive, as a real
    /// number.
    pub fn most_rounds(&self, work: f64) -> f64 {
        let whole = work / self.rate;
        let alpha = self.alpha();
        if self.beta < 1.0 && alpha.is_none_or(|alpha| whole > alpha) {
            return 1.0;
        }
        let holds = |rounds: f64| {
            let grows = match alpha {
                Some(alpha) if self.beta > 1.0 => whole >= rounds * alpha,
                Some(alpha) => whole <= rounds * alpha,
                None => self.increment >= 0.0,
            };
            let steep = rounds * self.beta.ln() > STEEPEST;
            grows && !steep && self.first(work, rounds) >= 0.0
        };
        if !holds(1.0) {
            return 1.0;
        }
        let mut low = 1.0;
        let mut high = 2.0;
        while holds(high) {
            (low, high) = (high, 2.0 * high);
        }
        bisect(low, high, holds)
    }

    /// Returns by how much the makespan grows with one round more, in seconds.
    fn slope(&self, work: f64, rounds: f64) -> f64 {
        let whole = work / self.rate;
        let above = self.beta - 1.0;
        let power = self.beta.powf(rounds) * self.beta.ln();
        let first = match self.alpha() {
            // Beside alpha the excess of the first chunk alone, so that a slope near zero keeps its
            // sign.
            Some(alpha) if (rounds * above).abs() >= NEAR_ONE => {
                let excess = (whole - rounds * alpha) / self.powers(rounds);
                -(alpha + excess * power / above) / self.powers(rounds)
            }
            _ if above.abs() < FLAT => -whole / (rounds * rounds) - self.increment / 2.0,
            _ => {
                let powers = power / above;
                let increments = (powers - 1.0) / above;
                let grows = self.increment * increments + self.first(work, rounds) * powers;
                -grows / self.powers(rounds)
            }
        };
        self.overhead + self.mean_start().0 * first
    }

    /// Returns the number of rounds at which [`objective`](Self::objective) is least while no
    /// worker waits, as a real number.
    ///
    /// The makespan is convex in it where chunks grow, so that its slope is bisected.
    pub fn best_rounds(&self, work: f64) -> f64 {
        let most = self.most_rounds(work);
        let falls = |rounds: f64| self.slope(work, rounds) < 0.0;
        if most <= 1.0 || !falls(1.0) {
            return 1.0;
        }
        if falls(most) {
            return most;
        }
        bisect(1.0, most, falls)
    }
}

/// Returns the largest number that satisfies a condition, which holds at `low`, not at `high`, and
/// changes once.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while high - low > 4.0 * f64::EPSILON * high {
        let middle = low + (high - low) / 2.0;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the sum over k of the binomial coefficient (M, k + `from`) times x^k.
fn binomials(rounds: f64, x: f64, from: i32) -> f64 {
    let mut term = 1.0;
    for k in 0..from {
        term *= (rounds - f64::from(k)) / f64::from(k + 1);
    }
    let mut sum = term;
    for k in from..from + 15 {
        term *= x * (rounds - f64::from(k)) / f64::from(k + 1);
        sum += term;
    }
    sum
}
