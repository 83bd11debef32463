//! Integrals of the probability that a maximum is above a place.

use super::{
    CERTAIN,
    active::{Active, Paths},
    curve::Curve,
};
use crate::latency::quadrature::{self, NODES};

/// Variable in which the distribution is integrated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// x itself: normal tails end soon.
    Linear,
    /// ln(x / floor): Pareto tails are exponential in it.
    Logarithmic(f64),
}

impl Axis {
    pub(super) fn x(self, u: f64) -> f64 {
        match self {
            Self::Linear => u,
            Self::Logarithmic(floor) => floor * u.exp(),
        }
    }

    /// Returns the inverse of [`x`](Self::x).
    pub(super) fn u(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::Logarithmic(floor) => (x / floor).ln(),
        }
    }

    /// Returns the derivative of x by the variable of the axis.
    fn slope(self, x: f64) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Logarithmic(_) => x,
        }
    }
}

/// Times that panels may be halved in one integral, so that paths without sense end too.
const MOST_HALVES: usize = 10_000;

/// Relative error of the exponent that makes no difference: that of the integral is not larger.
const NEGLIGIBLE: f64 = 1e-12;

/// Error of the logarithm of the exponent that is rounding.
const ROUNDING: f64 = 1e-13;

/// Largest error of the logarithm of the exponent, wherever it is: e^-38 is 0 beside 1 with it too.
const COARSE: f64 = 1e-2;

/// Integral of a weight and the probability to be above x.
pub(super) struct Integral<W> {
    axis: Axis,
    /// Function of x.
    weight: W,
    /// Absolute error that a panel may have.
    tolerance: f64,
    /// Error that polynomials may make, by the length of the panel.
    density: f64,
    halves: usize,
}

impl<W: Fn(f64) -> f64> Integral<W> {
    /// Makes an integral; `tolerance` is relative to `scale`.
    pub(super) fn new(axis: Axis, tolerance: f64, scale: f64, weight: W) -> Self {
        Self {
            axis,
            weight,
            tolerance: tolerance * scale,
            density: 0.0,
            halves: 0,
        }
    }

    /// Integrates from `a` to `b`, in so many panels to begin with.
    pub(super) fn over(&mut self, active: &Active, [a, b]: [f64; 2], panels: u32) -> f64 {
        let (mut tails, mut others) = (active.tails.clone(), active.others.clone());
        self.density = self.tolerance / (b - a);
        let edge = |at: u32| a + (b - a) * f64::from(at) / f64::from(panels);
        (0..panels)
            .map(|at| {
                let paths = Paths::new(&mut tails, &mut others);
                self.panel(paths, None, [edge(at), edge(at + 1)])
            })
            .sum()
    }

    /// Returns the weight, and the derivative of x by the variable of the axis.
    fn measure(&self, u: f64) -> f64 {
        let x = self.axis.x(u);
        (self.weight)(x) * self.axis.slope(x)
    }

    /// Integrates a panel, in two parts as long as a path ends in it or the error is too large.
    ///
    /// The logarithm of the exponent is far smoother than the distribution. Once a polynomial meets
    /// it, the polynomial is `settled`: it stands for the paths in both parts. Paths that end in
    /// the panel are left, and added to it.
    fn panel(&mut self, paths: Paths, settled: Option<&Curve>, panel: [f64; 2]) -> f64 {
        let [a, b] = panel;
        let axis = self.axis;
        let nodes = quadrature::nodes(panel);
        let mut exponents = nodes.map(|u| settled.map_or(0.0, |curve| curve.at(u).exp()));
        let least = exponents[NODES - 1] + paths.exponent(nodes[NODES - 1], axis);
        // Where the least is infinite, as that of one path is, this one counts all the same.
        let mut paths = paths.relevant(a, axis, NEGLIGIBLE * least.min(CERTAIN));
        let (mut ending, whole) = paths.split(b);
        if !whole.is_empty() {
            for (sum, &u) in exponents.iter_mut().zip(&nodes) {
                *sum += whole.exponent(u, axis);
            }
        }
        let middle = if let Some(end) = ending.median_end() {
            end
        } else {
            let mut values = [0.0; NODES];
            for ((value, exponent), u) in values.iter_mut().zip(exponents).zip(nodes) {
                *value = -(-exponent).exp_m1() * self.measure(u);
            }
            let sum = quadrature::integrate(panel, &values);
            let rounding = 50.0 * f64::EPSILON * sum.value.abs();
            let fine = sum.error <= self.tolerance.max(rounding) || !sum.error.is_finite();
            let middle = 0.5 * (a + b);
            if fine || self.halves > MOST_HALVES || !(a < middle && middle < b) {
                return sum.value;
            }
            self.halves += 1;
            middle
        };
        let curve = if whole.is_empty() {
            None
        } else {
            // Derivative of the integrand by the logarithm of the exponent.
            let slope =
                |at: usize| exponents[at] * (-exponents[at]).exp() * self.measure(nodes[at]);
            let tolerances =
                std::array::from_fn(|at| (self.density / slope(at)).clamp(ROUNDING, COARSE));
            Curve::through(panel, &exponents.map(f64::ln), &tolerances)
        };
        let (settled, mut left) = match &curve {
            Some(curve) => (Some(curve), ending),
            None => (settled, paths),
        };
        self.panel(left.again(), settled, [a, middle]) + self.panel(left, settled, [middle, b])
    }
}
