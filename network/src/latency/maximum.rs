//! The latency of many paths at once.

mod active;
mod closed;
mod curve;
mod integral;

use self::{
    active::{Active, Other, Tail},
    integral::{Axis, Integral},
};
use super::{Distribution, distribution::integral_of_exp};

/// Maximum of independent latencies: how long a collective of one stage waits for its slowest path.
///
/// Without paths there is nothing to wait for: the maximum is 0. Parameters out of range give
/// figures without meaning.
///
/// ```
/// use superstep_network::latency::{Distribution, Maximum};
///
/// let pareto = |scale, shape| Distribution::Pareto { scale, shape, cap: None };
/// let slowest = Maximum::of(&[pareto(10.0, 2.5), pareto(20.0, 3.5), Distribution::Constant { value: 15.0 }]);
/// assert!((slowest.mean() - 29.65).abs() < 0.01);
/// assert!((slowest.cdf(slowest.quantile(0.99)) - 0.99).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Maximum {
    /// Least value, if a path is constant or has a Pareto tail.
    floor: Option<f64>,
    /// Paths that are ever above the floor. Pareto tails are over ln(x / floor).
    active: Active,
    /// Variable of the integrals.
    axis: Axis,
}

/// Certainty: where the logarithm of the distribution is below minus this it is 0, to the precision
/// of a double.
const CERTAIN: f64 = 38.0;

/// Negligible probability: beyond where it is at most this the tails of the paths are added up.
/// Relative error of the rest: less than half of it.
const NEGLIGIBLE: f64 = 1e-11;

/// Negligible probability of paths whose tails are neither normal nor Pareto's, and are not added
/// up. At 1e-11 of a Weibull distribution of shape 0.4 the rest is 1e-8 of the mean.
const NEGLIGIBLE_TAIL: f64 = 1e-17;

/// Error that a panel may have, by the magnitude of the mean. The estimate is of the worse of two
/// rules: results do not change in the fourteenth digit from here on.
const PRECISE: f64 = 1e-11;

/// Tolerance with paths as recorded: each sample is a bend, and panels are halved until they hold
/// few. It is far below what a thousand samples know.
const RECORDED: f64 = 1e-6;

/// Panels that the mean begins with: in a quarter of the range a polynomial meets most sums over
/// paths. With one panel a thousand normal paths were summed up in nine panels, with four in these
/// alone.
const PANELS: u32 = 4;

impl Maximum {
    /// Makes the maximum of these paths.
    pub fn of(paths: &[Distribution]) -> Self {
        Self::counted(paths.iter().map(|path| (path, 1.0)))
    }

    /// Makes the maximum of `count` paths that are all as `path`.
    pub fn repeated(path: Distribution, count: usize) -> Self {
        Self::counted((count > 0).then_some((&path, count as f64)).into_iter())
    }

    /// Makes the maximum of `count` paths that are like these, each of which stands for as many.
    ///
    /// For another number of processes than was recorded. The distribution is that of these paths
    /// to the power of `count` by their number.
    pub fn extrapolated(paths: &[Distribution], count: usize) -> Self {
        let each = count as f64 / paths.len().max(1) as f64;
        Self::powered(paths, if count > 0 { each } else { 0.0 })
    }

    /// Makes the maximum of these paths, each of which stands for as many as `each` says.
    pub(super) fn powered(paths: &[Distribution], each: f64) -> Self {
        Self::counted(paths.iter().filter(|_| each > 0.0).map(|path| (path, each)))
    }

