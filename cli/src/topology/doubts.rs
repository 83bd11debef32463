//! Doubts: measurements that a tree should not rest on.

use superstep_network::topology::{Inference, Measurement};

use super::hosts;

/// Most pairs of a kind that are warned of one by one.
const TOLD: usize = 10;

/// Warns of measurements whose repetitions differ, and of those that the tree is far from.
pub(crate) fn warn(inference: &Inference, measured: &[Measurement], names: &[String]) {
    let pair = |one: &Measurement| {
        let [a, b] = [one.pair.0, one.pair.1].map(|host| &names[host as usize]);
        format!(
            "{a} and {b}: {:.1} us",
            one.round_trip.minimum as f64 / 1000.0
        )
    };
    let wide = inference.wide.iter().map(|one| {
        let spread = one.round_trip.spread as f64 / 1000.0;
        format!("{} differ by {spread:.1} us", pair(one))
    });
    warn_of_pairs(wide);
    let misfits = inference.misfits(measured.iter().copied());
    let misfits = misfits.iter().map(|misfit| {
        let expected = misfit.expected;
        format!(
            "{} were measured, and {expected:.1} us are in the tree",
            pair(&misfit.measurement)
        )
    });
    warn_of_pairs(misfits);
}

fn warn_of_pairs(mut lines: impl ExactSizeIterator<Item = String>) {
    lines
        .by_ref()
        .take(TOLD)
        .for_each(|line| hosts::warn(&line));
    if lines.len() > 0 {
        hosts::warn(&format!("so of {} pairs more", lines.len()));
    }
}
