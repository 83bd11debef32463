//! Levels of a network: groups of hosts that are near each other, groups of groups, and the latency
//! at each.

use std::collections::HashMap;

use super::Tree;

/// Ratio of two successive distances from which on they belong to different levels.
///
/// Inside a cluster distances grow by the latency of a few switches. In the thesis's clusters these
/// are from 72 to 140 us and never by more than 1.4 at a time. Processes of one host, hosts of a
/// switch and sites are apart by factors of 2 to 100. Loopback takes 20 us, a switch 80 us, and a
/// way between sites 250 us and more.
pub const RATIO: f64 = 2.0;

/// Partition of the hosts into groups that are near to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// Number of each host's group; groups are numbered in the order of their first hosts.
    pub groups: Vec<u32>,
    /// Longest round trip between two hosts of a group, in microseconds.
    pub round_trip: f64,
}

impl Partition {
    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.groups
            .iter()
            .max()
            .map_or(0, |&last| last as usize + 1)
    }
}

/// Finds the levels of a network, from the inner ones to the outermost, which is one group.
///
/// Hosts are joined into groups by their smallest distances first (single linkage). The groups so
/// far are a level where the next distance at which two join is `ratio` times the last one, or
/// more. Each group is inside one of the next level.
///
/// ```
/// use superstep_network::topology::{Tree, levels};
///
/// let tree: Tree = "(a:10,b:10,(c:10,d:10):500);".parse()?;
/// let levels = levels(&tree, levels::RATIO);
/// assert_eq!(levels.len(), 2);
/// assert_eq!((&levels[0].groups[..], levels[0].round_trip), (&[0, 0, 1, 1][..], 40.0));
/// assert_eq!((&levels[1].groups[..], levels[1].round_trip), (&[0, 0, 0, 0][..], 1040.0));
/// # Ok::<(), superstep_network::topology::NewickError>(())
/// ```
pub fn levels(tree: &Tree, ratio: f64) -> Vec<Partition> {
    let hosts = tree.hosts();
    let distances = tree.distances();
    let joins = spanning(hosts, &distances);
    let mut levels = Vec::new();
    let mut groups: Vec<u32> = (0..hosts as u32).collect();
    for (at, &(height, a, b)) in joins.iter().enumerate() {
        let (kept, gone) = (groups[a], groups[b]);
        let (kept, gone) = (kept.min(gone), kept.max(gone));
        groups
            .iter_mut()
            .filter(|group| **group == gone)
            .for_each(|group| *group = kept);
        let is_last = joins.get(at + 1).is_none_or(|next| {
            // Rounding errors of sums make no level.
            next.0 > height + 1e-6 && next.0 >= ratio * height
        });
        if is_last {
            levels.push(partition(&groups, &distances));
        }
    }
    levels
}

/// Returns the minimal spanning tree of the hosts (Prim 1957): its edges by their lengths, which
/// are the distances at which groups join.
fn spanning(hosts: usize, distances: &[f64]) -> Vec<(f64, usize, usize)> {
    let mut nearest: Vec<(f64, usize)> = (0..hosts).map(|host| (distances[host], 0)).collect();
    let mut left: Vec<usize> = (1..hosts).collect();
    let mut edges = Vec::with_capacity(left.len());
    while let Some(at) =
        (0..left.len()).min_by(|&x, &y| nearest[left[x]].0.total_cmp(&nearest[left[y]].0))
    {
        let host = left.swap_remove(at);
        edges.push((nearest[host].0, nearest[host].1, host));
        for &other in &left {
            let distance = distances[host * hosts + other];
            if distance < nearest[other].0 {
                nearest[other] = (distance, host);
            }
        }
    }
    edges.sort_by(|x, y| x.0.total_cmp(&y.0));
    edges
}

fn partition(groups: &[u32], distances: &[f64]) -> Partition {
    let hosts = groups.len();
    let mut numbers = HashMap::new();
    let number = |&group: &u32| {
        let next = numbers.len() as u32;
        *numbers.entry(group).or_insert(next)
    };
    let numbered = groups.iter().map(number).collect();
    let pairs = (0..hosts * hosts).filter(|at| groups[at / hosts] == groups[at % hosts]);
    let longest = pairs.map(|at| distances[at]).fold(0.0, f64::max);
    Partition {
        groups: numbered,
        round_trip: 2.0 * longest,
    }
}
