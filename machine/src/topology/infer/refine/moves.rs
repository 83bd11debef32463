//! Moves: a host or a branch hangs elsewhere, where that fits the measurements better.

use super::{Observed, SIGNIFICANT};
use crate::topology::growing::{Growing, Location, Rooted};

/// Most that one measurement counts, in squared standard errors: one that is wrong decides nothing.
const CAP: f64 = 16.0;

/// A measurement between a branch and the rest, as seen from the branch.
struct Crossing {
    /// Host outside the branch.
    outside: u32,
    /// One-way distance from the branch's top to that host, as measured.
    distance: f64,
    error: f64,
}

/// A place for a branch.
struct Place {
    at: Location,
    latency: f64,
    cost: f64,
}

/// Moves each branch, the smallest first, to where it fits significantly better; returns whether any moved.
pub(super) fn sweep(tree: &mut Growing, observed: &[Observed], scale: f64) -> bool {
    let mut moved = false;
    let root = tree.present().next().unwrap_or(0);
    let mut branches: Vec<(u32, u32)> = tree
        .all_links()
        .flat_map(|(a, b, _)| [(a, b), (b, a)])
        .filter(|&(at, _)| !tree.is_host(at))
        .collect();
    let rooted = tree.rooted(root);
    branches.sort_by_key(|&(at, top)| (rooted.behind(at, top), at, top));
    for (at, top) in branches {
        // An earlier move may have taken the link away.
        if tree.links[at as usize].iter().any(|&(next, _)| next == top)
            && tree.links[at as usize].len() > 2
        {
            moved |= shift(tree, observed, scale, at, top);
        }
    }
    moved
}

/// Moves the branch behind `top`, which hangs at `at`, if it fits better elsewhere.
fn shift(tree: &mut Growing, observed: &[Observed], scale: f64, at: u32, top: u32) -> bool {
    let seen = tree.rooted(top);
    let crossing: Vec<Crossing> = observed
        .iter()
        .filter_map(|one| {
            let (inside, outside) = match (seen.is_below(one.a, at), seen.is_below(one.b, at)) {
                (false, true) => (one.a, one.b),
                (true, false) => (one.b, one.a),
                _ => return None,
            };
            Some(Crossing {
                outside,
                distance: one.distance - seen.distances[inside as usize],
                error: one.error * scale,
            })
        })
        .collect();
    if crossing.len() < 2 {
        return false;
    }
    let here = on_switch(tree, &crossing, at);
    let mut best: Option<Place> = None;
    let mut consider = |place: Place| {
        if best.as_ref().is_none_or(|best| place.cost < best.cost) {
            best = Some(place);
        }
    };
    let elsewhere = tree.switches().filter(|&s| s != at && seen.is_below(s, at));
    elsewhere.for_each(|s| consider(on_switch(tree, &crossing, s)));
    for &(next, length) in &tree.links[at as usize] {
        if next != top
            && let Some(place) = on_link(tree, &crossing, (at, next, length))
        {
            consider(place);
        }
    }
    match best {
        Some(best) if best.cost + SIGNIFICANT * SIGNIFICANT < here.cost => {
            tree.part(at, top);
            tree.hang(top, best.at, best.latency);
            tree.pass(at);
            true
        }
        _ => false,
    }
}

fn on_switch(tree: &Growing, crossing: &[Crossing], switch: u32) -> Place {
    let seen = tree.rooted(switch);
    let rest = |one: &Crossing| one.distance - seen.distances[one.outside as usize];
    let latency = median(crossing.iter().map(rest).collect()).max(0.0);
    Place {
        at: Location::Switch(switch),
        latency,
        cost: crossing
            .iter()
            .map(|one| one.cost(rest(one) - latency))
            .sum(),
    }
}

/// The best place on a link, if there is one that is not at an end.
fn on_link(
    tree: &Growing,
    crossing: &[Crossing],
    (a, b, length): (u32, u32, f64),
) -> Option<Place> {
    let seen = tree.rooted(a);
    let is_behind = |one: &Crossing| seen.is_below(one.outside, b);
    // From either end to the branch's top, by way of the place.
    let rest = |one: &Crossing| {
        let from_a = one.distance - seen.distances[one.outside as usize];
        if is_behind(one) {
            from_a + length
        } else {
            from_a
        }
    };
    let side = |behind: bool| -> Vec<f64> {
        let of_side = crossing.iter().filter(|one| is_behind(one) == behind);
        of_side.map(rest).collect()
    };
    let (near, far) = (side(false), side(true));
    if near.is_empty() || far.is_empty() {
        return None;
    }
    let (near, far) = (median(near), median(far));
    let offset = ((near - far + length) / 2.0).clamp(0.0, length);
    if offset == 0.0 || offset == length {
        return None;
    }
    let latency = ((near + far - length) / 2.0).max(0.0);
    let cost = crossing.iter().map(|one| {
        let way = if is_behind(one) {
            length - offset
        } else {
            offset
        };
        one.cost(rest(one) - latency - way)
    });
    Some(Place {
        at: Location::Link(a, b, offset),
        latency,
        cost: cost.sum(),
    })
}

impl Crossing {
    fn cost(&self, residual: f64) -> f64 {
        let standard = residual / self.error;
        (standard * standard).min(CAP)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
