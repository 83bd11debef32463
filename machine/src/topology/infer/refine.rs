//! Refinement: all measurements together decide latencies, and which switches are one and where hosts and branches hang.

mod fit;
mod moves;

use super::{Measurement, tolerance::Pool};
use crate::topology::growing::Growing;

/// Rounds of fitting and moving, of which simulations of 256 hosts take 2 to 5. The bound is against moves that undo each other.
const ROUNDS: usize = 12;

/// One-way distance of two hosts as measured, in microseconds, and its standard error.
#[derive(Clone, Copy, Debug)]
struct Observed {
    a: u32,
    b: u32,
    distance: f64,
    error: f64,
}

/// Standard errors of a link's latency that it must have to be told from none.
const SIGNIFICANT: f64 = 4.0;

/// Fits the tree to all measurements, and mends its shape where they say so significantly.
pub(super) fn refine(tree: &mut Growing, measurements: &[Measurement], pool: &Pool) {
    let is_in = |host: u32| tree.neighbour(host).is_some();
    let observed: Vec<Observed> = measurements
        .iter()
        .filter(|one| is_in(one.pair.0) && is_in(one.pair.1))
        .map(|one| {
            // Three draws of a normal distribution range over 1.7 standard deviations.
            let spread = pool.spread_near(one.round_trip).max(1000) as f64 / 1000.0;
            Observed {
                a: one.pair.0,
                b: one.pair.1,
                distance: one.round_trip.minimum as f64 / 2000.0,
                error: spread / 1.7 / 2.0,
            }
        })
        .collect();
    for _ in 0..ROUNDS {
        let scale = fit::collapse(tree, &observed);
        if !moves::sweep(tree, &observed, scale) {
            break;
        }
    }
    fit::collapse(tree, &observed);
}
