//! Paths that matter on a part of the axis.

use super::integral::Axis;
use crate::latency::distribution::upper_tail;

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

    /// Returns minus the logarithm of the distribution of the maximum; more than `most` may be any
    /// such number.
    pub(super) fn exponent(&self, u: f64, x: f64, most: f64) -> f64 {
        sum_of_exponents(&self.tails, &self.bells, u, x, most)
    }
}

fn sum_of_exponents(tails: &[Tail], bells: &[Bell], u: f64, x: f64, most: f64) -> f64 {
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
    for bell in bells {
        sum += bell.count * bell.exponent(x);
        if sum > most {
            return sum;
        }
    }
    sum
}

/// Paths of a panel: a part of all, which are put in another order.
pub(super) struct Paths<'a> {
    tails: &'a mut [Tail],
    bells: &'a mut [Bell],
}

impl<'a> Paths<'a> {
    pub(super) fn new(tails: &'a mut [Tail], bells: &'a mut [Bell]) -> Self {
        Self { tails, bells }
    }

    /// Lends the paths.
    pub(super) fn again(&mut self) -> Paths<'_> {
        Paths::new(self.tails, self.bells)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tails.is_empty() && self.bells.is_empty()
    }

    /// Returns minus the logarithm of the distribution of their maximum.
    pub(super) fn exponent(&self, u: f64, axis: Axis) -> f64 {
        sum_of_exponents(self.tails, self.bells, u, axis.x(u), f64::INFINITY)
    }

    /// Leaves out paths that together add at most `negligible` to the exponent from `a` on.
    pub(super) fn relevant(self, a: f64, axis: Axis, negligible: f64) -> Self {
        let most = negligible / (self.tails.len() + self.bells.len()) as f64;
        let x = axis.x(a);
        let tails = partition(self.tails, |tail| {
            tail.end > a && tail.count * tail.probability(a) > most
        });
        let bells = partition(self.bells, |bell| {
            bell.count * upper_tail(bell.standard(x)) > most
        });
        Self::new(tails.0, bells.0)
    }

    /// Splits the paths into those that end before `b`, and the others.
    pub(super) fn split(&mut self, b: f64) -> (Paths<'_>, Paths<'_>) {
        let (ending, whole) = partition(self.tails, |tail| tail.end < b);
        (Paths::new(ending, &mut []), Paths::new(whole, self.bells))
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
