//! Functions of the gamma distribution.

use libm::lgamma;

use super::distribution::upper_tail;

/// Shape from which on the cube root of a gamma variable is taken to be normal (Wilson and Hilferty
/// 1931).
///
/// At this shape both ways differ by less than 1e-3 of the probability to be four standard
/// deviations off, and the series take 900 terms.
const NORMAL: f64 = 1e4;

/// Most terms of the series and of the continued fraction: parameters without sense end too.
const MOST_TERMS: u32 = 2000;

/// Returns the probabilities that a gamma variable of scale 1 is at most `x`, and that it is above.
/// They are the regularised incomplete gamma functions, the smaller one without cancellation.
pub(super) fn probabilities(shape: f64, x: f64) -> [f64; 2] {
    if x.is_nan() || x <= 0.0 {
        return [0.0, 1.0];
    }
    if shape > NORMAL {
        let z = 3.0 * shape.sqrt() * ((x / shape).cbrt() - 1.0 + 1.0 / (9.0 * shape));
        return [upper_tail(-z), upper_tail(z)];
    }
    let factor = (shape * x.ln() - x - lgamma(shape)).exp();
    if factor.is_nan() || factor == 0.0 {
        let below = f64::from(x > shape);
        return [below, 1.0 - below];
    }
    if x < shape + 1.0 {
        let below = (factor * series(shape, x)).min(1.0);
        [below, 1.0 - below]
    } else {
        let above = (factor * fraction(shape, x)).min(1.0);
        [1.0 - above, above]
    }
}

/// Returns the sum of x^n / (a (a + 1) .. (a + n)).
fn series(shape: f64, x: f64) -> f64 {
    let mut term = 1.0 / shape;
    let mut sum = term;
    for n in 1..MOST_TERMS {
        term *= x / (shape + f64::from(n));
        sum += term;
        if term < f64::EPSILON * sum {
            break;
        }
    }
    sum
}

/// Returns Legendre's continued fraction 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ..)), by Lentz'
/// method.
fn fraction(shape: f64, x: f64) -> f64 {
    let mut below = x + 1.0 - shape;
    let mut ratio = f64::MAX;
    let mut inverse = 1.0 / below;
    let mut value = inverse;
    for n in 1..MOST_TERMS {
        let n = f64::from(n);
        let above = n * (shape - n);
        below += 2.0;
        inverse = 1.0 / (above * inverse + below);
        ratio = below + above / ratio;
        value *= ratio * inverse;
        if (ratio * inverse - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// Returns the derivative of the logarithm of the gamma function at an `x` above 0.
pub(super) fn digamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    // The next term of the asymptotic series is below 1e-12 from 10 on.
    let square = 1.0 / (x * x);
    let rest = 1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0));
    sum + x.ln() - 0.5 / x - square * rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_shapes_are_sums_of_poisson_probabilities() {
        for shape in 1..60 {
            for x in [1e-3, 0.5, 3.0, 20.0, 58.0, 61.0, 100.0] {
                let mut term = f64::exp(-x);
                let mut wanted = 0.0;
                for n in 0..shape {
                    wanted += term;
                    term *= x / f64::from(n + 1);
                }
                let [below, above] = probabilities(f64::from(shape), x);
                assert!(
                    (above - wanted).abs() < 1e-12 * wanted.max(1e-3),
                    "{shape} {x}"
                );
                assert!((below + above - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn large_shapes_go_on_where_small_ones_end() {
        for z in [-4.0, -1.0, 0.0, 1.0, 4.0] {
            let x = NORMAL + z * NORMAL.sqrt();
            let [exact, normal] =
                [NORMAL, NORMAL * (1.0 + 1e-12)].map(|shape| probabilities(shape, x));
            for (a, b) in exact.into_iter().zip(normal) {
                assert!((a / b - 1.0).abs() < 1e-3, "{z}: {a} {b}");
            }
        }
    }

    #[test]
    fn digamma_has_its_known_values() {
        let euler = 0.577_215_664_901_532_9;
        for (x, wanted) in [
            (1.0, -euler),
            (2.0, 1.0 - euler),
            (0.5, -euler - 2.0 * 2.0_f64.ln()),
        ] {
            assert!((digamma(x) - wanted).abs() < 1e-11, "{x}");
        }
    }
}