    /// Makes the maximum of paths of which each stands for so many.
    pub(crate) fn counted<'a>(
        paths: impl Iterator<Item = (&'a Distribution, f64)> + Clone,
    ) -> Self {
        let floor = paths.clone().filter_map(|(path, _)| match *path {
            Distribution::Constant { value }
            | Distribution::Normal {
                mean: value,
                deviation: 0.0,
            }
            | Distribution::Pareto { scale: value, .. } => Some(value),
            _ => None,
        });
        let floor = floor.reduce(f64::max);
        let (mut tails, mut others) = (Vec::new(), Vec::new());
        for (path, count) in paths {
            match *path {
                Distribution::Pareto { scale, shape, cap } => {
                    let floor = floor.unwrap_or(scale);
                    let end = cap.map_or(f64::INFINITY, |cap| (cap / floor).ln());
                    if end > 0.0 {
                        let offset = shape * (scale / floor).ln();
                        tails.push(Tail {
                            shape,
                            offset,
                            end,
                            count,
                        });
                    }
                }
                Distribution::Constant { .. } => {}
                Distribution::Normal { deviation, .. } if deviation <= 0.0 => {}
                _ => others.push(Other::new(path, count)),
            }
        }
        let axis = match floor {
            Some(floor) if !tails.is_empty() => Axis::Logarithmic(floor),
            _ => Axis::Linear,
        };
        let active = Active::grouped(tails, others);
        let floor = if active.is_empty() {
            Some(floor.unwrap_or(0.0))
        } else {
            floor
        };
        Self {
            floor,
            active,
            axis,
        }
    }

