//! Moves: a host or a branch hangs elsewhere, where that fits the measurements better.

use std::collections::BTreeMap;

use superstep_timing::median;

use super::{Observed, SIGNIFICANT, cost};
use crate::topology::growing::{Growing, Location, Rooted};

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

/// A branch that may hang better elsewhere.
pub(super) struct Move {
    /// The switch that it hangs on, and its top.
    from: (u32, u32),
    to: Place,
    gain: f64,
}

impl Move {
    /// Hangs the branch elsewhere.
    pub(super) fn make(&self, tree: &mut Growing) {
        let (at, top) = self.from;
        tree.part(at, top);
        tree.hang(top, self.to.at, self.to.latency);
        tree.pass(at);
    }
}

/// Moves each branch, the smallest first, to where it seems to fit best.
pub(super) fn sweep(tree: &mut Growing, observed: &[Observed], scale: f64) {
    let mut seen = from_switches(tree);
    for from in branches(tree) {
        if let Some(better) = shift(tree, &seen, observed, scale, from) {
            better.make(tree);
            seen = from_switches(tree);
        }
    }
}

/// Moves that seem to fit significantly better, the best first.
pub(super) fn promising(tree: &Growing, observed: &[Observed], scale: f64) -> Vec<Move> {
    let seen = from_switches(tree);
    let mut moves: Vec<Move> = branches(tree)
        .into_iter()
        .filter_map(|from| shift(tree, &seen, observed, scale, from))
        .collect();
    moves.sort_by(|x, y| y.gain.total_cmp(&x.gain).then(x.from.cmp(&y.from)));
    moves
}

/// Hangs a host that is not in the tree at the best switch or link.
pub(in super::super) fn insert(tree: &mut Growing, host: u32, observed: &[Observed], scale: f64) {
    let own = observed.iter().filter(|one| one.is_of(host));
    let crossing: Vec<Crossing> = own
        .map(|one| Crossing {
            outside: if one.a == host { one.b } else { one.a },
            distance: one.distance,
            error: one.error * scale,
        })
        .filter(|one| tree.neighbour(one.outside).is_some())
        .collect();
    if crossing.is_empty() {
        return;
    }
    let seen = from_switches(tree);
    let on_switches = seen.values().map(|seen| on_switch(seen, &crossing));
    let on_links = seen.iter().flat_map(|(&switch, seen)| {
        let links = tree.links[switch as usize].iter();
        links.filter_map(|&link| on_link(seen, &crossing, link))
    });
    let places = on_switches.chain(on_links);
    if let Some(best) = places.min_by(|x, y| x.cost.total_cmp(&y.cost)) {
        tree.hang(host, best.at, best.latency);
    }
}

/// Returns the tree as seen from each switch, by its number.
fn from_switches(tree: &Growing) -> BTreeMap<u32, Rooted> {
    let switches = tree.switches();
    switches
        .map(|switch| (switch, tree.rooted(switch)))
        .collect()
}

/// Branches that hang on a switch, the smallest first: the switch and their top.
fn branches(tree: &Growing) -> Vec<(u32, u32)> {
    let rooted = tree.rooted(tree.present().next().unwrap_or(0));
    let both = tree.all_links().flat_map(|(a, b, _)| [(a, b), (b, a)]);
    let mut branches: Vec<(u32, u32)> = both.filter(|&(at, _)| !tree.is_host(at)).collect();
    branches.sort_by_key(|&(at, top)| (rooted.behind(at, top), at, top));
    branches
}

/// Returns a better place for the branch behind `top`, which hangs at `at`, if there is one and the
/// branch hangs there still.
fn shift(
    tree: &Growing,
    switches: &BTreeMap<u32, Rooted>,
    observed: &[Observed],
    scale: f64,
    (at, top): (u32, u32),
) -> Option<Move> {
    let links = tree.links.get(at as usize)?;
    if links.len() < 3 || !links.iter().any(|&(next, _)| next == top) {
        return None;
    }
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
        return None;
    }
    let here = on_switch(&switches[&at], &crossing);
    let elsewhere = switches
        .iter()
        .filter(|&(&s, _)| s != at && seen.is_below(s, at));
    let on_switches = elsewhere.map(|(_, seen)| on_switch(seen, &crossing));
    let neighbours = links.iter().filter(|&&(next, _)| next != top);
    let on_links = neighbours.filter_map(|&link| on_link(&switches[&at], &crossing, link));
    let to = on_switches
        .chain(on_links)
        .min_by(|x, y| x.cost.total_cmp(&y.cost))?;
    let gain = here.cost - to.cost;
    (gain > SIGNIFICANT * SIGNIFICANT).then_some(Move {
        from: (at, top),
        to,
        gain,
    })
}

fn on_switch(seen: &Rooted, crossing: &[Crossing]) -> Place {
    let rest = |one: &Crossing| one.distance - seen.distances[one.outside as usize];
    let latency = median(crossing.iter().map(rest)).max(0.0);
    Place {
        at: Location::Switch(seen.root),
        latency,
        cost: crossing
            .iter()
            .map(|one| one.cost(rest(one) - latency))
            .sum(),
    }
}

/// Returns the best place on a link of the switch that `seen` is of, if there is one that is not at
/// an end.
fn on_link(seen: &Rooted, crossing: &[Crossing], (next, length): (u32, f64)) -> Option<Place> {
    let is_behind = |one: &Crossing| seen.is_below(one.outside, next);
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
    let costs = crossing.iter().map(|one| {
        let way = if is_behind(one) {
            length - offset
        } else {
            offset
        };
        one.cost(rest(one) - latency - way)
    });
    Some(Place {
        at: Location::Link(seen.root, next, offset),
        latency,
        cost: costs.sum(),
    })
}

impl Crossing {
    fn cost(&self, residual: f64) -> f64 {
        cost(residual / self.error)
    }
}
