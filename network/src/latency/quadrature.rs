//! Gauss–Kronrod quadrature on one panel.
//!
//! No crate for quadrature serves: `gauss-quad` has fixed rules and brings `nalgebra` into every
//! build script, and `quadrature` integrates a closure over an interval.
//! [`Maximum`](super::Maximum) must know each panel and its nodes: a polynomial through them stands
//! for most paths from there on.

/// Positive nodes of the Kronrod rule of 15 points, outermost first; each second one is a node of
/// the Gauss rule of 7.
const POSITIVE: [f64; 7] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
];

/// Weights of these nodes, then of the middle.
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];

/// Weights of the second, fourth and sixth node and of the middle in the Gauss rule.
const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_64,
    0.381_830_050_505_118_9,
    0.417_959_183_673_469_4,
];

/// Integral over a panel, and an estimate of its error.
pub(super) struct Integral {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// Number of nodes.
pub(super) const NODES: usize = 15;

/// Returns the nodes of a panel, ascending.
pub(super) fn nodes([a, b]: [f64; 2]) -> [f64; NODES] {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    std::array::from_fn(|at| match at {
        0..7 => middle - half * POSITIVE[at],
        7 => middle,
        _ => middle + half * POSITIVE[14 - at],
    })
}

/// Returns the weights of the nodes of the panel from -1 to 1.
pub(super) fn weights() -> [f64; NODES] {
    std::array::from_fn(|at| KRONROD[at.min(14 - at)])
}

/// Integrates a function over a panel by its values at the nodes.
pub(super) fn integrate([a, b]: [f64; 2], values: &[f64; NODES]) -> Integral {
    let half = 0.5 * (b - a);
    let sum = |weighted: &dyn Fn(usize) -> f64| -> f64 { (0..NODES).map(weighted).sum() };
    let weights = weights();
    let kronrod = sum(&|at| weights[at] * values[at]);
    let gauss = sum(&|at| match at % 2 {
        1 => GAUSS[at.min(14 - at) / 2] * values[at],
        _ => 0.0,
    });
    let mean = 0.5 * kronrod;
    let spread = sum(&|at| weights[at] * (values[at] - mean).abs());
    // As QUADPACK: the difference of both rules is the error of the worse one.
    let difference = (kronrod - gauss).abs();
    let error = if spread > 0.0 {
        spread * (200.0 * difference / spread).powf(1.5).min(1.0)
    } else {
        difference
    };
    Integral {
        value: half * kronrod,
        error: half * error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integral(panel: [f64; 2], degree: i32) -> Integral {
        integrate(panel, &nodes(panel).map(|x| x.powi(degree)))
    }

    #[test]
    fn polynomials_are_integrated_exactly() {
        for degree in 0..=22 {
            let found = integral([-0.3, 1.0], degree).value;
            let n = f64::from(degree + 1);
            let wanted = (1.0 - (-0.3f64).powi(degree + 1)) / n;
            assert!((found - wanted).abs() < 1e-15, "{degree}: {found} {wanted}");
        }
    }

    #[test]
    fn the_rule_of_seven_points_shows_in_the_error() {
        assert!(integral([-1.0, 1.0], 12).error < 1e-20);
        assert!(integral([-1.0, 1.0], 14).error > 1e-9);
    }
}
