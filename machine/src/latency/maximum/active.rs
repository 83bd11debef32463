//! Paths that matter on a part of the axis.

use crate::latency::distribution::upper_tail;

/// Pareto tails, equal ones once: P(X > x) = e^(offset - shape u) for u = ln(x / floor) below the end, else 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Tail {
    pub(super) shape: f64,
    pub(super) offset: f64,
    pub(super) end: f64,
    pub(super) count: f64,
}

impl Tail {
    /// Probability that one such latency is above x.
    pub(super) fn probability(&self, u: f64) -> f64 {
        if u < self.end {
            (self.offset - self.shape * u).exp()
        } else {
            0.0
        }
    }
}

/// Normal paths, equal ones once.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Bell {
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) count: f64,
}

impl Bell {
    fn standard(&self, x: f64) -> f64 {
        (x - self.mean) / self.deviation
    }

    /// Minus the logarithm of the probability that one such latency is at most x.
    fn exponent(&self, x: f64) -> f64 {
        match self.standard(x) {
            z if z > 0.0 => exponent(upper_tail(z)),
            z => -upper_tail(-z).ln(),
        }
    }
}

/// Paths that matter.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) tails: Vec<Tail>,
    pub(super) bells: Vec<Bell>,
}

/// -ln(1 - y), where y is a probability.
fn exponent(y: f64) -> f64 {
    // Most of many paths are rarely slow; the series saves a logarithm. Its error is y^6 / 6.
    if y < 1e-3 {
        y * (1.0 + y * (0.5 + y * (1.0 / 3.0 + y * (0.25 + y * 0.2))))
    } else {
        -(-y).ln_1p()
    }
}

impl Active {
    /// Counts equal paths.
    pub(super) fn grouped(mut tails: Vec<Tail>, mut bells: Vec<Bell>) -> Self {
        let same = |a: &Tail, b: &Tail| (a.shape, a.offset, a.end) == (b.shape, b.offset, b.end);
        tails.sort_unstable_by(|a, b| {
            let by_shape = a
                .shape
                .total_cmp(&b.shape)
                .then(a.offset.total_cmp(&b.offset));
            by_shape.then(a.end.total_cmp(&b.end))
        });
        tails.dedup_by(|later, kept| {
            let equal = same(later, kept);
            kept.count += if equal { later.count } else { 0.0 };
            equal
        });
        bells.sort_unstable_by(|a, b| {
            b.mean
                .total_cmp(&a.mean)
                .then(b.deviation.total_cmp(&a.deviation))
        });
        bells.dedup_by(|later, kept| {
            let equal = (later.mean, later.deviation) == (kept.mean, kept.deviation);
            kept.count += if equal { later.count } else { 0.0 };
            equal
        });
        Self { tails, bells }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tails.is_empty() && self.bells.is_empty()
    }

    /// Returns a place that normal paths are not below: one of them has a probability of 1e-33.
    pub(super) fn start(&self) -> f64 {
        self.bells
            .iter()
            .map(|bell| bell.mean - 12.0 * bell.deviation)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the ends of tails between two places, ascending, each once.
    pub(super) fn ends(&self, low: f64, high: f64) -> Vec<f64> {
        let mut ends: Vec<f64> = self
            .tails
            .iter()
            .map(|tail| tail.end)
            .filter(|&end| low < end && end < high)
            .collect();
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        ends
    }

    /// Returns minus the logarithm of the distribution of the maximum; more than `most` may be any such number.
    pub(super) fn exponent(&self, u: f64, x: f64, most: f64) -> f64 {
        let mut sum = 0.0;
        for tails in self.tails.chunks(64) {
            sum += tails
                .iter()
                .map(|tail| tail.count * exponent(tail.probability(u)))
                .sum::<f64>();
            if sum > most {
                return sum;
            }
        }
        for bell in &self.bells {
            sum += bell.count * bell.exponent(x);
            if sum > most {
                return sum;
            }
        }
        sum
    }

    /// Leaves out paths that together add at most `negligible` to the exponent from a place on; `None`: these are few.
    pub(super) fn above(&self, u: f64, x: f64, negligible: f64) -> Option<Self> {
        let all = self.tails.len() + self.bells.len();
        if all < 8 {
            return None;
        }
        let most = negligible / all as f64;
        let tail = |tail: &&Tail| tail.count * tail.probability(u) > most;
        let bell = |bell: &&Bell| bell.count * upper_tail(bell.standard(x)) > most;
        let kept = self.tails.iter().filter(tail).count() + self.bells.iter().filter(bell).count();
        (8 * kept < 7 * all).then(|| Self {
            tails: self.tails.iter().filter(tail).copied().collect(),
            bells: self.bells.iter().filter(bell).copied().collect(),
        })
    }
}
