//! Least-squares fit by Legendre polynomials: one polynomial on a panel stands for a sum over many
//! paths.

use crate::latency::quadrature::{self, NODES};

/// Number of terms. The Kronrod rule of 15 nodes is exact for the products of any two, of degree 22
/// at most.
const TERMS: usize = 12;

/// Polynomial on a panel, as a sum of Legendre polynomials.
pub(super) struct Curve {
    middle: f64,
    half: f64,
    coefficients: [f64; TERMS],
}

impl Curve {
    /// Fits values at the nodes of a panel by least squares; `None` if it is further off a value
    /// than that tolerates.
    pub(super) fn through(
        [a, b]: [f64; 2],
        values: &[f64; NODES],
        tolerances: &[f64; NODES],
    ) -> Option<Self> {
        let mut curve = Self {
            middle: 0.5 * (a + b),
            half: 0.5 * (b - a),
            coefficients: [0.0; TERMS],
        };
        let nodes = quadrature::nodes([-1.0, 1.0]);
        for ((value, node), weight) in values.iter().zip(nodes).zip(quadrature::weights()) {
            let each = curve.coefficients.iter_mut().zip(legendre(node));
            each.for_each(|(sum, polynomial)| *sum += weight * value * polynomial);
        }
        for (degree, coefficient) in curve.coefficients.iter_mut().enumerate() {
            *coefficient *= degree as f64 + 0.5;
        }
        let close = |at: usize| (values[at] - curve.sum(nodes[at])).abs() <= tolerances[at];
        (0..NODES).all(close).then_some(curve)
    }

    /// Returns the value at a place of the panel.
    pub(super) fn at(&self, u: f64) -> f64 {
        self.sum((u - self.middle) / self.half)
    }

    fn sum(&self, t: f64) -> f64 {
        let terms = self.coefficients.iter().zip(legendre(t));
        terms.map(|(coefficient, term)| coefficient * term).sum()
    }
}

/// Returns the Legendre polynomials at a place between -1 and 1, by degree.
fn legendre(t: f64) -> [f64; TERMS] {
    let mut values = [1.0; TERMS];
    values[1] = t;
    for n in 1..TERMS - 1 {
        let degree = n as f64;
        values[n + 1] =
            ((2.0 * degree + 1.0) * t * values[n] - degree * values[n - 1]) / (degree + 1.0);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_functions_are_met_and_others_refused() {
        let panel = [1.0, 3.0];
        let smooth = quadrature::nodes(panel).map(f64::ln);
        let curve = Curve::through(panel, &smooth, &[1e-6; NODES]).unwrap();
        for at in 0..=100 {
            let u = 1.0 + f64::from(at) / 50.0;
            assert!((curve.at(u) - u.ln()).abs() < 2e-6);
        }
        let bent = quadrature::nodes(panel).map(|u| (u - 2.2).abs());
        assert!(Curve::through(panel, &bent, &[1e-3; NODES]).is_none());
        let lost = [f64::NAN; NODES];
        assert!(Curve::through(panel, &lost, &[1e-3; NODES]).is_none());
    }
}
