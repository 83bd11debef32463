//! Paths that matter on a part of the axis.

use super::integral::Axis;
use crate::latency::Distribution;

/// Pareto tails, equal ones once: P(X > x) = e^(offset - shape u) for u = ln(x / floor) below the
/// end, else 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Tail {
    pub(super) shape: f64,
    pub(super) offset: f64,
    pub(super) end: f64,
    pub(super) count: f64,
}

impl Tail {
    /// Returns the probability that one such latency is above x.
    pub(super) fn probability(&self, u: f64) -> f64 {
        if u < self.end {
            (self.offset - self.shape * u).exp()
        } else {
            0.0
        }
    }
}

/// Paths without a Pareto tail, equal ones once.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) path: Distribution,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) count: f64,
}

impl Other {
    pub(super) fn new(path: &Distribution, count: f64) -> Self {
        Self {
            mean: path.mean(),
            deviation: path.deviation(),
            path: path.clone(),
            count,
        }
    }

    /// Minus the logarithm of the probability that one such latency is at most x.
    fn exponent(&self, x: f64) -> f64 {
        match self.path.survival(x) {
            above if above < 0.5 => exponent(above),
            _ => -self.path.cdf(x).ln(),
        }
    }
}

/// Paths that matter.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) tails: Vec<Tail>,
    pub(super) others: Vec<Other>,
}

/// Returns -ln(1 - y), where y is a probability.
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
    pub(super) fn grouped(mut tails: Vec<Tail>, mut others: Vec<Other>) -> Self {
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
        others.sort_unstable_by(|a, b| {
            b.mean
                .total_cmp(&a.mean)
                .then(b.deviation.total_cmp(&a.deviation))
        });
        others.dedup_by(|later, kept| {
            let equal = later.path == kept.path;
            kept.count += if equal { later.count } else { 0.0 };
            equal
        });
        Self { tails, others }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tails.is_empty() && self.others.is_empty()
    }

    /// Returns a place that paths without Pareto tails are not below.
    pub(super) fn start(&self) -> f64 {
        self.others
            .iter()
            .map(|other| other.path.least())
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns minus the logarithm of the distribution of the maximum; more than `most` may be any
    /// such number.
    pub(super) fn exponent(&self, u: f64, x: f64, most: f64) -> f64 {
        sum_of_exponents(&self.tails, &self.others, u, x, most)
    }
}

fn sum_of_exponents(tails: &[Tail], others: &[Other], u: f64, x: f64, most: f64) -> f64 {
    let mut sum = 0.0;
    for tails in tails.chunks(64) {
        sum += tails
            .iter()
            .map(|tail| tail.count * exponent(tail.probability(u)))
            .sum::<f64>();
        if sum > most {
            return sum;
        }
    }
    for other in others {
        sum += other.count * other.exponent(x);
        if sum > most {
            return sum;
        }
    }
    sum
}

/// Paths of a panel: a part of all, which are put in another order.
pub(super) struct Paths<'a> {
    tails: &'a mut [Tail],
    others: &'a mut [Other],
}

impl<'a> Paths<'a> {
    pub(super) fn new(tails: &'a mut [Tail], others: &'a mut [Other]) -> Self {
        Self { tails, others }
    }

    /// Lends the paths.
    pub(super) fn again(&mut self) -> Paths<'_> {
        Paths::new(self.tails, self.others)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tails.is_empty() && self.others.is_empty()
    }

    /// Returns minus the logarithm of the distribution of their maximum.
    pub(super) fn exponent(&self, u: f64, axis: Axis) -> f64 {
        sum_of_exponents(self.tails, self.others, u, axis.x(u), f64::INFINITY)
    }

    /// Leaves out paths that together add at most `negligible` to the exponent from `a` on.
    pub(super) fn relevant(self, a: f64, axis: Axis, negligible: f64) -> Self {
        let most = negligible / (self.tails.len() + self.others.len()) as f64;
        let x = axis.x(a);
        let tails = partition(self.tails, |tail| {
            tail.end > a && tail.count * tail.probability(a) > most
        });
        let others = partition(self.others, |other| {
            other.count * other.path.survival(x) > most
        });
        Self::new(tails.0, others.0)
    }

    /// Splits the paths into those that end before `b`, and the others.
    pub(super) fn split(&mut self, b: f64) -> (Paths<'_>, Paths<'_>) {
        let (ending, whole) = partition(self.tails, |tail| tail.end < b);
        (Paths::new(ending, &mut []), Paths::new(whole, self.others))
    }

    /// Returns the median of the ends of tails; `None` without tails.
    pub(super) fn median_end(&mut self) -> Option<f64> {
        let middle = self.tails.len() / 2;
        let by_end = |a: &Tail, b: &Tail| a.end.total_cmp(&b.end);
        (!self.tails.is_empty()).then(|| self.tails.select_nth_unstable_by(middle, by_end).1.end)
    }
}

/// Puts the items that pass first, and splits them from the others.
fn partition<T>(items: &mut [T], passes: impl Fn(&T) -> bool) -> (&mut [T], &mut [T]) {
    let mut count = 0;
    for at in 0..items.len() {
        if passes(&items[at]) {
            items.swap(count, at);
            count += 1;
        }
    }
    items.split_at_mut(count)
}