    /// Returns the probability that all latencies are at most `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        (-self.exponent(x)).exp()
    }

    /// Returns minus the logarithm of the distribution at `x`.
    pub(super) fn exponent(&self, x: f64) -> f64 {
        self.exponent_up_to(x, f64::INFINITY)
    }

    /// Returns minus the logarithm of the distribution at `x`; more than `most` may be any such
    /// number.
    fn exponent_up_to(&self, x: f64, most: f64) -> f64 {
        if self.floor.is_some_and(|floor| x < floor) {
            return f64::INFINITY;
        }
        self.active.exponent(self.axis.u(x), x, most)
    }

    /// Returns the least x whose [`cdf`](Self::cdf) is at least `probability`, which is from 0 to
    /// 1.
    ///
    /// Infinite for 1, unless every path has an end.
    pub fn quantile(&self, probability: f64) -> f64 {
        let wanted = -probability.ln();
        let reached = |x: f64| self.exponent_up_to(x, wanted) <= wanted;
        let mut low = self.floor.unwrap_or_else(|| self.active.start());
        if reached(low) {
            return low;
        }
        let mut step = low.abs().max(f64::MIN_POSITIVE) * 1e-3;
        while !reached(low + step) {
            low += step;
            step *= 2.0;
            if !step.is_finite() {
                return f64::INFINITY;
            }
        }
        let mut high = low + step;
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return high;
            }
            if reached(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// Returns the mean; infinite if a path has shape 1 or less and no cap.
    ///
    /// Relative error: below 1e-9 of the reference's figures. There is a closed form for up to
    /// twelve paths of Pareto distributions, and for up to a thousand equal ones. Else it takes
    /// about a hundred exponentials for each different path, of normal paths error functions. Where
    /// a path adds less than 1e-12 to the others it takes fewer. For n different caps the time is
    /// as n log n.
    ///
    /// A thousand different paths take 2 to 7 ms, a hundred thousand less than a second.
    pub fn mean(&self) -> f64 {
        self.closed_form()
            .unwrap_or_else(|| self.quadrature(PRECISE))
    }

    /// Returns the mean by a closed form, where there is one that is precise. There is for up to 12
    /// tails without caps, and for many equal ones.
    pub fn closed_form(&self) -> Option<f64> {
        match (self.floor, &self.active) {
            (Some(floor), Active { tails, others }) if others.is_empty() => {
                closed::mean(floor, tails)
            }
            _ => None,
        }
    }

    /// Returns the mean by quadrature, as [`mean`](Self::mean) does for many different paths.
    ///
    /// `tolerance` is the relative error that each panel may have. From 1e-13 on less is rounding;
    /// forecasts need no more than 1e-6, and paths as [recorded](super::Recorded) have no less.
    pub fn quadrature(&self, tolerance: f64) -> f64 {
        let (start, excess) = self.excess(1, tolerance);
        start + excess
    }

    /// Returns the variance; infinite if a path has shape 2 or less and no cap.
    pub fn variance(&self) -> f64 {
        let (_, excess) = self.excess(1, PRECISE);
        let (_, square) = self.excess(2, PRECISE);
        if square.is_finite() {
            (square - excess * excess).max(0.0)
        } else {
            square
        }
    }

    /// Returns the integral of the probability to be above x, for x from `a` to `b`; `a` is not
    /// below the least value.
    pub(super) fn survival(&self, a: f64, b: f64) -> f64 {
        let panel = [a, b].map(|x| match self.axis {
            Axis::Linear => x,
            Axis::Logarithmic(_) => self.axis.u(x).max(0.0),
        });
        let tolerance = self.tolerance(1e-9);
        Integral::new(self.axis, tolerance, b - a, |_| 1.0).over(&self.active, panel, 1)
    }

    /// Returns a start below which the maximum is never, and the mean of its excess over it, or of
    /// the square of that.
    fn excess(&self, moment: u8, tolerance: f64) -> (f64, f64) {
        if self.active.is_empty() {
            return (self.floor.unwrap_or(0.0), 0.0);
        }
        let (low, high) = self.range();
        let start = self.axis.x(low);
        if self
            .active
            .tails
            .iter()
            .any(|tail| tail.end.is_infinite() && tail.shape <= f64::from(moment))
        {
            return (start, f64::INFINITY);
        }
        let width = self.axis.x(high) - start;
        // Of normal variables about 0 the mean has no digits of its own.
        let scale = match moment {
            1 => start.abs().max(1e-3 * width.min(self.spread())),
            _ => self.spread() * self.spread(),
        };
        let weight = |x: f64| if moment == 1 { 1.0 } else { 2.0 * (x - start) };
        let sum = Integral::new(self.axis, self.tolerance(tolerance), scale, weight).over(
            &self.active,
            [low, high],
            PANELS,
        );
        (start, sum + self.rest(high, start, moment))
    }

    /// Returns the tolerance that the distribution allows.
    fn tolerance(&self, tolerance: f64) -> f64 {
        let is_recorded = |other: &Other| matches!(other.path, Distribution::Recorded(_));
        if self.active.others.iter().any(is_recorded) {
            tolerance.max(RECORDED)
        } else {
            tolerance
        }
    }

    /// Returns the integral beyond `high`, where the probabilities of the paths add up.
    fn rest(&self, high: f64, start: f64, moment: u8) -> f64 {
        let x = self.axis.x(high);
        self.active
            .tails
            .iter()
            .filter(|tail| tail.end > high)
            .fold(0.0, |sum, tail| {
                let probability = tail.count * tail.probability(high);
                let span = tail.end - high;
                let mean = x * integral_of_exp(1.0 - tail.shape, span);
                sum + probability
                    * match moment {
                        1 => mean,
                        _ => 2.0 * (x * x * integral_of_exp(2.0 - tail.shape, span) - start * mean),
                    }
            })
    }

    /// Returns where the distribution leaves 0, and where it comes to 1.
    fn range(&self) -> (f64, f64) {
        let above = |u: f64, wanted: f64| self.active.exponent(u, self.axis.x(u), wanted) > wanted;
        let is_normal = |other: &Other| matches!(other.path, Distribution::Normal { .. });
        let negligible = if self.active.others.iter().all(is_normal) {
            NEGLIGIBLE
        } else {
            NEGLIGIBLE_TAIL
        };
        let first = match self.axis {
            Axis::Logarithmic(_) => 0.0,
            Axis::Linear => self
                .active
                .start()
                .max(self.floor.unwrap_or(f64::NEG_INFINITY)),
        };
        let mut step = match self.axis {
            Axis::Logarithmic(_) => 1e-3,
            Axis::Linear => self.spread().max(f64::MIN_POSITIVE),
        };
        let mut high = first + step;
        while above(high, negligible) && step < 1e9 * high.abs().max(1.0) {
            step *= 2.0;
            high = first + step;
        }
        // A few digits do: the panels in between see to themselves.
        let bisect = |mut low: f64, mut high: f64, wanted: f64| {
            for _ in 0..8 {
                let middle = 0.5 * (low + high);
                if above(middle, wanted) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            (low, high)
        };
        let (_, high) = bisect(first, high, negligible);
        let low = if above(first, CERTAIN) {
            bisect(first, high, CERTAIN).0
        } else {
            first
        };
        (low, high)
    }

    /// Returns the largest standard deviation of the paths, or the floor where some have Pareto
    /// tails.
    fn spread(&self) -> f64 {
        match self.axis {
            Axis::Logarithmic(floor) => floor,
            Axis::Linear => self
                .active
                .others
                .iter()
                .fold(0.0, |most, other| other.deviation.max(most)),
        }
    }
}
