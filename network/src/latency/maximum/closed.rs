//! Closed forms of the mean of a maximum of Pareto latencies.

use libm::lgamma;

use super::active::Tail;

/// Most tails that the sum over their sets is taken for. Rounding makes a relative error of 1e-12
/// at 16 tails, and of 1 at 60.
const FEW: usize = 12;

/// Most equal paths that gamma functions are taken for: their logarithms have an error of 1e-12
/// there.
const MANY_EQUAL: f64 = 1000.0;

/// Returns the mean, if there is a closed form that is precise.
pub(super) fn mean(floor: f64, tails: &[Tail]) -> Option<f64> {
    if tails.iter().any(|tail| tail.end.is_finite()) {
        return None;
    }
    if tails.iter().any(|tail| tail.shape <= 1.0) {
        return Some(f64::INFINITY);
    }
    match tails {
        &[
            Tail {
                shape,
                offset: 0.0,
                count,
                ..
            },
        ] if count <= MANY_EQUAL => Some(floor * equal(count, shape)),
        _ if tails.iter().map(|tail| tail.count).sum::<f64>() <= FEW as f64
            && tails.iter().all(|tail| tail.count.fract() == 0.0) =>
        {
            let each = tails
                .iter()
                .flat_map(|tail| (0..tail.count as usize).map(move |_| *tail));
            let each: Vec<Tail> = each.collect();
            Some(floor * (1.0 + of_sets(&each, 0.0, 0.0)))
        }
        _ => None,
    }
}

/// Returns the mean of the maximum of equal latencies of scale 1: G(n + 1) G(1 - 1/a) / G(n + 1 -
/// 1/a) (the paper's equation 8).
fn equal(count: f64, shape: f64) -> f64 {
    let less = 1.0 / shape;
    (lgamma(count + 1.0) + lgamma(1.0 - less) - lgamma(count + 1.0 - less)).exp()
}

/// Returns the sum of (-1)^(|S| + 1) q_S / (a_S - 1) over the sets S of these tails, but the empty
/// one. There q_S is the product of the tails' probabilities at the floor and a_S the sum of their
/// shapes.
///
/// The paper's equation 8 has n 2^(n - 1) terms, which come to these. The sum of (-1)^(|S| + 1) q_S
/// over the sets with a path in common telescopes. Each set is met as an extension of another by a
/// later path.
fn of_sets(tails: &[Tail], offset: f64, shape: f64) -> f64 {
    let mut sum = 0.0;
    for (at, tail) in tails.iter().enumerate() {
        let (offset, shape) = (offset + tail.offset, shape + tail.shape);
        sum += offset.exp() / (shape - 1.0) - of_sets(&tails[at + 1..], offset, shape);
    }
    sum
}
