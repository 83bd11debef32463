//! Adding a host: the point at which it hangs, found by one measurement after the other.

use std::rc::Rc;

use crate::topology::growing::{Growing, Location, Rooted};

/// Search for the point at which a host hangs (the thesis's procedure `add`, section 3.4.2, with
/// its section 4.2).
///
/// The path between two hosts of the tree, and the way from it to the new host, meet at a point
/// that three distances give. Hosts on the path's two sides of the point lie elsewhere; the search
/// goes on with the others.
#[derive(Debug)]
pub(super) struct Adding {
    tree: Rc<Growing>,
    /// Tree as seen from the nearer host that was measured.
    near: Rooted,
    /// Distance from there to the new host, one-way in microseconds.
    distance: f64,
    /// Hosts whose branch may have the point.
    left: Vec<u32>,
    found: Option<(Location, f64)>,
}

impl Adding {
    /// Starts from a host of the tree, at `distance` from the new one.
    pub(super) fn new(tree: Rc<Growing>, near: u32, distance: f64) -> Self {
        let left = tree.present().filter(|&host| host != near).collect();
        Self {
            near: tree.rooted(near),
            tree,
            distance,
            left,
            found: None,
        }
    }

    /// Returns the host that the search starts from.
    pub(super) fn near(&self) -> u32 {
        self.near.root
    }

    /// Returns the host to measure next: the one left that is nearest in the tree, as near hosts
    /// tell most exactly.
    pub(super) fn next(&self) -> Option<u32> {
        let distance = |host: &u32| self.near.distances[*host as usize];
        let nearer = |a: &u32, b: &u32| distance(a).total_cmp(&distance(b)).then(a.cmp(b));
        self.left.iter().copied().min_by(nearer)
    }

    /// Leaves out a host that does not answer.
    pub(super) fn forget(&mut self, host: u32) {
        self.left.retain(|&other| other != host);
    }

    /// Goes on with the one-way distance to the host that [`next`](Self::next) gave; points within
    /// `tolerance` are one.
    pub(super) fn tell(&mut self, far: u32, distance: f64, tolerance: f64) {
        let near = &self.near;
        let length = near.distances[far as usize];
        let x = ((self.distance + length - distance) / 2.0).clamp(0.0, length);
        let path: Vec<u32> = near.to_root(far).collect();
        let (at, below) = meeting(&self.tree, near, &path, x, tolerance);
        let z = ((self.distance + distance - length) / 2.0).max(0.0);
        self.found = Some((at, z));
        match at {
            Location::Switch(switch) => self
                .left
                .retain(|&host| near.is_below(host, switch) && !near.is_below(host, below)),
            // Whatever hangs elsewhere on the link would be a switch.
            Location::Link(..) => self.left.clear(),
        }
        if length - x < x {
            self.near = self.tree.rooted(far);
            self.distance = distance;
        }
    }

    /// Returns the point, and the one-way latency of the link from it to the new host.
    pub(super) fn found(&self) -> (Location, f64) {
        self.found.unwrap_or_else(|| {
            // One host alone has answered: the new one hangs half-way on its link.
            let host = self.near.root;
            let (switch, length) = self.tree.neighbour(host).unwrap_or((host, 0.0));
            let x = length.min(self.distance / 2.0);
            (Location::Link(host, switch, x), self.distance - x)
        })
    }
}

/// Returns the point at distance `x` on a path, which is listed from its far end, and the vertex
/// after it. The point is the nearest switch within `tolerance`, or else a new one.
fn meeting(tree: &Growing, near: &Rooted, path: &[u32], x: f64, tolerance: f64) -> (Location, u32) {
    let off = |v: u32| (near.distances[v as usize] - x).abs();
    let switches = (1..path.len()).filter(|&at| !tree.is_host(path[at]));
    let nearest = switches.min_by(|&a, &b| off(path[a]).total_cmp(&off(path[b])));
    if let Some(at) = nearest
        && off(path[at]) <= tolerance
    {
        return (Location::Switch(path[at]), path[at - 1]);
    }
    let above = (1..path.len() - 1).find(|&at| near.distances[path[at] as usize] <= x);
    let at = above.unwrap_or(path.len() - 1);
    let offset = x - near.distances[path[at] as usize];
    (Location::Link(path[at], path[at - 1], offset), path[at - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of an independent reference implementation: two hosts with switches 10 and 17 us
    /// from the first, 27 us apart.
    #[test]
    fn points_within_the_tolerance_are_one() {
        let mut tree = Growing::new(4);
        let (s, t) = (tree.add_switch(), tree.add_switch());
        for (a, b, latency) in [
            (0, s, 10.0),
            (s, t, 7.0),
            (t, 1, 10.0),
            (s, 2, 1.0),
            (t, 3, 1.0),
        ] {
            tree.join(a, b, latency);
        }
        let near = tree.rooted(0);
        let path: Vec<u32> = near.to_root(1).collect();
        for (x, tolerance, expected) in [
            (12.0, 2.0, Location::Switch(s)),
            (14.0, 2.0, Location::Link(s, t, 4.0)),
            (13.4, 4.0, Location::Switch(s)),
            (13.6, 4.0, Location::Switch(t)),
            (0.0, 1.0, Location::Link(0, s, 0.0)),
            (27.0, 2.0, Location::Link(1, t, 0.0)),
        ] {
            let (found, _) = meeting(&tree, &near, &path, x, tolerance);
            // A point on a link may be said from either end.
            let on_link = |location| match location {
                Location::Link(a, b, offset)
                    if near.distances[a as usize] > near.distances[b as usize] =>
                {
                    (b.min(a), b.max(a), near.distances[a as usize] - offset)
                }
                Location::Link(a, b, offset) => {
                    (b.min(a), b.max(a), near.distances[a as usize] + offset)
                }
                Location::Switch(switch) => (switch, switch, near.distances[switch as usize]),
            };
            assert_eq!(on_link(found), on_link(expected), "{x} within {tolerance}");
        }
    }
}
