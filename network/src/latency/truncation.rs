//! The paper's own guard against shapes of 1 and less.

use super::{Distribution, quadrature};

/// Returns the paper's mean of a maximum (its equation 12), each path truncated at its upper 1/m
/// quantile.
///
/// The m is the window of the fits; the paper takes it where a shape is 1 or less. It is here to be
/// compared with. Beyond the quantile values count as 0 and not as the quantile, so that the mean
/// can be less than the largest scale. [`fit::winsorise`](super::fit::winsorise) has no such flaw.
/// `None` for paths that are normal or have caps, to which the equation does not apply.
///
/// ```
/// use superstep_network::latency::{Distribution, Maximum, fit, truncated_mean};
///
/// let path = Distribution::Pareto { scale: 10.0, shape: 1.0, cap: None };
/// let truncated = truncated_mean(&[path.clone()], 2).unwrap();
/// assert!((truncated - 6.93).abs() < 0.01);
/// assert!((Maximum::of(&[fit::winsorise(path, 2)]).mean() - 16.93).abs() < 0.01);
/// ```
pub fn truncated_mean(paths: &[Distribution], window: usize) -> Option<f64> {
    let mut floor = 0.0f64;
    let (mut atom, mut tails) = (0.0f64, Vec::new());
    for path in paths {
        match *path {
            Distribution::Constant { value } => atom = atom.max(value),
            Distribution::Pareto {
                scale,
                shape,
                cap: None,
            } => {
                floor = floor.max(scale);
                tails.push((scale, shape));
            }
            _ => return None,
        }
    }
    floor = floor.max(atom);
    if tails.is_empty() {
        return Some(floor);
    }
    // P(X > x) = e^(-shape u - offset), where x = floor e^u.
    let tails: Vec<[f64; 2]> = tails
        .iter()
        .map(|&(scale, shape)| [shape, shape * (floor / scale).ln()])
        .collect();
    let above = |[shape, offset]: [f64; 2], u: f64| (-offset - shape * u).exp();
    let certain: f64 = tails.iter().map(|&tail| 1.0 - above(tail, 0.0)).product();
    let mut sum = if atom == floor { floor * certain } else { 0.0 };
    for (at, &[shape, offset]) in tails.iter().enumerate() {
        let own = [shape, offset];
        let end = ((window as f64).ln() - offset) / shape;
        let density = |u: f64| {
            let others = tails.iter().enumerate().filter(|&(other, _)| other != at);
            let below: f64 = others.map(|(_, &tail)| 1.0 - above(tail, u)).product();
            floor * u.exp() * shape * above(own, u) * below
        };
        if end > 0.0 {
            sum += adaptive(0.0, end, 1e-13 * floor, 40, &density);
        }
    }
    Some(sum)
}

fn adaptive(a: f64, b: f64, tolerance: f64, depth: u8, f: &impl Fn(f64) -> f64) -> f64 {
    let whole = quadrature::integrate([a, b], &quadrature::nodes([a, b]).map(f));
    if depth == 0 || whole.error <= tolerance.max(1e-14 * whole.value.abs()) {
        return whole.value;
    }
    let middle = 0.5 * (a + b);
    adaptive(a, middle, tolerance, depth - 1, f) + adaptive(middle, b, tolerance, depth - 1, f)
}
