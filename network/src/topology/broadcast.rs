//! Traffic of all hosts over the tree: pipelined broadcasts, and exchanges of all with all.
//!
//! Capacities stand, as latencies do, by the far end of their link as seen from host 0. The entry
//! of host 0 is not looked at.

use super::Tree;

/// Bits of a word: an `f64`, the element of most kernels.
pub const WORD: f64 = 64.0;

/// Returns the bandwidth of a pipelined broadcast of a long message: each host of `order` sends on
/// to the next, all at once.
///
/// A directed link that is used several times is shared. So the bandwidth is the least capacity
/// over the number of uses, in the unit of the capacities (the thesis's section 6.2). In
/// [depth-first order](Tree::depth_first) each is used at most once, which no order beats.
pub fn pipeline_bandwidth(tree: &Tree, capacities: &[f64], order: &[u32]) -> f64 {
    let vertices = tree.preorder().len();
    // Towards host 0 and away from it.
    let mut uses = vec![[0_u32; 2]; vertices];
    for pair in order.windows(2) {
        let to_root: Vec<u32> = tree.to_root(pair[0]).collect();
        for link in tree.path(pair[0], pair[1]) {
            let is_up = to_root.contains(&link);
            uses[link as usize][usize::from(!is_up)] += 1;
        }
    }
    let slowest = (1..vertices).flat_map(|link| {
        let capacity = capacities[link];
        uses[link]
            .into_iter()
            .filter(|&uses| uses > 0)
            .map(move |uses| capacity / f64::from(uses))
    });
    slowest.fold(f64::INFINITY, f64::min)
}

/// Link by which an exchange of all with all is bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottleneck {
    /// Its far end, as seen from host 0.
    pub link: u32,
    /// Amount that goes over it in each direction over its capacity.
    pub time: f64,
}

/// Finds the link that bounds an exchange in which each host sends `amount` to every other.
///
/// Over a link with s of N hosts behind it go s (N - s) messages in either direction. With an
/// amount in bits and capacities in bits per second the time is in seconds. Over the words that a
/// host sends, it is the g of the BSP model.
pub fn all_to_all(tree: &Tree, capacities: &[f64], amount: f64) -> Bottleneck {
    let all: Vec<u32> = (0..tree.hosts() as u32).collect();
    among(tree, capacities, &all, amount)
}

/// Finds the link that bounds an exchange in which each of some hosts sends `amount` to every other
/// of them. Among all hosts it is [`all_to_all`].
pub fn among(tree: &Tree, capacities: &[f64], hosts: &[u32], amount: f64) -> Bottleneck {
    let (first, after) = tree.spans();
    let mut sends = vec![false; tree.hosts()];
    hosts.iter().for_each(|&host| sends[host as usize] = true);
    // Hosts that send, by their number of those before them in depth-first order.
    let mut before = vec![0_usize];
    for host in tree.depth_first() {
        before.push(before[before.len() - 1] + usize::from(sends[host as usize]));
    }
    let all = hosts.len() as f64;
    let times = (1..tree.preorder().len()).map(|link| {
        let behind = (before[after[link]] - before[first[link]]) as f64;
        Bottleneck {
            link: link as u32,
            time: behind * (all - behind) * amount / capacities[link],
        }
    });
    let slowest = times.reduce(|x, y| if y.time > x.time { y } else { x });
    slowest.unwrap_or(Bottleneck { link: 0, time: 0.0 })
}
